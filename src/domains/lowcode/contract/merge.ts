import { isObject, step } from './words.ts';

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export interface Merged {
  value: unknown;
  /** Where both changed the same; `value` has mine there. */
  conflicts: string[];
}

const NOTHING = Symbol('nothing');

/**
 * What two people made of one definition, put together: what only one of them changed is his, what both changed differently is told. Lists
 * are put together place by place where all three are equally long; else they are one thing.
 */
export function merged(base: unknown, mine: unknown, theirs: unknown, pointer = ''): Merged {
  if (same(mine, theirs) || same(theirs, base)) return { value: mine, conflicts: [] };
  if (same(mine, base)) return { value: theirs, conflicts: [] };
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs) && base.length === mine.length && base.length === theirs.length) {
    const parts = base.map((one: unknown, at) => merged(one, mine[at], theirs[at], step(pointer, at)));
    return { value: parts.map(({ value }) => value), conflicts: parts.flatMap(({ conflicts }) => conflicts) };
  }
  if (!isObject(base) || !isObject(mine) || !isObject(theirs)) return { value: mine, conflicts: [pointer] };
  const made: [string, unknown][] = [];
  const conflicts: string[] = [];
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const [old, my, his] = [base, mine, theirs].map((of) => (key in of ? of[key] : NOTHING));
    const at = step(pointer, key);
    // One took it away.
    if (my === NOTHING || his === NOTHING) {
      const kept = my === NOTHING ? his : my;
      if (old === NOTHING) made.push([key, kept]);
      else if (!same(kept, old)) {
        conflicts.push(at);
        if (my !== NOTHING) made.push([key, my]);
      }
      continue;
    }
    const part = merged(old === NOTHING ? undefined : old, my, his, at);
    made.push([key, part.value]);
    conflicts.push(...part.conflicts);
  }
  return { value: Object.fromEntries(made), conflicts };
}
