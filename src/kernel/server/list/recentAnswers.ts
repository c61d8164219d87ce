/** Questions whose answer is kept at most. */
const MOST = 500;
/** As long as somebody pages through a list or looks at it again. */
const KEPT_MS = 60_000;

/** What was found for a question within the last minute, in this process: a guess that may be wrong, never a fact. */
export class RecentAnswers<Answer> {
  readonly #kept = new Map<string, { answer: Answer; until: number }>();

  get(question: string): Answer | undefined {
    const found = this.#kept.get(question);
    return found && found.until > performance.now() ? found.answer : undefined;
  }

  /** The oldest goes where there are too many. */
  set(question: string, answer: Answer): void {
    this.#kept.delete(question);
    this.#kept.set(question, { answer, until: performance.now() + KEPT_MS });
    if (this.#kept.size > MOST) for (const [oldest] of this.#kept) return void this.#kept.delete(oldest);
  }
}
