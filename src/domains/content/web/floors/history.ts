/** States of a draft that can be gone back to, and those that were left behind by that. */
export interface History<State> {
  past: readonly State[];
  future: readonly State[];
}
export const noHistory = <State>(): History<State> => ({ past: [], future: [] });

const MOST = 50;

/** Something is about to be changed: the present can be come back to; what was taken back before is gone. */
export const kept = <State>(history: History<State>, present: State): History<State> => ({
  past: [...history.past, present].slice(-MOST),
  future: [],
});

/** The state before the present one. */
export function undone<State>({ past, future }: History<State>, present: State): { state: State; history: History<State> } | null {
  const state = past.at(-1);
  return state === undefined ? null : { state, history: { past: past.slice(0, -1), future: [present, ...future] } };
}

/** The state that was taken back last. */
export function redone<State>({ past, future }: History<State>, present: State): { state: State; history: History<State> } | null {
  const [state, ...rest] = future;
  return state === undefined ? null : { state, history: { past: [...past, present], future: rest } };
}
