import * as z from 'zod/mini';

/** One kind of outbox event: its name and the schema of its payload (docs/design/events.md is the list). */
export interface EventDeclaration<P extends z.ZodMiniType = z.ZodMiniType> {
  name: string;
  payload: P;
}

/** Declares an event `{domain}.{thing}.{pastVerb}`. */
export const event = <P extends z.ZodMiniType>(name: string, payload: P): EventDeclaration<P> => ({ name, payload });

/**
 * Number of a person or of an account in an event: what `Secrets.encrypt` made of it, which who consumes the event decrypts. The outbox
 * keeps its events, so none stands there in clear; a clear number is refused as it is published.
 */
export const cipher = z.string().check(z.regex(/^k[0-9a-f]{8}\.[\w-]{38,}$/));

export type PayloadOf<E> = E extends EventDeclaration<infer P> ? z.output<P> : never;

/** What a consumer gets: the payload and its place in its aggregate's history. */
export interface DeliveredEvent<P> {
  eventId: string;
  name: string;
  /** Commit time, ISO. */
  at: string;
  aggregateId: string;
  /** Gap-free per aggregate; an older one than already seen is to be ignored. */
  seq: number;
  payload: P;
}
