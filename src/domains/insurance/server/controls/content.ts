import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { canonicalJson } from '#kernel/contract/canonicalJson.ts';
import { completeGroup, type ConditionGroup, type DraftGroup } from '#kernel/contract/rules/groups.ts';
import { json } from '#kernel/server/database/json.ts';
import { capSpec, type ControlSpec } from '../../contract/adjudication/spec.ts';
import { capFault, isFelt, type ControlContent } from '../../contract/controls/content.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import type { ControlStage } from '../../contract/rules/variables.ts';
import { requireExpression } from '../claimRules/rules.ts';

const digest = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

const expressionOf = (stored: unknown) => z.parse(completeGroup, stored);
const capOf = (stored: unknown) => (stored === null || stored === undefined ? null : z.parse(capSpec, stored));

interface StoredVersion {
  id: string;
  ruleName: string;
  mode: ControlSpec['mode'];
  expression: unknown;
  cap: unknown;
  reasonCode: string | null;
  applicantText: string;
  internalNote: string;
  effectiveFrom: string;
  effectiveTo: string | null;
  gapNote: string;
}

export const contentOf = (row: StoredVersion): ControlContent => ({
  ruleName: row.ruleName,
  mode: row.mode,
  expression: expressionOf(row.expression),
  cap: capOf(row.cap),
  reasonCode: row.reasonCode,
  applicantText: row.applicantText,
  internalNote: row.internalNote,
  effectiveFrom: row.effectiveFrom,
  effectiveTo: row.effectiveTo,
  gapNote: row.gapNote,
});

export const expressionHashOf = (expression: ConditionGroup): string => digest(expression);

/** Of what decides and what is told; from when it counts is no part of it, so that a replay outlives a later date. */
export const controlHashOf = ({ ruleName, mode, expression, cap, reasonCode, applicantText, internalNote }: ControlContent): string =>
  digest({ ruleName, mode, expression, cap, reasonCode, applicantText, internalNote });

/** As adjudication and evaluation take a rule. */
export const controlSpecOf = (row: StoredVersion & { ruleCode: string; moduleCode: string; observeOnly: boolean }): ControlSpec => ({
  moduleCode: row.moduleCode,
  observeOnly: row.observeOnly,
  ruleCode: row.ruleCode,
  ruleName: row.ruleName,
  ruleVersionId: row.id,
  mode: row.mode,
  expression: expressionOf(row.expression),
  cap: capOf(row.cap),
  reasonCode: row.reasonCode,
  applicantText: row.applicantText,
});

/** The columns of a draft. Until it is resumed a rule runs from its first day on. */
export const contentColumns = (content: ControlContent) => ({
  ...content,
  expression: json(content.expression),
  expressionHash: expressionHashOf(content.expression),
  cap: content.cap === null ? null : json(content.cap),
  runningSince: content.effectiveFrom,
});

/** What the fields of a rule say together. @throws Refusal SCM12020–12022, 12027–12029, or at the field */
export function requireContent(
  facts: Omit<ControlContent, 'expression'> & { expression: DraftGroup },
  stage: ControlStage,
): ControlContent {
  const expression = requireExpression(facts.expression, stage);
  const fault = capFault(facts.mode, facts.cap, stage);
  if (fault === 'MISSING') throw refuse(insuranceErrors.CAP_MISSING);
  if (fault) throw refuseField(fault.path, fault.message);
  if (isFelt(facts.mode) && facts.applicantText === '') throw refuseField('applicantText', '请填写对客说明');
  if (facts.effectiveTo !== null && facts.effectiveTo < facts.effectiveFrom) throw refuseField('effectiveTo', '失效日不能早于生效日');
  return { ...facts, expression: expressionOf(expression) };
}
