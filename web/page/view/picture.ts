// Draws a picture and moves it: grids of cells whose classes change from frame to frame.
import { CELL, type Grid, type Picture } from '../pictures/model.ts';
import type { Context } from '../state.ts';
import type { Texts } from '../text/types.ts';
import { h, reducedMotion, s, say } from './dom.ts';

const FRAME_MS = 550;

export function pictureView(picture: Picture, description: string, { texts, formats, signal }: Context): HTMLElement {
  const words = texts.learn;
  const cells = new Map<string, SVGElement[][]>();
  const labels = placed(picture, words);
  const svg = s(
    'svg',
    {
      viewBox: `0 0 ${picture.width} ${picture.height}`,
      class: 'picture',
      role: 'img',
      'aria-label': description,
    },
    ...(picture.panels ?? []).map((panel) =>
      s(
        'g',
        { class: 'panel' },
        s('rect', { x: panel.x, y: panel.y, width: panel.width, height: panel.height, rx: 10 }),
      ),
    ),
    ...picture.grids.map((grid) => drawn(grid, cells)),
    ...labels.map(({ x, y, text }, _, all) =>
      s('text', { x, y, style: `--largest: ${largest(text, x, y, all, picture.width)}px` }, text),
    ),
  );
  const phase = h('p', { class: 'phase' });
  const counts = h('dl', { class: 'counts' });
  const play = h('button', { type: 'button', class: 'quiet', onclick: () => (timer === undefined ? start() : stop()) });
  const step = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      onclick: () => {
        stop();
        advance();
      },
    },
    words.step,
  );
  let index = -1;
  let timer: ReturnType<typeof setInterval> | undefined;
  let wanted = !reducedMotion();

  const advance = (): void => {
    index = (index + 1) % picture.frames;
    const frame = picture.frame(index);
    for (const rows of cells.values())
      for (const row of rows) for (const cell of row) cell.removeAttribute('data-tone');
    for (const { grid, tone, cells: lit } of frame.lit) {
      for (const [row, column] of lit) cells.get(grid)?.[row]?.[column]?.setAttribute('data-tone', tone);
    }
    say(phase, words.phases[frame.phase]);
    counts.replaceChildren(
      ...Object.entries(frame.counts ?? {}).map(([name, value]) =>
        h('div', {}, h('dt', {}, words.counts[name as keyof typeof words.counts]), h('dd', {}, formats.plain(value))),
      ),
    );
  };
  const run = (on: boolean): void => {
    clearInterval(timer);
    timer = on ? setInterval(advance, FRAME_MS) : undefined;
    say(play, on ? words.pause : words.play);
  };
  const start = (): void => {
    wanted = true;
    run(true);
  };
  const stop = (): void => {
    wanted = false;
    run(false);
  };
  // Nothing moves where nobody sees it.
  const sight = new IntersectionObserver(([entry]) => run(wanted && Boolean(entry?.isIntersecting)));
  sight.observe(svg);
  signal.addEventListener(
    'abort',
    () => {
      sight.disconnect();
      clearInterval(timer);
    },
    { once: true },
  );
  advance();
  run(false);

  return h(
    'figure',
    { class: picture.width > 400 ? 'scene wide' : 'scene' },
    svg,
    h(
      'figcaption',
      {},
      h('div', { class: 'told' }, h('p', {}, description), phase, h('div', { class: 'buttons' }, play, step)),
      counts,
    ),
  );
}

interface Label {
  x: number;
  y: number;
  text: string;
}

function placed(picture: Picture, words: Texts['learn']): Label[] {
  return [
    ...(picture.panels ?? []).map((panel) => ({ x: panel.x + 14, y: panel.y + 20, text: panel.label(words) })),
    ...picture.grids.map((grid) => ({ x: grid.x, y: grid.y - 8, text: grid.label(words) })),
  ];
}

/** Size of letters that there is room for up to the next label: pictures are small on phones, and letters must not be. */
function largest(text: string, x: number, y: number, labels: readonly Label[], width: number): number {
  const beside = labels.filter((other) => other.x > x && Math.abs(other.y - y) < 20).map((other) => other.x - 8);
  const ems = [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 1 : 0.6), 0);
  const legible = Math.floor(width / 28); // ten pixels of 280, which a phone has for a picture
  return Math.max(12, Math.min(legible, Math.floor((Math.min(width, ...beside) - x) / ems)));
}

export function drawn(grid: Grid, cells: Map<string, SVGElement[][]>): SVGElement {
  const edge = grid.cell ?? CELL;
  const gap = (i: number): number => (grid.gaps ? Math.floor(i / grid.gaps.every) * 3 : 0);
  const rows = Array.from({ length: grid.rows }, (_, row) =>
    Array.from({ length: grid.columns }, (_, column) =>
      s('rect', {
        class: 'cell',
        x: grid.x + column * edge + gap(column),
        y: grid.y + row * edge + gap(row),
        width: edge - 2,
        height: edge - 2,
        rx: Math.min(3, edge / 5),
      }),
    ),
  );
  cells.set(grid.id, rows);
  return s('g', { class: `grid tint-${grid.tint}` }, ...rows.flat());
}
