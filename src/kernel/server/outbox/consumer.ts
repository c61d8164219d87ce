import type { DeliveredEvent, EventDeclaration, PayloadOf } from '../../contract/event.ts';
import type { Consumer, ConsumerContext } from '../kernel.ts';

export type { Consumer, ConsumerContext } from '../kernel.ts';

export const consumer = <E extends EventDeclaration>(
  domain: string,
  event: E,
  run: (event: DeliveredEvent<PayloadOf<E>>, ctx: ConsumerContext) => Promise<void>,
): Consumer => ({ domain, event, run: (delivered, ctx) => run(delivered as DeliveredEvent<PayloadOf<E>>, ctx) });
