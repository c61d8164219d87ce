import * as z from 'zod/mini';
import { access, call } from '../../../../kernel/contract/call.ts';
import { exportOf } from '../../../../kernel/contract/exportOf.ts';
import { field } from '../../../../kernel/contract/field.ts';
import { fen, id, idOut, instantOut, paging, several, text, version } from '../../../../kernel/contract/fields.ts';
import { bizLines, cardKinds, funders, fundingModes } from '../dictionaries.ts';
import { cardPermissions as may } from '../permissions.ts';
import { cardTerms, termsSchema } from '../terms.ts';
import { typeMachine } from '../typeDictionaries.ts';

const service = 'CardTypeService';
const host = 'admin';
const edit = access.permission(may['type.edit']);
const view = access.permission(may['card.view']);

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
  validity: field('有效期规则', z.string(), { width: 180 }),
  issuedCount: field('已发卡数', z.int(), { width: 90 }),
  activeCount: field('使用中', z.int(), { width: 80 }),
  available: field('可用余额', fen),
  spent: field('已核销', fen),
  status: field('状态', typeMachine.dictionary.schema),
  ruleVersion: field('规则版本', z.int(), { width: 90 }),
  terms: termsSchema,
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type CardTypeRow = z.output<typeof row>;

export const queryCardTypeList = call({
  host,
  service,
  operation: 'queryCardTypeList',
  kind: 'query',
  shape: 'list',
  label: '查询卡种',
  access: view,
  input: z.strictObject({
    ...paging,
    keyword: z.optional(text('编码或名称', 40)),
    kind: field('类型', z.optional(several(cardKinds.schema))),
    bizLine: field('业务线', z.optional(bizLines.schema)),
    productCode: z.optional(text('产品', 40)),
    funder: field('出资方类型', z.optional(funders.schema)),
    funderName: z.optional(text('出资方', 60)),
    fundingMode: field('结算方式', z.optional(fundingModes.schema)),
    status: field('状态', z.optional(typeMachine.dictionary.schema)),
  }),
  output: row,
});
export const exportCardTypeList = exportOf(queryCardTypeList, {
  operation: 'exportCardTypeList',
  label: '导出卡种',
  access: access.permission(may['card.export']),
});

const facts = {
  typeName: field('名称', text('卡种名称', 40, 1)),
  bizLine: field('业务线', bizLines.schema),
  funder: field('出资方类型', funders.schema),
  funderId: field('出资方编号', z._default(z.nullable(id), null)),
  funderName: field('出资方', text('出资方', 60, 1)),
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

export const addCardType = call({
  host,
  service,
  operation: 'addCardType',
  kind: 'command',
  shape: 'data',
  label: '新增卡种',
  message: '添加成功!',
  access: edit,
  input: z.strictObject({
    typeCode: field('编码', text('卡种编码', 20, 2).check(z.regex(/^[A-Z0-9-]+$/, '编码只能是大写字母、数字和短横线'))),
    kind: field('类型', cardKinds.schema),
    ...facts,
  }),
  output: answer,
});
export const modifyCardType = call({
  host,
  service,
  operation: 'modifyCardType',
  kind: 'command',
  shape: 'data',
  label: '修改卡种',
  access: edit,
  input: z.strictObject({ id, version, ...facts }),
  output: answer,
});
const turn = z.strictObject({ id, version });
export const enableCardType = call({
  host,
  service,
  operation: 'enableCardType',
  kind: 'command',
  shape: 'data',
  label: '启用卡种',
  access: edit,
  input: turn,
  output: answer,
});
export const disableCardType = call({
  host,
  service,
  operation: 'disableCardType',
  kind: 'command',
  shape: 'data',
  label: '停用卡种',
  access: edit,
  input: turn,
  output: answer,
});
export const copyCardType = call({
  host,
  service,
  operation: 'copyCardType',
  kind: 'command',
  shape: 'data',
  label: '复制卡种',
  message: '复制成功!',
  access: edit,
  input: z.strictObject({
    id,
    typeCode: field('新编码', text('新编码', 20, 2).check(z.regex(/^[A-Z0-9-]+$/, '编码只能是大写字母、数字和短横线'))),
  }),
  output: answer,
});
export const queryCardTypeVersions = call({
  host,
  service,
  operation: 'queryCardTypeVersions',
  kind: 'query',
  shape: 'data',
  label: '查询卡种版本',
  access: view,
  input: z.strictObject({ id }),
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
