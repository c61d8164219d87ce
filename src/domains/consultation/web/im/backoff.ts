const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/** Pause before the next try to connect: half a second, doubled up to ten, half more or less by chance. */
export const pauseBefore = (tries: number, chance: () => number = Math.random): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 10)) * (0.5 + chance());
