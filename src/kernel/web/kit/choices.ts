import { useRef } from 'react';
import { useChosenNames } from './chosenNames.ts';

interface Option {
  value: string;
  label?: string;
}

/**
 * Choices of a select that is searched on the server: what was found, and before it what is chosen. A chosen one keeps
 * its label also when another keyword no longer finds it, or more are chosen than one call answers.
 */
export function useChoices<Of extends Option>(
  chosen: readonly string[],
  found: readonly Of[] | undefined,
  known: readonly Of[] | undefined,
): readonly Of[] {
  const seen = useRef(new Map<string, Of>());
  for (const option of [...(found ?? []), ...(known ?? [])]) seen.current.set(option.value, option);
  useChosenNames(chosen, seen.current.values());
  return choicesOf(chosen, found ?? [], seen.current);
}

/** Chosen ones whose names are still on their way, or could not be read, do not show as the numbers that they are. */
export function withNameless<Of extends Option & { label: string }>(
  options: readonly Of[],
  chosen: readonly string[],
  reading: boolean,
): readonly (Of | { value: string; label: string })[] {
  const named = new Set(options.map(({ value }) => value));
  return [
    ...options,
    ...chosen.filter((value) => !named.has(value)).map((value) => ({ value, label: reading ? '加载中…' : '（名称未读取到）' })),
  ];
}

export function choicesOf<Of extends Option>(
  chosen: readonly string[],
  found: readonly Of[],
  seen: ReadonlyMap<string, Of>,
): readonly Of[] {
  const kept = chosen.flatMap((value) => seen.get(value) ?? []);
  const there = new Set(kept.map(({ value }) => value));
  return [...kept, ...found.filter(({ value }) => !there.has(value))];
}
