import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, id, idOut, instantOut, optionalText, text, version } from '#kernel/contract/fields.ts';
import { ADDED, CHANGED, DELETED, declareService, nothing } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { auditInput, auditRights } from '../documents/auditCall.ts';
import { documentPhases, formularyVersionStates } from '../documents/states.ts';
import { formularyPermissions as may } from '../permissions.ts';

export const formularyService = declareService('FormularyService', 'product');

export const formularyFacts = z.strictObject({
  formularyCode: field(
    '目录编码',
    z.string('请输入目录编码').check(z.trim(), z.regex(/^[A-Z0-9_-]{2,32}$/, '目录编码须为2-32位大写字母、数字、下划线或连字符')),
  ),
  name: text('目录名称', 60, 1),
  insurerId: field('保司', z._default(z.nullable(id), null)),
});
const facts = formularyFacts.shape;

const formularyRow = z.strictObject({
  id: idOut,
  formularyCode: field('目录编码', z.string(), { width: 150 }),
  name: field('目录名称', z.string(), { width: 220 }),
  insurerId: z.nullable(idOut),
  insurerName: field('保司', z.nullable(z.string()), { width: 180 }),
  currentText: field('当前版本', z.string(), { width: 210 }),
  nextText: field('下一版本', z.string(), { width: 210 }),
  lineCount: field('药品行数', z.int(), { width: 90 }),
  benefitCount: field('引用责任数', z.int(), { width: 100 }),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
});
export type FormularyRow = z.output<typeof formularyRow>;

export const queryFormularyList = formularyService.list({
  operation: 'queryFormularyList',
  label: '查询药品目录',
  access: may['formulary.view'],
  filter: {
    ...sortedBy('formularyCode', 'benefitCount', 'updatedAt'),
    keyword: z.optional(text('编码或名称', 60)),
    insurerId: field('保司', z.optional(id)),
  },
  output: formularyRow,
});
export const exportFormularyList = exportOf(queryFormularyList, {
  operation: 'exportFormularyList',
  label: '导出药品目录清单',
  access: may['formulary.view'],
});

const saved = z.strictObject({ id: idOut, version: z.int() });
export const addFormulary = formularyService.act({
  operation: 'addFormulary',
  label: '新增药品目录',
  access: may['formulary.edit'],
  ...ADDED,
  input: facts,
  output: saved,
});
export const modifyFormulary = formularyService.act({
  operation: 'modifyFormulary',
  label: '修改药品目录',
  access: may['formulary.edit'],
  ...CHANGED,
  input: { id, version, ...facts },
  output: saved,
});

const formularyVersionSeen = z.strictObject({
  id: idOut,
  versionNo: z.int(),
  effectiveFrom: z.string(),
  effectiveTo: z.nullable(z.string()),
  state: formularyVersionStates.dictionary.schema,
  phase: documentPhases.schema,
  gapNote: z.string(),
  changeNote: z.string(),
  makerId: z.nullable(idOut),
  makerName: z.nullable(z.string()),
  checkerName: z.nullable(z.string()),
  lineCount: z.int(),
  version: z.int(),
  allowedActions: actionsOf(formularyVersionStates),
});
export type FormularyVersionSeen = z.output<typeof formularyVersionSeen>;

export const queryFormularyDetail = formularyService.read({
  operation: 'queryFormularyDetail',
  label: '查询药品目录详情',
  access: may['formulary.view'],
  input: { formularyId: field('药品目录', id) },
  output: z.strictObject({
    formulary: z.strictObject({ ...facts, id: idOut, insurerId: z.nullable(idOut), insurerName: z.nullable(z.string()), version: z.int() }),
    versions: z.array(formularyVersionSeen),
    timeline: trail,
  }),
});

const savedVersion = z.strictObject({ formularyVersionId: idOut, version: z.int() });
/** A copy of another version with its lines where one is named; an empty draft else. */
export const addFormularyVersion = formularyService.act({
  operation: 'addFormularyVersion',
  label: '新建目录版本',
  access: may['formulary.edit'],
  ...ADDED,
  input: { formularyId: field('药品目录', id), copyFrom: field('复制自', z.optional(id)), effectiveFrom: field('生效日', day) },
  output: savedVersion,
});
export const modifyFormularyVersion = formularyService.act({
  operation: 'modifyFormularyVersion',
  label: '修改目录版本',
  access: may['formulary.edit'],
  ...CHANGED,
  input: {
    formularyVersionId: field('目录版本', id),
    version,
    effectiveFrom: field('生效日', day),
    effectiveTo: field('失效日', z._default(z.nullable(day), null)),
    gapNote: optionalText('停售说明', 200),
  },
  output: savedVersion,
});
export const delFormularyVersion = formularyService.act({
  operation: 'delFormularyVersion',
  label: '删除目录版本',
  access: may['formulary.edit'],
  ...DELETED,
  input: { formularyVersionId: field('目录版本', id), version },
  output: nothing,
});
export const auditFormularyVersion = formularyService.act({
  operation: 'auditFormularyVersion',
  label: '提交、审核、撤回目录版本',
  access: access.byAction('action', auditRights(may['formulary.edit'], may['formulary.audit']), may['formulary.audit']),
  ...CHANGED,
  input: auditInput,
  output: actionAnswer,
});
export const diffFormularyVersion = formularyService.read({
  operation: 'diffFormularyVersion',
  label: '比较目录版本',
  access: may['formulary.view'],
  input: { fromId: field('原版本', id), toId: field('新版本', id) },
  output: z.strictObject({
    fromNo: z.int(),
    toNo: z.int(),
    differences: z.array(
      z.strictObject({
        change: z.enum(['ADDED', 'REMOVED', 'CHANGED']),
        label: z.string(),
        before: z.nullable(z.string()),
        after: z.nullable(z.string()),
      }),
    ),
  }),
});
