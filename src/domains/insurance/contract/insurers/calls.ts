import * as z from 'zod/mini';
import { mobileForm } from '#kernel/contract/plainText.ts';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, instantOut, optionalText, several, text, version, personName } from '#kernel/contract/fields.ts';
import { ADDED, CHANGED, DELETED, declareService, nothing } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { insurerPermissions as may } from '../permissions.ts';
import { auditModes, contactRoles, fundModes, insurerStates, insurerTypes, invoiceVariants } from './dictionaries.ts';

const insurerService = declareService('InsurerService', 'product');

const filter = {
  insurerName: z.optional(text('保司名称', 60)),
  insurerCode: z.optional(text('保司编码', 12)),
  insurerType: field('保司类型', z.optional(several(insurerTypes.schema))),
  status: field('状态', z.optional(several(insurerStates.dictionary.schema))),
};

/** A number that is shown masked comes back masked where nobody typed another. */
const mobile = field(
  '手机号',
  z.string('请输入手机号').check(z.overwrite(mobileForm), z.regex(/^(1[3-9]\d{9}|1\d{2}\*{4}\d{4})?$/, '请输入11位手机号码')),
);
export const insurerContact = z.strictObject({
  name: personName('联系人', 30, 1),
  role: field('职责', contactRoles.schema),
  mobile: z._default(mobile, ''),
});

const facts = {
  insurerCode: field(
    '保司编码',
    z.string('请输入保司编码').check(z.trim(), z.regex(/^[A-Z0-9]{2,12}$/, '保司编码须为2-12位大写字母或数字')),
  ),
  insurerName: text('保司名称', 60, 1),
  shortName: text('保司简称', 20, 1),
  insurerType: field('保司类型', insurerTypes.schema),
  uscc: field(
    '统一社会信用代码',
    z.string('请输入统一社会信用代码').check(z.trim(), z.toUpperCase(), z.length(18, '统一社会信用代码为18位')),
  ),
  licenceNo: optionalText('许可证号', 40),
  contacts: field('联系人', z._default(z.array(insurerContact).check(z.maxLength(10, '最多10个联系人')), [])),
  auditMode: field('审核方式', auditModes.schema),
  secondReviewFen: field(
    '复审起点金额',
    z._default(z.nullable(z.int('请输入复审起点金额').check(z.minimum(0, '复审起点金额不能小于0'), z.maximum(100_000_000_000))), null),
    { kind: 'money' },
  ),
  fundMode: field('资金方式', fundModes.schema),
  invoiceVariant: field('开票页面', invoiceVariants.schema),
};
export const insurerFacts = z.strictObject(facts);

const insurerRow = z.strictObject({
  id: idOut,
  insurerCode: field('保司编码', z.string(), { width: 110 }),
  insurerName: field('保司名称', z.string(), { width: 240 }),
  shortName: field('简称', z.string(), { width: 110 }),
  insurerType: field('类型', insurerTypes.schema, { width: 90 }),
  uscc: field('统一社会信用代码', z.string(), { width: 190 }),
  licenceNo: field('许可证号', z.string(), { width: 140 }),
  /** Numbers are masked. */
  contacts: z.array(z.strictObject({ name: z.string(), role: contactRoles.schema, mobile: z.string() })),
  auditMode: field('审核方式', auditModes.schema, { width: 150 }),
  secondReviewFen: field('复审起点金额', z.nullable(z.int()), { kind: 'money', width: 130 }),
  fundMode: field('资金方式', fundModes.schema, { width: 120 }),
  invoiceVariant: field('开票页面', invoiceVariants.schema, { width: 100 }),
  productCount: field('产品数', z.int(), { width: 80 }),
  status: field('状态', insurerStates.dictionary.schema),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type InsurerRow = z.output<typeof insurerRow>;

export const queryInsurerList = insurerService.list({
  operation: 'queryInsurerList',
  label: '查询保司',
  access: may['insurer.view'],
  filter: { ...filter, ...sortedBy('insurerCode', 'secondReviewFen', 'productCount', 'updatedAt') },
  output: insurerRow,
});
export const exportInsurerList = exportOf(queryInsurerList, {
  operation: 'exportInsurerList',
  label: '导出保司',
  access: may['insurer.view'],
});
export const addInsurer = insurerService.act({
  operation: 'addInsurer',
  label: '新增保司',
  access: may['insurer.edit'],
  ...ADDED,
  input: facts,
  output: actionAnswer,
});
export const modifyInsurer = insurerService.act({
  operation: 'modifyInsurer',
  label: '修改保司',
  access: may['insurer.edit'],
  ...CHANGED,
  input: { id, version, ...facts },
  output: actionAnswer,
});
export const delInsurer = insurerService.act({
  operation: 'delInsurer',
  label: '删除保司',
  access: may['insurer.edit'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});
export const setInsurerStatus = insurerService.act({
  operation: 'setInsurerStatus',
  label: '停用、启用保司',
  access: may['insurer.edit'],
  ...CHANGED,
  input: { id, version, action: field('操作', z.enum(['disable', 'enable'], '操作不正确')), opinion: optionalText('意见', 200) },
  output: actionAnswer,
});
export const revealInsurerMobile = insurerService.reveal({
  operation: 'revealInsurerMobile',
  label: '查看保司联系人手机号',
  access: may['insurer.edit'],
  input: {
    index: field('联系人', z.int().check(z.minimum(0), z.maximum(9))),
  },
});
