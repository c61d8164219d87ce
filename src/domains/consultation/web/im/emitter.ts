import type { ImEvents } from '../../contract/im/client.ts';

type Handler = (event: never) => void;

/** Handlers of the client's events; one that throws does not keep the others from hearing. */
export class Emitter {
  readonly #handlers = new Map<keyof ImEvents, Set<Handler>>();

  on<E extends keyof ImEvents>(name: E, handler: (event: { name: E; data: ImEvents[E] }) => void): void {
    this.#handlers.set(name, (this.#handlers.get(name) ?? new Set()).add(handler));
  }

  off<E extends keyof ImEvents>(name: E, handler: (event: { name: E; data: ImEvents[E] }) => void): void {
    this.#handlers.get(name)?.delete(handler);
  }

  emit<E extends keyof ImEvents>(name: E, data: ImEvents[E]): void {
    for (const handler of this.#handlers.get(name) ?? []) {
      try {
        (handler as (event: { name: E; data: ImEvents[E] }) => void)({ name, data });
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  clear(): void {
    this.#handlers.clear();
  }
}
