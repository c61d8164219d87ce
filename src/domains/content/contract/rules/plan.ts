/** Days during which a removal by hand keeps rules from putting the mark back (R7). */
export const BLOCKED_DAYS = 30;

/** What stands of one object when a rule looks at it. */
export interface MarkState {
  /** The rule's conditions hold. */
  held: boolean;
  /** It carries the mark, whoever put it there. */
  carried: boolean;
  /** It carries the mark because this rule put it there. */
  own: boolean;
  /** Somebody took the mark away within the time that this keeps rules from it. */
  blocked: boolean;
  /** In a group of single choice: another mark of the group, and whether people or a rule put it there. */
  rival: 'NONE' | 'RULE' | 'PERSON';
  /** The group takes no more marks on one object. */
  full: boolean;
}

/** What a rule does to one object (R7): it never touches what people have decided. Pure; dry run, run and event call it alike. */
export function planOf(state: MarkState, removeWhenFalse: boolean): 'ADD' | 'REMOVE' | null {
  if (!state.held) return state.own && removeWhenFalse ? 'REMOVE' : null;
  if (state.carried || state.blocked || state.rival === 'PERSON') return null;
  // In the place of another rule's mark there is room.
  return state.full && state.rival === 'NONE' ? null : 'ADD';
}

/** Fewer changes than this are no measure. */
const LEAST = 20;
const MOST_DRIFT = 0.5;

interface Changes {
  toAdd: number;
  toRemove: number;
}

/** R8: how far a run's changes are from those that its dry run foresaw. */
export function driftOf(run: Changes, dry: Changes): number {
  const foreseen = dry.toAdd + dry.toRemove;
  return Math.abs(run.toAdd + run.toRemove - foreseen) / Math.max(foreseen, LEAST);
}

export const isAdrift = (run: Changes, dry: Changes): boolean => driftOf(run, dry) > MOST_DRIFT;

const MOST_CHANGES = 5_000;
const MOST_SHARE = 0.2;

/** How many objects a rule may change without a supervisor: a fifth of them, and never more than 5,000. */
export const changeLimit = (objects: number): number => Math.min(Math.floor(objects * MOST_SHARE), MOST_CHANGES);
