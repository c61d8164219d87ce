/** One step of a start that takes long enough to be reported. */
export interface StartStep {
  phase: 'cluster' | 'migrations' | 'reference' | 'demonstration';
  /** What it is about: a file, a list, a domain. */
  name: string;
  /** Its place among the steps of its phase, from 1. */
  at: number;
  of: number;
}

/** Told before every step that has something to do; throws `StartStopped` once the operator has asked for the end. */
export type OnStep = (step: StartStep) => void;

/** The operator ended a start that was under way; what its finished steps wrote stays. */
export class StartStopped extends Error {
  override readonly name = 'StartStopped';
}

/** For starts that nobody watches. */
export const ignoreStep: OnStep = () => {};
