import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, optionalText, text, version } from '#kernel/contract/fields.ts';
import { ADDED, CHANGED, DELETED, nothing } from '#kernel/contract/service.ts';
import { productLines } from '../businessLines.ts';
import { controlPermissions as may } from '../permissions.ts';
import { controlStageWords } from './dictionaries.ts';
import { controlService } from './service.ts';

const ids = (label: string) => field(label, z.array(id).check(z.maxLength(200, `${label}最多200个`)));

const moduleFacts = {
  moduleName: text('模块名称', 40, 1),
  insurerIds: ids('适用保司'),
  productLines: field('适用业务线', z.array(productLines.schema).check(z.maxLength(productLines.codes.length))),
  productIds: ids('适用产品'),
  observeOnly: field('整体仅监控', z.boolean()),
  ownerUserId: field('负责人', z.nullable(id)),
  remark: optionalText('备注', 200),
};
const moduleCode = field(
  '模块编码',
  z.string('请输入模块编码').check(z.trim(), z.regex(/^[A-Z0-9_-]{2,24}$/, '模块编码须为2-24位大写字母、数字、下划线或连字符')),
);

/** What the rules of a module, or one rule, did in the last 30 days. */
export const hitCounts = z.strictObject({
  hits: field('近30天命中', z.int()),
  savedFen: field('节省金额', z.int(), { kind: 'money' }),
  overturnBp: field('推翻率', z.nullable(z.int()), { kind: 'rate' }),
});

const moduleRow = z.strictObject({
  id: idOut,
  moduleCode: z.string(),
  moduleName: z.string(),
  stage: controlStageWords.schema,
  insurerIds: z.array(idOut),
  productLines: z.array(productLines.schema),
  productIds: z.array(idOut),
  scopeText: z.string(),
  observeOnly: z.boolean(),
  ownerUserId: z.nullable(idOut),
  ownerName: z.nullable(z.string()),
  enabled: z.boolean(),
  remark: z.string(),
  rules: z.int(),
  version: z.int(),
  ...hitCounts.shape,
});
export type ControlModuleRow = z.output<typeof moduleRow>;

export const queryControlModuleList = controlService.read({
  operation: 'queryControlModuleList',
  label: '查询控费模块',
  access: may['control.view'],
  input: {},
  output: z.array(moduleRow),
});

export const addControlModule = controlService.act({
  operation: 'addControlModule',
  label: '新增控费模块',
  access: may['control.edit'],
  ...ADDED,
  input: { moduleCode, stage: field('环节', controlStageWords.schema), ...moduleFacts },
  output: actionAnswer,
});
/** The stage stays: its variables are those of the rules. */
export const modifyControlModule = controlService.act({
  operation: 'modifyControlModule',
  label: '修改控费模块',
  access: may['control.edit'],
  ...CHANGED,
  input: { id, version, ...moduleFacts },
  output: actionAnswer,
});
export const removeControlModule = controlService.act({
  operation: 'removeControlModule',
  label: '删除控费模块',
  access: may['control.edit'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});
export const sortControlModule = controlService.act({
  operation: 'sortControlModule',
  label: '排序控费模块',
  access: may['control.edit'],
  ...CHANGED,
  input: { ids: field('模块顺序', z.array(id).check(z.minLength(1, '请选择模块'), z.maxLength(200))) },
  output: nothing,
});
export const setControlModuleEnabled = controlService.act({
  operation: 'setControlModuleEnabled',
  label: '启用停用控费模块',
  access: may['control.pause'],
  ...CHANGED,
  input: { id, version, enabled: field('启用', z.boolean()), opinion: text('意见', 200, 1) },
  output: actionAnswer,
});
