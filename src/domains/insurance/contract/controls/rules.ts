import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, id, idOut, instantOut, several, text, version } from '#kernel/contract/fields.ts';
import { ADDED, CHANGED, COPIED, DELETED, nothing } from '#kernel/contract/service.ts';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { completeGroup } from '#kernel/contract/rules/groups.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { capSpec } from '../adjudication/spec.ts';
import { auditInput, auditRights } from '../documents/auditCall.ts';
import { controlRuleVersionStates, documentPhases } from '../documents/states.ts';
import { controlPermissions as may } from '../permissions.ts';
import { controlContent } from './content.ts';
import { controlModeWords, controlStageWords } from './dictionaries.ts';
import { hitCounts } from './modules.ts';
import { controlService } from './service.ts';

const ruleCode = field(
  '规则编码',
  z.string('请输入规则编码').check(z.trim(), z.regex(/^[A-Z0-9_-]{2,24}$/, '规则编码须为2-24位大写字母、数字、下划线或连字符')),
);

/** A rule by the version that speaks for it today: the one in force, else the one that will be, else the newest. */
const ruleRow = z.strictObject({
  id: idOut,
  ruleCode: field('规则编码', z.string(), { width: 130 }),
  ruleName: field('名称', z.string(), { width: 180 }),
  moduleId: idOut,
  moduleName: field('模块', z.string(), { width: 130 }),
  stage: field('环节', controlStageWords.schema, { width: 90 }),
  mode: field('方式', controlModeWords.schema, { width: 80 }),
  condition: field('条件摘要', z.string(), { width: 280 }),
  capText: field('限额', z.string(), { width: 150 }),
  effective: field('生效期', z.string(), { width: 190 }),
  phase: field('状态', documentPhases.schema, { width: 90 }),
  versionNo: field('版本', z.int(), { width: 60 }),
  ...hitCounts.shape,
  claimedFen: field('涉及金额', z.int(), { kind: 'money' }),
  /** Overturned too often. */
  review: field('建议复核', z.boolean(), { width: 90 }),
  versionId: idOut,
  version: z.int(),
  allowedActions: actionsOf(controlRuleVersionStates, 'insurance.controlRuleVersion', 'versionId'),
  /** A version that is still written or looked at. */
  openVersionId: z.nullable(idOut),
  openVersionNo: z.nullable(z.int()),
  everPublished: z.boolean(),
});
export type ControlRuleRow = z.output<typeof ruleRow>;

export const queryControlRuleList = controlService.list({
  operation: 'queryControlRuleList',
  label: '查询控费规则',
  access: may['control.view'],
  filter: {
    ...sortedBy('ruleCode', 'versionNo'),
    moduleId: field('模块', z.optional(id)),
    keyword: z.optional(text('编码或名称', 40)),
    mode: field('控费方式', z.optional(several(controlModeWords.schema))),
    phase: field('状态', z.optional(several(documentPhases.schema))),
    productId: field('适用产品', z.optional(id)),
    ownerUserId: field('负责人', z.optional(id)),
  },
  output: ruleRow,
});
export const exportControlRuleList = exportOf(queryControlRuleList, {
  operation: 'exportControlRuleList',
  label: '导出控费规则',
  access: may['control.view'],
});

const versionOut = z.strictObject({
  id: idOut,
  versionNo: z.int(),
  ruleName: z.string(),
  mode: controlModeWords.schema,
  expression: completeGroup,
  cap: z.nullable(capSpec),
  reasonCode: z.nullable(z.string()),
  applicantText: z.string(),
  internalNote: z.string(),
  effectiveFrom: z.string(),
  effectiveTo: z.nullable(z.string()),
  gapNote: z.string(),
  state: controlRuleVersionStates.dictionary.schema,
  phase: documentPhases.schema,
  changeNote: z.string(),
  makerName: z.nullable(z.string()),
  checkerName: z.nullable(z.string()),
  publishedAt: z.nullable(instantOut),
  pausedFrom: z.nullable(z.string()),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type ControlVersion = z.output<typeof versionOut>;

export const queryControlRuleDetail = controlService.read({
  operation: 'queryControlRuleDetail',
  label: '查询控费规则详情',
  access: may['control.view'],
  input: { ruleId: field('规则', id) },
  output: z.strictObject({
    id: idOut,
    ruleCode: z.string(),
    moduleId: idOut,
    moduleName: z.string(),
    stage: controlStageWords.schema,
    observeOnly: z.boolean(),
    enabled: z.boolean(),
    /** Newest first. */
    versions: z.array(versionOut),
    /** What was hit day by day in the last 30 days, as monitored and as acted. */
    days: z.array(z.strictObject({ day: z.string(), hits: z.int(), savedFen: z.int(), overturned: z.int() })),
  }),
});

const saved = z.strictObject({ ruleId: idOut, versionId: idOut, version: z.int() });
export const addControlRule = controlService.act({
  operation: 'addControlRule',
  label: '新增控费规则',
  access: may['control.edit'],
  ...ADDED,
  input: { moduleId: field('模块', id), ruleCode, ...controlContent },
  output: saved,
});
/** A draft that begins as a copy of the newest version. */
export const addControlRuleVersion = controlService.act({
  operation: 'addControlRuleVersion',
  label: '新建控费规则版本',
  access: may['control.edit'],
  ...ADDED,
  input: { ruleId: field('规则', id), effectiveFrom: field('生效日', z.optional(day)) },
  output: saved,
});
export const modifyControlRule = controlService.act({
  operation: 'modifyControlRule',
  label: '修改控费规则',
  access: may['control.edit'],
  ...CHANGED,
  input: { versionId: field('规则版本', id), version, ...controlContent },
  output: saved,
});
/** Drafts: a further version goes alone, the only one with its rule. */
export const removeControlRule = controlService.act({
  operation: 'removeControlRule',
  label: '删除控费规则',
  access: may['control.edit'],
  ...DELETED,
  input: { versionId: field('规则版本', id), version },
  output: nothing,
});
export const copyControlRule = controlService.act({
  operation: 'copyControlRule',
  label: '复制控费规则',
  access: may['control.edit'],
  ...COPIED,
  input: { ruleId: field('规则', id), moduleId: field('模块', z.optional(id)), ruleCode },
  output: saved,
});

const actions = ['submit', 'recall', 'approve', 'reject', 'withdraw', 'endVersion', 'pause', 'resume'] as const;
export type ControlAction = (typeof actions)[number];
export const auditControlRule = controlService.act({
  operation: 'auditControlRule',
  label: '提交、审核、停用控费规则',
  access: access.byAction(
    'action',
    { ...auditRights(may['control.edit'], may['control.audit']), pause: may['control.pause'], resume: may['control.audit'] },
    may['control.audit'],
  ),
  ...CHANGED,
  input: { ...auditInput, action: field('操作', z.enum(actions, '操作不正确')) },
  output: actionAnswer,
});
