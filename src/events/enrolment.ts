import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

/**
 * A mark of a person came into force, or ends on another day than it was to: it holds from the first to the last day, on none where the
 * last one is before the first. No products: all of the HMO line.
 */
export const specialUserChanged = event(
  'enrolment.specialUser.changed',
  z.strictObject({
    personKey: z.string(),
    markType: z.string(),
    productIds: z.array(z.string()),
    from: z.string(),
    to: z.string(),
  }),
);
