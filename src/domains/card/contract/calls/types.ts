import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { COPIED, declareService } from '#kernel/contract/service.ts';
import { field } from '#kernel/contract/field.ts';
import { fen, id, idOut, instantOut, several, text, version } from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { bizLines, cardKinds, funders, fundingModes } from '../dictionaries.ts';
import { cardPermissions as may } from '../permissions.ts';
import { cardTerms, storedTerms, termRules } from '../terms.ts';
import { typeMachine, withdrawnProducts } from '../typeDictionaries.ts';

const service = declareService('CardTypeService');
const edit = may['type.edit'];
const view = may['card.view'];

const row = z.strictObject({
  id: idOut,
  typeCode: field('编码', z.string(), { width: 130 }),
  typeName: field('名称', z.string(), { width: 200 }),
  kind: field('类型', cardKinds.schema, { width: 90 }),
  bizLine: field('业务线', bizLines.schema, { width: 80 }),
  funder: field('出资方类型', funders.schema, { width: 100 }),
  funderId: z.nullable(idOut),
  funderName: field('出资方', z.string(), { width: 160 }),
  fundingMode: field('结算方式', fundingModes.schema, { width: 110 }),
  productCode: field('产品', z.nullable(z.string()), { width: 110 }),
  productState: field('产品停售', z.nullable(withdrawnProducts.schema), { width: 90 }),
  validity: field('有效期规则', z.string(), { width: 180 }),
  issuedCount: field('已发卡数', z.int(), { width: 90 }),
  activeCount: field('使用中', z.int(), { width: 80 }),
  available: field('可用余额', fen),
  spent: field('已核销', fen),
  status: field('状态', typeMachine.dictionary.schema),
  ruleVersion: field('规则版本', z.int(), { width: 90 }),
  terms: storedTerms,
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type CardTypeRow = z.output<typeof row>;

export const queryCardTypeList = service.list({
  operation: 'queryCardTypeList',
  label: '查询卡种',
  access: view,
  filter: {
    ...sortedBy('typeCode', 'issuedCount', 'activeCount', 'available', 'spent'),
    keyword: z.optional(text('编码或名称', 40)),
    kind: field('类型', z.optional(several(cardKinds.schema))),
    bizLine: field('业务线', z.optional(bizLines.schema)),
    productCode: z.optional(text('产品', 40)),
    funder: field('出资方类型', z.optional(funders.schema)),
    funderName: z.optional(text('出资方', 60)),
    fundingMode: field('结算方式', z.optional(fundingModes.schema)),
    status: field('状态', z.optional(typeMachine.dictionary.schema)),
  },
  output: row,
});
export const exportCardTypeList = exportOf(queryCardTypeList, {
  operation: 'exportCardTypeList',
  label: '导出卡种',
  access: may['card.export'],
});

const facts = {
  typeName: field('名称', text('卡种名称', 40, 1)),
  bizLine: field('业务线', bizLines.schema),
  funder: field('出资方类型', funders.schema),
  /** Of the register of its kind; a new name of an insurer or an enterprise comes without. */
  funderId: field('出资方', z._default(z.nullable(id), null)),
  funderName: field('出资方', z._default(text('出资方', 60), '')),
  fundingMode: field('结算方式', fundingModes.schema),
  productCode: field('产品', z._default(z.nullable(text('产品', 40)), null)),
  ...cardTerms,
};
export const typeLabels = {
  typeName: '名称',
  bizLine: '业务线',
  funder: '出资方类型',
  funderName: '出资方',
  fundingMode: '结算方式',
  productCode: '产品',
} as const;
const answer = z.strictObject({ id: idOut, version: z.int() });
type Facts = z.output<z.ZodMiniObject<typeof facts>>;
const rules = [
  ...termRules,
  between<Facts>(['funder', 'funderId'], ({ funder, funderId }) => funder !== 'PHARMA' || funderId !== null, '请选择出资药企'),
  between<Facts>(
    ['funder', 'funderName', 'funderId'],
    ({ funder, funderName, funderId }) => !['INSURER', 'SPONSOR'].includes(funder) || funderId !== null || funderName !== '',
    '请选择出资方',
  ),
];

export const addCardType = service.act({
  operation: 'addCardType',
  label: '新增卡种',
  access: edit,
  message: '添加成功!',
  input: z
    .strictObject({
      typeCode: field('编码', text('卡种编码', 20, 2).check(z.regex(/^[A-Z0-9-]+$/, '编码只能是大写字母、数字和短横线'))),
      kind: field('类型', cardKinds.schema),
      ...facts,
    })
    .check(...rules),
  output: answer,
});
export const modifyCardType = service.act({
  operation: 'modifyCardType',
  label: '修改卡种',
  access: edit,
  input: z.strictObject({ id, version, ...facts }).check(...rules),
  output: answer,
});
const ofVersion = { id, version };
export const enableCardType = service.act({
  operation: 'enableCardType',
  label: '启用卡种',
  access: edit,
  input: ofVersion,
  output: answer,
});
export const disableCardType = service.act({
  operation: 'disableCardType',
  label: '停用卡种',
  access: edit,
  input: ofVersion,
  output: answer,
});
export const copyCardType = service.act({
  operation: 'copyCardType',
  label: '复制卡种',
  access: edit,
  ...COPIED,
  input: {
    id,
    typeCode: field('新编码', text('新编码', 20, 2).check(z.regex(/^[A-Z0-9-]+$/, '编码只能是大写字母、数字和短横线'))),
  },
  output: answer,
});
export const queryCardTypeVersions = service.read({
  operation: 'queryCardTypeVersions',
  label: '查询卡种版本',
  access: view,
  input: { id },
  output: z.array(
    z.strictObject({
      ruleVersion: z.int(),
      changedBy: z.string(),
      changedAt: z.nullable(instantOut),
      batchCount: z.int(),
      /** Against the version before, in words. */
      changes: z.array(z.strictObject({ label: z.string(), before: z.string(), after: z.string() })),
    }),
  ),
});
