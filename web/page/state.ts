// What the page knows, and who wants to hear of changes.
import type { Obstacle, Session } from './bench/device.ts';
import type { Ending, Stage } from './bench/ladder.ts';
import type { Run } from './bench/result.ts';
import type { Settings } from './bench/settings.ts';
import type { LessonId } from './lessons.ts';
import { initialLanguage, type Language, languages } from './text/language.ts';
import type { Texts } from './text/types.ts';
import { type Formats, formats } from './view/format.ts';

export interface State {
  language: Language;
  opening: boolean;
  session: Session | undefined;
  obstacle: Obstacle | undefined;
  settings: Settings;
  running: boolean;
  current: { id: string; stage: Stage; n: number } | undefined;
  done: number;
  total: number;
  run: Run | undefined;      // the last one here, also while it runs
  ending: Ending | undefined;
  seconds: number;
  lesson: LessonId;
  compared: Run[];
  fromLink: boolean;
}

export class Store {
  readonly state: State = {
    language: initialLanguage(), opening: true, session: undefined, obstacle: undefined,
    settings: { n: 1024, repeats: 5 }, running: false, current: undefined, done: 0, total: 0, run: undefined,
    ending: undefined, seconds: 0, lesson: 'naive', compared: [], fromLink: false,
  };
  #listeners = new Set<() => void>();
  #waiting = false;

  get texts(): Texts {
    return languages[this.state.language];
  }

  get formats(): Formats {
    return formats(this.state.language);
  }

  /** Listeners hear of all changes of a moment together. */
  set(change: Partial<State>): void {
    Object.assign(this.state, change);
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => {
      this.#waiting = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /** Calls at once, and on every change until the signal says otherwise. */
  watch(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => this.#listeners.delete(listener), { once: true });
    listener();
  }
}

/** What every part of the page is made from. It listens until the signal, when the language changes. */
export interface Context {
  store: Store;
  texts: Texts;
  formats: Formats;
  signal: AbortSignal;
  actions: Actions;
}

export interface Actions {
  start(): void;
  stop(): void;
  setLanguage(language: Language): void;
  showLesson(lesson: LessonId): void;
}
