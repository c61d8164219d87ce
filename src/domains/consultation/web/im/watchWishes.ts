/** Which conversations the tabs of one browser watch over the one connection that they share. */
export class WatchWishes {
  readonly #byConversation = new Map<string, Set<string>>();

  /** @returns whether the service must be told: it hears of an end only when no other tab watches. */
  wants(tab: string, { conversationID, on }: { conversationID: string; on: boolean }): boolean {
    const tabs = this.#byConversation.get(conversationID) ?? new Set();
    if (on) tabs.add(tab);
    else tabs.delete(tab);
    if (tabs.size > 0) this.#byConversation.set(conversationID, tabs);
    else this.#byConversation.delete(conversationID);
    return on || tabs.size === 0;
  }

  /** A tab is gone. @returns the conversations that nobody watches any more. */
  leave(tab: string): string[] {
    return [...this.#byConversation.keys()].filter(
      (conversationID) => this.#byConversation.get(conversationID)?.has(tab) && this.wants(tab, { conversationID, on: false }),
    );
  }
}
