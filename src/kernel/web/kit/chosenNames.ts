import { createContext, use } from 'react';

/** Names of what one search field chose, by id. */
export type ChosenNames = Map<string, string>;

const byField = new WeakMap<object, ChosenNames>();

/** A search field is its declaration; the address and the calls know what it chose by id alone. */
export function chosenNamesOf(field: object): ChosenNames {
  const names = byField.get(field) ?? new Map<string, string>();
  byField.set(field, names);
  return names;
}

export const ChosenNamesContext = createContext<ChosenNames | null>(null);

/** Tells the search field around it, if there is one, the names of what is chosen, for the words about an export's filters. */
export function useChosenNames(chosen: readonly string[], options: Iterable<{ value: string; label?: string }>): void {
  const names = use(ChosenNamesContext);
  if (!names || chosen.length === 0) return;
  for (const { value, label } of options) if (label !== undefined && chosen.includes(value)) names.set(value, label);
}
