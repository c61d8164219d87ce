/** What the processes of one deployment tell each other. Nothing is kept: whoever was away asks the database. */
export interface NodeBus {
  /** Name of this process, another one at every start. */
  readonly node: string;
  /** Reaches the other processes, never this one. */
  publish(topic: string, payload: unknown): void;
  subscribe(topic: string, hear: (payload: never, node: string) => void): void;
  close(): Promise<void>;
}

type Hear = (payload: never, node: string) => void;

/** Listeners by topic; shared by the ways of transport. */
export class Topics {
  readonly #heard = new Map<string, Hear[]>();

  subscribe(topic: string, hear: Hear): void {
    this.#heard.set(topic, [...(this.#heard.get(topic) ?? []), hear]);
  }

  deliver(topic: string, payload: unknown, node: string): void {
    for (const hear of this.#heard.get(topic) ?? []) hear(payload as never, node);
  }
}
