// The search for the fastest kernel of one problem within a time. The core says what is tried next.
import { checkCallback, checkOptions, GemmError, messageOf } from '../errors.ts';
import type { TuningData } from '../plan.ts';
import type { ProblemInput } from '../problem.ts';
import type { DeviceProfile } from '../profile.ts';
import { type Candidate, Lab, type LabHome } from './lab.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { Trial, TrialStatus } from './trial.ts';

export interface TuneOptions {
  /** Milliseconds for everything; 30000. No trial begins that would not end in time, going by those before it */
  budgetMs?: number;
  /** Ends the search within the trial at hand, which then counts for nothing */
  signal?: AbortSignal;
  /** Hears each trial as it ends, and the fastest so far */
  onTrial?: (trial: Trial, fastest: Trial | null) => void;
  /** Of earlier searches for this problem on this device: they are not tried again */
  trials?: readonly Trial[];
  /** Samples of a timing; 8 */
  repeats?: number;
  /** Milliseconds of work before the samples; 250 */
  warmUpMs?: number;
  /** Tunes a software adapter too, whose figures say nothing of a GPU; false */
  software?: boolean;
}

export interface Tuned {
  /** In the order of the search */
  trials: Trial[];
  /** null: none gave a right product */
  fastest: Trial | null;
  /** Which one to use: the planner's own choice where no other is faster by more than noise */
  kept: Trial | null;
  /** No candidate, and no neighbour of the fastest, was left out */
  complete: boolean;
  /** `kept` as data for plans, and for `wgemm tune --merge`; null where there is none */
  entry: TuningData | null;
  /** Checksum of the set of candidates: trials of another set may lack some */
  candidates: string;
}

/** What the core says of a search. Indices are of the trials that it was given. */
export interface Next {
  next: (Candidate & { estimated_seconds: number; heuristic: boolean }) | null;
  fastest: number | null;
  kept: number | null;
  candidates: string;
}

export interface SearchHome extends LabHome {
  nextTrial(problem: ProblemInput, profile: DeviceProfile, trials: readonly Trial[]): Next;
  tuningEntry(problem: ProblemInput, profile: DeviceProfile, kept: Trial, heuristicSeconds: number): TuningData;
}

/**
 * Errors: invalid_argument, unsupported (the problem; argument "software": a software adapter, without leave), device_lost (what was measured has been told to `onTrial`), and
 * those of the product by `naive`, against which all others are judged.
 */
export async function search(home: SearchHome, problem: ProblemInput, options: TuneOptions): Promise<Tuned> {
  checkOptions(options);
  const { budgetMs = 30000, signal, repeats = 8, warmUpMs = 250, trials = [], software = false, onTrial } = options;
  checkCallback('onTrial', onTrial);
  if (!Array.isArray(trials) || trials.some((trial) => typeof trial !== 'object' || trial === null)) {
    throw new GemmError('invalid_argument', 'trials', 'trials is to be an array: the `trials` of an earlier search');
  }
  checkNumber('budgetMs', budgetMs, 0);
  checkNumber('warmUpMs', warmUpMs, 0);
  checkNumber('repeats', repeats, 1);
  if (typeof software !== 'boolean') {
    throw new GemmError('invalid_argument', 'software', 'software is to be true or false, or left out');
  }
  home.device.checkAlive();
  home.describe(problem);
  checkHardware(home.profile, software);
  const clock = home.profile.timestamps ? 'gpu' : 'wall';
  return new Search(home, problem, { clock, repeats, warmUpMs, signal }, options).run(performance.now() + budgetMs);
}

class Search {
  readonly #profile: DeviceProfile; // a copy: matrix units that are found wrong must not change the order
  readonly #known = new Map<string, Trial>();
  readonly #trials: Trial[] = [];
  #lab: Lab | undefined;
  #spent = 0;
  #measured = 0;

