// What the core does for a search.
import type { TuningData } from '../plan.ts';
import type { Core } from '../wasm/core.ts';
import type { Next, SearchHome } from './search.ts';
import type { Trial } from './trial.ts';

export function searchCalls(core: Core): Pick<SearchHome, 'nextTrial' | 'tuningEntry'> {
  return {
    nextTrial: (problem, profile, trials) =>
      core.call<Next>('next_trial', { problem, profile, trials: trials.map(toldOf) }),
    tuningEntry: (problem, profile, kept, heuristicSeconds) =>
      core.call<TuningData>('tuning_entry', {
        problem,
        profile,
        ...toldOf(kept),
        heuristic_seconds: heuristicSeconds,
        date: `${new Date().toISOString().slice(0, 19)}Z`,
        tool: `wgemm ${core.call<{ wgemm: string }>('version').wgemm}`,
      }),
  };
}

/** What the core asks of a trial. */
function toldOf({ kernel, split_k, seconds }: Trial): Pick<Trial, 'kernel' | 'split_k' | 'seconds'> {
  return { kernel, split_k, seconds };
}
