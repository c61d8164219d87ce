import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, text } from '#kernel/contract/fields.ts';
import { adjudicationInput } from '../adjudication/input.ts';
import { adjudicationResult } from '../adjudication/result.ts';
import { trialPermissions } from '../permissions.ts';
import { claimRuleService } from './service.ts';

/** A dry run; writes nothing. With a rider, what the main product leaves goes on to it. */
export const trialAdjudicate = claimRuleService.read({
  operation: 'trialAdjudicate',
  label: '理赔试算',
  access: trialPermissions['claimRule.trial'],
  input: {
    productVersionId: field('产品版本', id),
    input: field('理算输入', adjudicationInput),
    rider: field(
      '附加产品',
      z.optional(z.strictObject({ productVersionId: field('附加产品版本', id), planCode: text('附加产品计划', 64, 1) })),
    ),
  },
  output: z.strictObject({
    ...adjudicationResult.shape,
    rider: z.nullable(z.strictObject({ productName: z.string(), overflow: z.boolean(), result: adjudicationResult })),
  }),
});

/** Riders that a trial can be continued on: those linked to the product, with the version that counts. */
export const queryTrialRiders = claimRuleService.read({
  operation: 'queryTrialRiders',
  label: '查询可续赔的附加产品',
  access: trialPermissions['claimRule.trial'],
  input: { productVersionId: field('产品版本', id) },
  output: z.array(
    z.strictObject({
      linkId: idOut,
      productName: z.string(),
      productVersionId: idOut,
      versionNo: z.int(),
      overflow: z.boolean(),
      plans: z.array(z.strictObject({ planCode: z.string(), planName: z.string() })),
    }),
  ),
});
