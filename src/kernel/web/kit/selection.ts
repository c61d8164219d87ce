import { useMemo, useRef, useSyncExternalStore } from 'react';

/** Chosen rows, outside the table's state: ticking one row renders one cell. */
export class Selection<Row> {
  #chosen: ReadonlyMap<string, Row> = new Map();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly snapshot = (): ReadonlyMap<string, Row> => this.#chosen;
  readonly has = (key: string): boolean => this.#chosen.has(key);

  set(rows: readonly (readonly [string, Row])[], chosen: boolean): void {
    const next = new Map(this.#chosen);
    for (const [key, row] of rows) {
      if (chosen) next.set(key, row);
      else next.delete(key);
    }
    this.#chosen = next;
    for (const listener of this.#listeners) listener();
  }

  clear(): void {
    if (this.#chosen.size === 0) return;
    this.#chosen = new Map();
    for (const listener of this.#listeners) listener();
  }
}

/** A selection that lives as long as the page. */
export function useSelection<Row>(): Selection<Row> {
  const ref = useRef<Selection<Row>>(null);
  return (ref.current ??= new Selection<Row>());
}

/** The chosen rows, for the toolbar of batch actions. */
export function useChosen<Row>(selection: Selection<Row>): readonly Row[] {
  const chosen = useSyncExternalStore(selection.subscribe, selection.snapshot);
  return useMemo(() => [...chosen.values()], [chosen]);
}
