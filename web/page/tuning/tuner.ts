// Searches one after the other, and what is known of the device that they run on. It outlives the view, which is made
// anew with the language.
import { GemmError, type Trial, type TuningData } from '../../src/index.ts';
import type { Session } from '../bench/device.ts';
import { type Known, keyOf, load, save, type Search } from './database.ts';
import { nameOf, problemOf, type Shape } from './shapes.ts';

/** What was the last thing to happen. */
export type Event = { kind: 'done' | 'stopped' | 'shapes' | 'imported' } | { kind: 'failed' | 'file'; message: string };

export class Tuner {
  session: Session | undefined;
  known: Known | undefined;
  running = false;
  event: Event | undefined;
  /** Name of the shape whose trials are shown */
  shown = '';
  /** Share of the budget that is spent */
  progress = 0;
  #stopping = new AbortController();
  #listeners = new Set<() => void>();

  watch(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => this.#listeners.delete(listener), { once: true });
    listener();
  }

  tell(event?: Event): void {
    if (event) this.event = event;
    for (const listener of [...this.#listeners]) listener();
  }

  get search(): Search | undefined {
    return this.known?.searches[this.shown];
  }

  get data(): TuningData | null {
    return this.known?.data ?? null;
  }

  /** Another device, or none: what is known of it is loaded, and used where that was chosen before. */
  async attach(session: Session | undefined): Promise<void> {
    if (session === this.session) return;
    this.stop();
    this.session = session;
    this.known = undefined;
    this.tell();
    if (session === undefined) return;
    const wgemm = session.gemm.version().wgemm;
    const found = await load(keyOf(session.gemm.profile));
    if (session !== this.session) return;
    this.known =
      found?.wgemm === wgemm ? found : { wgemm, searches: {}, data: found?.data ?? null, used: found?.used ?? false };
    this.shown = Object.keys(this.known.searches).at(-1) ?? '';
    this.#apply();
    this.tell();
  }

  stop(): void {
    this.#stopping.abort(new DOMException('stopped', 'AbortError'));
  }

  /** Each shape gets its share of what is left of the budget. */
  async start(shapes: readonly Shape[], budgetMs: number): Promise<void> {
    const { session, known } = this;
    if (this.running || !session || !known) return;
    this.running = true;
    this.event = undefined;
    const { signal } = (this.#stopping = new AbortController());
    const begin = performance.now();
    let event: Event = { kind: 'done' };
    try {
      for (const [index, shape] of shapes.entries()) {
        if (signal.aborted) break;
        const share = Math.max(0, begin + budgetMs - performance.now()) / (shapes.length - index);
        await this.#one(session, known, shape, share, signal, () => {
          this.progress = Math.min(1, (performance.now() - begin) / budgetMs);
        });
      }
      if (signal.aborted) event = { kind: 'stopped' };
    } catch (error) {
      event = { kind: 'failed', message: messageOf(error) };
    }
    this.running = false;
    this.progress = 0;
    this.tell(event);
  }

  async #one(
    session: Session,
    known: Known,
    shape: Shape,
    budgetMs: number,
    signal: AbortSignal,
    heard: () => void,
  ): Promise<void> {
    const name = nameOf(shape);
    const before = known.searches[name]?.trials ?? [];
    const search: Search = { shape, trials: [], complete: false };
    this.shown = name;
    this.tell();
    const found = await session.gemm.tune(problemOf(shape), {
      budgetMs,
      signal,
      software: true, // the view says what its figures are worth
      trials: before,
      onTrial: (trial) => {
        search.trials.push(trial);
        // A search that ends early must not forget what one before it knew.
        known.searches[name] = { ...search, trials: joined(search.trials, before) };
        heard();
        if (!trial.resumed) void save(keyOf(session.gemm.profile), known);
        this.tell();
      },
    });
    known.searches[name] = { shape, trials: joined(found.trials, before), complete: found.complete };
    if (found.entry) this.#keep(session, known, found.entry);
    await save(keyOf(session.gemm.profile), known);
  }

  /** Data from a file. Errors are told. */
  async take(name: string, text: string): Promise<void> {
    const { session, known } = this;
    if (!session || !known) return;
    try {
      this.#keep(session, known, JSON.parse(text) as TuningData);
      await save(keyOf(session.gemm.profile), known);
      this.tell({ kind: 'imported' });
    } catch (error) {
      this.tell({ kind: 'file', message: `${name}: ${messageOf(error)}` });
    }
  }

  async use(used: boolean): Promise<void> {
    if (!this.session || !this.known) return;
    this.known.used = used;
    this.#apply();
    this.tell();
    await save(keyOf(this.session.gemm.profile), this.known);
  }

  #keep(session: Session, known: Known, data: TuningData): void {
    known.data = session.gemm.mergeTuning(known.data ?? data, data);
    if (session === this.session) this.#apply();
  }

  #apply(): void {
    const { session, known } = this;
    if (!session || !known) return;
    try {
      session.gemm.tuningData = known.used && known.data ? known.data : undefined;
    } catch (error) {
      known.data = null; // of a version that this page does not read
      this.event = { kind: 'failed', message: messageOf(error) };
    }
  }
}

/** Those of this search, and behind them those that it did not reach. */
function joined(trials: readonly Trial[], before: readonly Trial[]): Trial[] {
  const name = ({ kernel, split_k }: Trial): string => `${kernel} ${split_k}`;
  const seen = new Set(trials.map(name));
  return [...trials, ...before.filter((trial) => !seen.has(name(trial)))];
}

function messageOf(error: unknown): string {
  if (error instanceof GemmError && error.argument) return `${error.argument}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
