import { useRef } from 'react';

interface Option {
  value: string;
}

/**
 * Choices of a select that is searched on the server: what was found, and before it what is chosen. A chosen one keeps
 * its label also when another keyword no longer finds it, or more are chosen than one call answers.
 */
export function useChoices<Of extends Option>(chosen: readonly string[], found: readonly Of[] | undefined, known: readonly Of[] | undefined): readonly Of[] {
  const seen = useRef(new Map<string, Of>());
  for (const option of [...(found ?? []), ...(known ?? [])]) seen.current.set(option.value, option);
  return choicesOf(chosen, found ?? [], seen.current);
}

export function choicesOf<Of extends Option>(chosen: readonly string[], found: readonly Of[], seen: ReadonlyMap<string, Of>): readonly Of[] {
  const kept = chosen.flatMap((value) => seen.get(value) ?? []);
  const there = new Set(kept.map(({ value }) => value));
  return [...kept, ...found.filter(({ value }) => !there.has(value))];
}
