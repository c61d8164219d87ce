import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

const id = z.string();
const dayOrNull = z.nullable(z.string());

const version = z.strictObject({
  productId: id,
  productVersionId: id,
  productCode: z.string(),
  productLine: z.string(),
  effectiveFrom: z.string(),
  effectiveTo: dayOrNull,
});

export const productVersionPublished = event('insurance.productVersion.published', version);
export const productVersionWithdrawn = event('insurance.productVersion.withdrawn', version);

export const productStatusChanged = event(
  'insurance.product.statusChanged',
  z.strictObject({ productId: id, productCode: z.string(), from: z.string(), to: z.string() }),
);

/** Ids of medicines that came in, went out or are paid for otherwise than in the version before. */
export const formularyVersionPublished = event(
  'insurance.formularyVersion.published',
  z.strictObject({
    formularyId: id,
    versionId: id,
    effectiveFrom: z.string(),
    added: z.array(id),
    removed: z.array(id),
    changed: z.array(id),
  }),
);

/** A medicine stands on a published list for the first time. */
export const medicineUsed = event(
  'insurance.medicine.used',
  z.strictObject({ medicineId: id, formularyId: id, formularyName: z.string() }),
);

const controlRule = z.strictObject({ ruleId: id, ruleVersionId: id, stage: z.string(), mode: z.string() });
export const controlRulePublished = event('insurance.controlRule.published', controlRule);
export const controlRulePaused = event('insurance.controlRule.paused', controlRule);
export const controlRuleResumed = event('insurance.controlRule.resumed', controlRule);

export const insurerChanged = event(
  'insurance.insurer.changed',
  z.strictObject({
    insurerId: id,
    insurerName: z.string(),
    uscc: z.string(),
    invoiceVariant: z.string(),
    fundMode: z.string(),
    status: z.string(),
  }),
);
