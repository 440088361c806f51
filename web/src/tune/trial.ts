// One configuration, tried on one problem.

/** What became of it: only `ok` has a time. */
export type TrialStatus =
  | 'ok'
  | 'wrong' // its product differs from that of `naive`
  | 'unsupported' // the device lacks something
  | 'failed' // it could not be run although it should
  | 'device_lost'; // the device was gone before it was done

export interface Trial {
  /** Full name */
  kernel: string;
  /** Parts of k */
  split_k: number;
  status: TrialStatus;
  /** Why the status is not ok; else empty */
  reason: string;
  /** Median of one product; 0 where the status is not ok */
  seconds: number;
  /** Interquartile range over median; 0 where the status is not ok */
  spread: number;
  /** Whose times these are: the device's own, or the page's, which include submitting and waiting */
  clock: 'gpu' | 'wall';
  /** By the planner's model */
  estimated_seconds: number;
  /** What the planner chooses without measured choices */
  heuristic: boolean;
  /** Known from an earlier search */
  resumed: boolean;
}
