import type { ImMessage } from '../../contract/im/types.ts';

const KEPT = 6_000;

/** Messages that this tab has met, by their ids; the same message is one object wherever pages hold it. */
export class MessageCache {
  readonly #byId = new Map<string, ImMessage>();
  /** Written here, by the client's own id. */
  readonly #own = new Map<string, ImMessage>();

  find(ID: string): ImMessage | null {
    return this.#byId.get(ID) ?? this.#own.get(ID) ?? null;
  }

  own(clientMsgId: string): ImMessage | null {
    return this.#own.get(clientMsgId) ?? null;
  }

  keepOwn(message: ImMessage): void {
    this.#own.set(message.clientMsgId, message);
  }

  dropOwn(clientMsgId: string): void {
    this.#own.delete(clientMsgId);
  }

  /** The stored message of a place, if this tab has met it. */
  of(conversationID: string, seq: number): ImMessage[] {
    return [...this.#byId.values()].filter((message) => message.sequence === seq && message.conversationID === conversationID);
  }

  /** Takes over what the service says of a message; @returns the one object. */
  merge(fresh: ImMessage): ImMessage {
    const known = this.#byId.get(fresh.ID) ?? (fresh.flow === 'out' ? this.#own.get(fresh.clientMsgId) : undefined);
    const message = known ? Object.assign(known, fresh) : fresh;
    delete message.fault;
    if (this.#byId.size >= KEPT) {
      // The oldest half is forgotten; pages keep what they show.
      for (const id of [...this.#byId.keys()].slice(0, KEPT / 2)) this.#byId.delete(id);
    }
    this.#byId.set(message.ID, message);
    return message;
  }
}
