/** The service takes as many for one connection. */
const MOST = 100;

/** Whose coming and going the tabs of one browser want to hear of, for the one connection that they share. */
export class StatusWishes {
  readonly #byTab = new Map<string, readonly string[]>();

  /** Replaces what a tab wants; nothing for none. */
  set(tab: string, ids: readonly string[]): void {
    this.#byTab.delete(tab);
    if (ids.length > 0) this.#byTab.set(tab, ids);
  }

  /** Everybody that some tab wants; where that is too many, the latest wishes come first. */
  all(): string[] {
    return [...new Set([...this.#byTab.values()].toReversed().flat())].slice(0, MOST);
  }
}
