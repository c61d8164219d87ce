import type { Instant } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Writing } from '#kernel/server/context.ts';

/** Somebody of the demonstration who acts; the trail names him. */
export const actorOf = (writing: Writing, now: Instant, actorName: string): Acting => ({
  ...asSystem(writing, { now, traceId: 'demo' }),
  actorName,
});