  constructor(
    private readonly home: SearchHome,
    private readonly problem: ProblemInput,
    private readonly watch: Stopwatch,
    private readonly options: TuneOptions,
  ) {
    this.#profile = structuredClone(home.profile);
    // Times of another clock would not compare.
    for (const trial of options.trials ?? []) if (trial.clock === watch.clock) this.#known.set(keyOf(trial), trial);
  }

  async run(deadline: number): Promise<Tuned> {
    try {
      let state = this.#state();
      while (state.next !== null && (await this.#tryOne(state.next, deadline))) {
        state = this.#state();
        const last = this.#trials.at(-1);
        if (last !== undefined) this.options.onTrial?.(last, this.#at(state.fastest));
        if (last?.status === 'device_lost' && !last.resumed) this.home.device.checkAlive();
      }
      return this.#found(state);
    } finally {
      this.#lab?.close();
    }
  }

  #state(): Next {
    return this.home.nextTrial(this.problem, this.#profile, this.#trials);
  }

  #at(index: number | null): Trial | null {
    return index === null ? null : (this.#trials[index] ?? null);
  }

  #found({ next, fastest, kept, candidates }: Next): Tuned {
    const best = this.#at(kept);
    const own = this.#trials.find((trial) => trial.heuristic);
    const entry = best && this.home.tuningEntry(this.problem, this.#profile, best, own?.seconds ?? 0);
    return { trials: this.#trials, fastest: this.#at(fastest), kept: best, complete: next === null, entry, candidates };
  }

  /** False: the search is to end. */
  async #tryOne(next: NonNullable<Next['next']>, deadline: number): Promise<boolean> {
    const known = this.#known.get(keyOf(next));
    if (known !== undefined) {
      this.#trials.push({ ...known, ...next, resumed: true });
      return true;
    }
    if (this.#stopped() || performance.now() > deadline) return false;
    let outcome: Outcome;
    try {
      this.#lab ??= await Lab.open(this.home, this.problem, this.watch);
      const begin = performance.now();
      const usual = this.#measured > 0 ? this.#spent / this.#measured : 0;
      if (begin + usual > deadline) return false;
      outcome = await this.#outcomeOf(this.#lab, next);
      this.#spent += performance.now() - begin;
      this.#measured += 1;
    } catch (error) {
      if (this.#stopped()) return false;
      throw error;
    }
    this.#trials.push({ ...next, ...outcome, clock: this.watch.clock, resumed: false });
    return true;
  }

  #stopped(): boolean {
    return this.watch.signal?.aborted === true;
  }

  /** Errors: cancelled. */
  async #outcomeOf(lab: Lab, candidate: Candidate): Promise<Outcome> {
    const without = { seconds: 0, spread: 0 };
    try {
      const found = await lab.try(candidate);
      if (typeof found === 'string') return { ...without, status: 'wrong', reason: found };
      return { ...found, status: 'ok', reason: '' };
    } catch (error) {
      const code = error instanceof GemmError ? error.code : 'internal';
      if (code === 'cancelled') throw error;
      return { ...without, status: STATUS[code] ?? 'failed', reason: messageOf(error) };
    }
  }
}

type Outcome = Pick<Trial, 'status' | 'reason' | 'seconds' | 'spread'>;

const STATUS: Partial<Record<string, TrialStatus>> = {
  unsupported: 'unsupported',
  not_found: 'unsupported',
  device_lost: 'device_lost',
};

function keyOf({ kernel, split_k }: Candidate): string {
  return `${kernel} ${split_k}`;
}

/** Errors: unsupported. */
function checkHardware({ type, name }: DeviceProfile, software: boolean): void {
  if (type !== 'software' || software) return;
  const what = `'${name}' is a software adapter, whose figures say nothing of a GPU`;
  throw new GemmError('unsupported', 'software', `${what}; software: true tunes it all the same`);
}

function checkNumber(name: string, value: number, least: number): void {
  if (value >= least && (name !== 'repeats' || Number.isInteger(value))) return;
  const kind = name === 'repeats' ? 'whole number' : 'number of milliseconds';
  throw new GemmError('invalid_argument', name, `${name} is ${value}; it is to be a ${kind} of at least ${least}`);
}
