import * as z from 'zod/mini';
import { textOrNull } from '#kernel/contract/fields.ts';
import { event } from '#kernel/contract/event.ts';

const id = z.string();

/** A medicine, its goods or a price in force changed. */
export const medicineChanged = event(
  'pharma.medicine.changed',
  z.strictObject({
    medicineId: id,
    medicineNo: z.string(),
    genericName: z.string(),
    brandName: textOrNull,
    approvalNo: z.string(),
    manufacturer: textOrNull,
    categoryCode: textOrNull,
    state: z.string(),
    rxRequired: z.boolean(),
    coldChain: z.boolean(),
    goods: z.array(
      z.strictObject({
        goodsCode: z.string(),
        packSpec: z.string(),
        packUnits: z.int(),
        unit: z.string(),
        state: z.string(),
        marketFen: z.nullable(z.int()),
      }),
    ),
  }),
);

export const agentChanged = event(
  'pharma.agent.changed',
  z.strictObject({
    agentId: id,
    agentNo: z.string(),
    name: z.string(),
    companyId: id,
    companyName: z.string(),
    rank: z.string(),
    parentId: textOrNull,
    productLineIds: z.array(id),
    adcodes: z.array(z.string()),
    state: z.string(),
    /** May be given new channels. */
    filingOk: z.boolean(),
  }),
);

/** One per successor, at the approval; acts on `effectiveOn`. */
export const agentHandedOver = event(
  'pharma.agent.handedOver',
  z.strictObject({
    handoverNo: z.string(),
    fromAgentId: id,
    toAgentId: id,
    reason: z.enum(['LEAVE', 'TRANSFER', 'AREA']),
    doctorIds: z.array(id),
    pairs: z.array(z.strictObject({ doctorId: id, productLineId: id })),
    channelIds: z.array(id),
    effectiveOn: z.string(),
  }),
);

export const agentLeft = event('pharma.agent.left', z.strictObject({ agentId: id, leftDate: z.string() }));

export const pharmaEvents = [medicineChanged, agentChanged, agentHandedOver, agentLeft] as const;
