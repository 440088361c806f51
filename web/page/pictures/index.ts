// The picture of each lesson.
import type { LessonId } from '../lessons.ts';
import { cpuJs, cpuWasm } from './cpu.ts';
import { coalesced, naive, workgroup } from './lanes.ts';
import type { Picture } from './model.ts';
import { matrixUnits, threadTile, tiledPicture, transposed, vec4 } from './tiles.ts';
import { banks, occupancy, overlap, unrolled } from './time.ts';

export const pictures: Record<LessonId, Picture> = {
  'cpu-js': cpuJs,
  'cpu-wasm': cpuWasm,
  naive, workgroup, coalesced,
  tiled: tiledPicture,
  'tiled-padded': banks,
  'tiled-transposed': transposed,
  'thread-tile': threadTile,
  unrolled, vec4,
  'subgroup-matrix': matrixUnits,
  'register-tile': overlap,
  choice: occupancy,
};
