import type { DeliveredEvent, EventDeclaration, PayloadOf } from '../../contract/event.ts';
import type { Writing } from '../context.ts';
import type { Instant } from '../../contract/time.ts';
import type { Kernel } from '../kernel.ts';

export interface ConsumerContext extends Writing {
  kernel: Kernel;
  now: Instant;
  traceId: string;
}

/** A domain's reaction to an event; runs once per event, in a transaction that it may share with others. It writes through that one alone. */
export interface Consumer {
  /** `{domain}` that consumes; with the event name it is unique. */
  domain: string;
  event: EventDeclaration;
  run(event: DeliveredEvent<unknown>, ctx: ConsumerContext): Promise<void>;
}

export const consumer = <E extends EventDeclaration>(
  domain: string,
  event: E,
  run: (event: DeliveredEvent<PayloadOf<E>>, ctx: ConsumerContext) => Promise<void>,
): Consumer => ({ domain, event, run: (delivered, ctx) => run(delivered as DeliveredEvent<PayloadOf<E>>, ctx) });
