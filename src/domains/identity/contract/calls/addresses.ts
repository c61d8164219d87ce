import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { text } from '#kernel/contract/fields.ts';

export const inputTips = call({
  host: 'gateway',
  service: 'MapService',
  operation: 'inputTips',
  method: 'GET',
  shape: 'data',
  kind: 'query',
  input: z.strictObject({ keywords: text('关键字', 50, 2), city: z.optional(text('城市', 20)) }),
  output: z.strictObject({
    tips: z.array(
      z.strictObject({
        name: z.string(),
        address: z.string(),
        adcode: z.string(),
        lng: z.nullable(z.number()),
        lat: z.nullable(z.number()),
      }),
    ),
  }),
  access: access.session,
  label: '地址联想',
});
