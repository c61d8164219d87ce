import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { text } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';

const gateway = declareService('MapService', 'gateway');

export const inputTips = gateway.read({
  operation: 'inputTips',
  label: '地址联想',
  method: 'GET',
  access: access.session,
  input: { keywords: text('关键字', 50, 2), city: z.optional(text('城市', 20)) },
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
});
