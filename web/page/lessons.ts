// The lessons: which rows each explains, and which lines of its text matter. What is said of them stands in text/.

export interface LessonShape {
  rows: readonly string[];
  /** By name: the lines of the program's text that the note of that name is about. */
  marks: Readonly<Record<string, RegExp>>;
}

export const lessons = {
  'cpu-js': {
    rows: ['cpu-js'],
    marks: { sum: /sum \+= a\[/ },
  },
  'cpu-wasm': {
    rows: ['cpu-wasm'],
    marks: { copy: /v128\.store .*\$panel/, load: /local\.set \$right \(v128\.load/, products: /f32x4\.add/ },
  },
  naive: {
    rows: ['naive'],
    marks: { group: /@workgroup_size/, sum: /sum \+= / },
  },
  workgroup: {
    rows: ['workgroup'],
    marks: { group: /@workgroup_size/, lanes: /let row = .*local\.x/ },
  },
  coalesced: {
    rows: ['coalesced'],
    marks: { lanes: /let col = .*local\.x/ },
  },
  tiled: {
    rows: ['tiled-8', 'tiled-16', 'tiled-32'],
    marks: {
      tile: /var<workgroup>/,
      stage: /tile_[ab]\[.*= load_[ab]/,
      barrier: /workgroupBarrier/,
      sum: /sum\d+ \+= /,
    },
  },
  'tiled-padded': {
    rows: ['tiled-padded'],
    marks: { pad: /var<workgroup>/ },
  },
  'tiled-transposed': {
    rows: ['tiled-transposed'],
    marks: { turn: /tile_b\[.*= load_b/, sum: /sum \+= / },
  },
  'thread-tile': {
    rows: ['thread-tile-2x2', 'thread-tile-4x4'],
    marks: { sums: /var sums: array/, left: /left\[i\] = /, products: /sums\[.*\+= / },
  },
  unrolled: {
    rows: ['unrolled'],
    marks: { names: /var sum\d+_\d+: /, products: /sum\d+_\d+ \+= / },
  },
  vec4: {
    rows: ['vec4'],
    marks: { buffer: /var<storage, read> [ab]: array<vec4/, load: /= load_[ab]_k4/, dot: /\+= dot\(/ },
  },
  'subgroup-matrix': {
    rows: ['subgroup-matrix'],
    marks: { load: /let (left|right)\d+_\d+ = (load_|subgroupMatrixLoad)/, multiply: /= multiply_add\(/ },
  },
  'register-tile': {
    rows: ['register-tile'],
    marks: { ahead: /^\s*next_[ab]\d+ = /, left: /let (left|right)\d+ = tile_/, products: /= fma\(/ },
  },
  choice: {
    rows: ['choice'],
    marks: { main: /^fn main\(/ },
  },
} as const satisfies Record<string, LessonShape>;

export type LessonId = keyof typeof lessons;

export const lessonIds = Object.keys(lessons) as LessonId[];

export function lessonOf(row: string): LessonId | undefined {
  return lessonIds.find((id) => (lessons[id].rows as readonly string[]).includes(row));
}

export interface LessonText<Marks extends string> {
  title: string;
  idea: readonly string[]; // paragraphs
  picture: string; // what the picture shows, for those who read it and those who do not see it
  marks: Readonly<Record<Marks, string>>;
}

export type LessonTexts = {
  readonly [Id in LessonId]: LessonText<Extract<keyof (typeof lessons)[Id]['marks'], string>>;
};
