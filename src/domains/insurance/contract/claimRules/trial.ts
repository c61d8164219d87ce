import { field } from '../../../../kernel/contract/field.ts';
import { id } from '../../../../kernel/contract/fields.ts';
import { adjudicationInput } from '../adjudication/input.ts';
import { adjudicationResult } from '../adjudication/result.ts';
import { trialPermissions } from '../permissions.ts';
import { claimRuleService } from './service.ts';

/** A dry run; writes nothing. */
export const trialAdjudicate = claimRuleService.read(
  'trialAdjudicate',
  '理赔试算',
  trialPermissions['claimRule.trial'],
  { productVersionId: field('产品版本', id), input: field('理算输入', adjudicationInput) },
  adjudicationResult,
);
