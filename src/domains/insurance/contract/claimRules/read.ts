import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, text, int4 } from '#kernel/contract/fields.ts';
import { completeGroup } from '#kernel/contract/rules/groups.ts';
import { claimTypes, materialTypes, productLines } from '../businessLines.ts';
import { documentPhases, productVersionStates } from '../documents/states.ts';
import { formularyModes } from '../model/dictionaries.ts';
import { benefit, limitGroup, plan, right } from '../model/document.ts';
import { claimRulePermissions } from '../permissions.ts';
import { ruleOutcomes, ruleTypes } from './dictionaries.ts';
import { claimRuleService } from './service.ts';

const claimRuleSeen = z.strictObject({
  id: idOut,
  ruleCode: z.string(),
  ruleName: z.string(),
  ruleType: ruleTypes.schema,
  benefitCodes: z.array(z.string()),
  claimTypes: z.array(claimTypes.schema),
  expression: completeGroup,
  sentence: z.string(),
  outcome: ruleOutcomes.schema,
  materialTypes: z.array(materialTypes.schema),
  reasonCode: z.nullable(z.string()),
  applicantText: z.string(),
  internalNote: z.string(),
  priority: z.int(),
  enabled: z.boolean(),
  version: z.int(),
});
export type ClaimRuleSeen = z.output<typeof claimRuleSeen>;

/** A claim that the terms are read for: the version that it is bound to, and what of its rules came into play. */
const claimSeen = z.strictObject({
  claimNo: z.string(),
  fired: z.array(z.strictObject({ ruleCode: z.string(), lineNos: z.array(z.int()) })),
});

const versionNamed = z.strictObject({ id: idOut, versionNo: z.int(), phase: documentPhases.schema, effectiveFrom: z.string() });

/** All that decides what a version pays: its terms in sentences, and the parts that they come from. */
export const queryClaimRules = claimRuleService.read({
  operation: 'queryClaimRules',
  label: '查询理赔规则',
  access: claimRulePermissions['claimRule.view'],
  input: {
    productVersionId: field('产品版本', z.optional(id)),
    productCode: z.optional(text('产品编码', 32)),
    versionNo: field('版本', z.optional(int4().check(z.minimum(1, '版本从1开始')))),
    /** The version that this claim is bound to, whatever else is named. */
    claimId: field('案件', z.optional(id)),
  },
  output: z.strictObject({
    productId: idOut,
    productCode: z.string(),
    productName: z.string(),
    productLine: productLines.schema,
    version: z.strictObject({
      ...versionNamed.shape,
      effectiveTo: z.nullable(z.string()),
      state: productVersionStates.dictionary.schema,
    }),
    /** The others of the product, newest first. */
    versions: z.array(versionNamed),
    readable: z.array(z.strictObject({ code: z.string(), title: z.string(), sentences: z.array(z.string()) })),
    plans: z.array(plan),
    benefits: z.array(benefit),
    groups: z.array(limitGroup),
    rights: z.array(right),
    rules: z.array(claimRuleSeen),
    formularies: z.array(
      z.strictObject({
        formularyId: idOut,
        formularyVersionId: idOut,
        name: z.string(),
        versionNo: z.int(),
        mode: formularyModes.schema,
        lineCount: z.int(),
      }),
    ),
    /** What its drug lists ask of the past: windows of quantities in days, and the days since the last purchase. */
    asks: z.strictObject({ windows: z.array(z.int()), interval: z.boolean() }),
    reasons: z.array(z.strictObject({ code: z.string(), label: z.string(), applicantText: z.string() })),
    claim: z.nullable(claimSeen),
    /** A version that is written may be changed by who edits products. */
    editable: z.boolean(),
  }),
});
