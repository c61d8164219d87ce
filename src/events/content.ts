import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

const binding = z.strictObject({
  markId: z.string(),
  markCode: z.string(),
  objectType: z.string(),
  objectId: z.string(),
  source: z.string(),
  at: z.string(),
});

export const markBound = event('content.mark.bound', binding);
export const markUnbound = event('content.mark.unbound', binding);

export const promotionTagChanged = event(
  'content.promotionTag.changed',
  z.strictObject({
    tagId: z.string(),
    name: z.string(),
    colour: z.nullable(z.string()),
    validFrom: z.nullable(z.string()),
    validTo: z.nullable(z.string()),
    state: z.string(),
  }),
);

export const markChanged = event(
  'content.mark.changed',
  z.strictObject({
    markId: z.string(),
    markCode: z.string(),
    name: z.string(),
    colour: z.nullable(z.string()),
    objectType: z.string(),
    state: z.string(),
  }),
);

export const pageReleased = event('content.page.released', z.strictObject({ pageCode: z.string(), seq: z.int() }));

/** What is delivered in a place has changed. */
export const deliveryChanged = event('content.delivery.changed', z.strictObject({ pageCode: z.string(), positionCode: z.string() }));
