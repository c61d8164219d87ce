import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { declareService } from '#kernel/contract/service.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  fen,
  id,
  idOut,
  instantOut,
  opinion,
  optionalText,
  several,
  text,
  version,
  mobileText,
  wholeText,
} from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { changeActions, changeMachine, MOST_CARDS_AT_ONCE } from '../cardDictionaries.ts';
import { lotKinds } from '../dictionaries.ts';
import { cardPermissions as may } from '../permissions.ts';
import { cardMachine } from '../states.ts';

const service = declareService('CardService');

/** One thing that a change changes, in words. */
const difference = z.strictObject({ label: z.string(), before: z.string(), after: z.string() });

export const changeRow = z.strictObject({
  id: idOut,
  changeNo: field('变更单号', z.string(), { width: 160 }),
  action: field('变更类型', changeActions.schema, { width: 100 }),
  cardId: idOut,
  cardNo: field('卡号', z.string(), { width: 180 }),
  cardTypeName: field('卡种', z.string(), { width: 160 }),
  holderName: field('持卡人', z.nullable(z.string()), { width: 90, mask: 'name' }),
  cardState: field('卡状态', cardMachine.dictionary.schema, { width: 90 }),
  summary: field('变更内容', z.string(), { width: 240 }),
  differences: z.array(difference),
  reason: field('申请理由', z.string(), { width: 200 }),
  evidenceFileIds: z.array(idOut),
  status: changeMachine.dictionary.schema,
  requestedBy: field('申请人', z.string(), { width: 90 }),
  requestedById: idOut,
  createdAt: field('申请时间', instantOut),
  decidedBy: field('审批人', z.nullable(z.string()), { width: 90 }),
  decidedOpinion: field('审批意见', z.nullable(z.string()), { width: 160 }),
  decidedAt: field('审批时间', z.nullable(instantOut)),
  version: z.int(),
  allowedActions: actionsOf(changeMachine),
});
export type ChangeRow = z.output<typeof changeRow>;

export const queryCardChangeList = service.list({
  operation: 'queryCardChangeList',
  label: '查询卡变更',
  access: may['card.view'],
  filter: {
    ...sortedBy('changeNo', 'createdAt'),
    changeNo: z.optional(wholeText('变更单号', 40)),
    cardNo: z.optional(wholeText('卡号', 24)),
    cardId: field('卡', z.optional(id)),
    action: field('变更类型', z.optional(several(changeActions.schema))),
    status: field('状态', z.optional(several(changeMachine.dictionary.schema))),
    requestedBy: z.optional(text('申请人', 40)),
    dateFrom: field('申请时间起', z.optional(day)),
    dateTo: field('申请时间止', z.optional(day)),
  },
  output: changeRow,
});
export const exportCardChangeList = exportOf(queryCardChangeList, {
  operation: 'exportCardChangeList',
  label: '导出卡变更',
  access: may['card.export'],
});

/** Asks for a change of one card or the same change of many; each is passed by itself. */
export const addCardChange = service.act({
  operation: 'addCardChange',
  label: '申请卡变更',
  access: may['change.edit'],
  secrets: ['mobile'],
  input: {
    cardIds: field(
      '卡',
      z.array(id).check(z.minLength(1, '请选择卡'), z.maxLength(MOST_CARDS_AT_ONCE, `一次最多${MOST_CARDS_AT_ONCE}张卡`)),
    ),
    version: field('版本号', z.optional(version)),
    action: field('变更类型', changeActions.schema),
    expireOn: field('新失效日期', z.optional(day)),
    newCardNo: field('新卡号', optionalText('新卡号', 24)),
    lotKind: field('资金类型', z.optional(lotKinds.schema)),
    amount: field('调增金额', z.optional(fen.check(z.minimum(1, '调增金额须大于0'), z.maximum(100_000_000, '调增金额不能大于100万元')))),
    mobile: field('新手机号', z.optional(mobileText('请输入正确的手机号'))),
    evidenceFileIds: field('依据附件', z._default(z.array(id).check(z.maxLength(5, '最多5个附件')), [])),
    reason: field('申请理由', text('申请理由', 500, 2)),
  },
  output: z.strictObject({
    made: z.array(z.strictObject({ id: idOut, changeNo: z.string(), cardId: idOut, version: z.int() })),
    failures: z.array(z.strictObject({ cardId: idOut, cardNo: z.string(), message: z.string() })),
  }),
});

const answer = z.strictObject({ id: idOut, changeNo: z.string(), status: changeMachine.dictionary.schema, version: z.int() });
export const auditCardChange = service.act({
  operation: 'auditCardChange',
  label: '审批卡变更',
  access: may['change.approve'],
  idempotency: 'required',
  input: {
    changeId: field('变更单', id),
    version,
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    opinion: optionalText('意见', 500),
  },
  output: answer,
});
export const withdrawCardChange = service.act({
  operation: 'withdrawCardChange',
  label: '撤销卡变更',
  access: may['change.edit'],
  input: { changeId: field('变更单', id), version, opinion: z.optional(opinion) },
  output: answer,
});
