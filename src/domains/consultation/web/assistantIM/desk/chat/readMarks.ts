const BATCH_MS = 1000;

interface Seen {
  conversationID: string;
  seq: number;
  isAtBottom: boolean;
  isLooking: boolean;
  /** A conversation that one only looks into moves no cursor. */
  counts: boolean;
}

/** Marks as read what was rendered while somebody looked at the end of the conversation; once a second at most. */
export class ReadMarks {
  readonly #mark: (conversationID: `GROUP${string}` | `C2C${string}`, readSeq: number) => void;
  #waiting: { conversationID: string; seq: number } | null = null;
  readonly #marked = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #last: Seen | null = null;

  constructor(mark: (conversationID: `GROUP${string}` | `C2C${string}`, readSeq: number) => void) {
    this.#mark = mark;
  }

  get isAtBottom(): boolean {
    return this.#last?.isAtBottom ?? true;
  }
  /** Somebody looks at the end: what comes now is seen. */
  get isWatching(): boolean {
    return (this.#last?.isAtBottom && this.#last.isLooking) ?? false;
  }

  seen(seen: Seen): void {
    this.#last = seen;
    if (!seen.counts || !seen.isAtBottom || !seen.isLooking || seen.seq <= (this.#marked.get(seen.conversationID) ?? 0)) return;
    this.#waiting = { conversationID: seen.conversationID, seq: seen.seq };
    this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (!waiting) return;
    this.#marked.set(waiting.conversationID, waiting.seq);
    this.#mark(waiting.conversationID as `GROUP${string}`, waiting.seq);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }
}
