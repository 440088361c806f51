// Every sentence of the page. A language that lacks one does not compile.
import type { LessonTexts } from '../lessons.ts';
import type { Stage } from '../bench/ladder.ts';

/** What a picture is doing in a frame. */
export type Phase =
  'read' | 'stage' | 'wait' | 'multiply' | 'store' | 'count' | 'conflict' | 'spread' | 'idle' | 'busy';

export interface Texts {
  name: string; // of the language, in itself
  title: string;
  description: string;
  skip: string;
  nav: { measure: string; roofline: string; learn: string; compare: string };
  language: string;
  theme: { label: string; system: string; light: string; dark: string };
  hero: {
    yourGpu: string;
    looking: string;
    noGpu: string;
    unnamed: string;
    ask: string;
    best: (row: string, n: number, times: string) => string; // times: faster than JavaScript; '' where unknown
    software: string;
    size: string;
    tooLarge: string;
    repeats: string;
    start: string;
    again: string;
    stop: string;
  };
  rows: Record<string, string>; // names of the rows that are no kernels
  stages: Record<Stage, (row: string, n: number) => string>;
  status: {
    row: (row: string, gflops: string) => string;
    skipped: (row: string) => string;
    done: (seconds: string) => string;
    stopped: string;
    lost: (message: string) => string;
    failed: (message: string) => string;
    progress: string;
  };
  obstacle: {
    missing: string;
    adapter: string;
    failed: (message: string) => string;
    advice: readonly string[];
    cpuOnly: string;
  };
  ladder: {
    heading: string;
    lead: string;
    empty: string;
    linear: string;
    logarithmic: string;
    axis: string;
    chart: string;
    table: string;
    columns: {
      row: string;
      size: string;
      gflops: string;
      gpu: string;
      wall: string;
      compile: string;
      times: string;
      verified: string;
    };
    verified: (error: string) => string;
    wrong: string;
    unavailable: string;
    lacks: (feature: string) => string;
    learn: (row: string) => string;
    smaller: string;
    difference: (milliseconds: string) => string;
    clocks: string;
    clocksText: readonly string[];
    checks: string;
    checksText: readonly string[];
  };
  roofline: {
    heading: string;
    lead: readonly string[];
    empty: string;
    chart: string;
    intensity: string;
    memory: (gigabytes: string) => string;
    top: (gflops: string) => string;
  };
  learn: {
    heading: string;
    lead: string;
    list: string;
    picture: string;
    play: string;
    pause: string;
    step: string;
    phases: Record<Phase, string>;
    counts: { memory: string; shared: string; products: string };
    lanes: string;
    memoryOf: (matrix: string) => string;
    sharedMemory: string;
    registers: string;
    banks: string;
    loop: string;
    written: string;
    loads: string;
    arithmetic: string;
    oneAfterOther: string;
    together: string;
    code: (language: string) => string;
    codeNote: string;
    elsewhere: string;
    marked: string;
    rest: (lines: number) => string;
    noCode: string;
    copy: string;
    copied: string;
  };
  compare: {
    heading: string;
    lead: string;
    copyLink: string;
    copied: string;
    saveJson: string;
    saveCsv: string;
    savePng: string;
    open: string;
    linkLabel: string;
    addLink: string;
    badLink: string;
    badFile: (name: string) => string;
    nothing: string;
    runs: string;
    remove: (name: string) => string;
    run: (device: string, n: number, date: string) => string;
    chart: string;
    fromLink: string;
  };
  footer: string;
  lessons: LessonTexts;
}
