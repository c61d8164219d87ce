/** What the processes of one deployment publish to each other. Nothing is kept: whoever was away asks the database. */
export interface NodeBus {
  /** Name of this process, another one at every start. */
  readonly node: string;
  /** Reaches the other processes, never this one. */
  publish(topic: string, payload: unknown): void;
  subscribe<P>(topic: string, hear: (payload: P, node: string) => void): void;
  /** Whether Redis is reached; null where none is configured. */
  redisUp(): boolean | null;
  close(): Promise<void>;
}

type Hear = (payload: unknown, node: string) => void;

/** Listeners by topic; shared by the ways of transport. */
export class Topics {
  readonly #heard = new Map<string, Hear[]>();

  /** What is heard on a topic is what this product's own processes publish there. */
  subscribe<P>(topic: string, hear: (payload: P, node: string) => void): void {
    const listener: Hear = (payload, node) => hear(payload as P, node);
    this.#heard.set(topic, [...(this.#heard.get(topic) ?? []), listener]);
  }

  deliver(topic: string, payload: unknown, node: string): void {
    for (const hear of this.#heard.get(topic) ?? []) hear(payload, node);
  }
}
