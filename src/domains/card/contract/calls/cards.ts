import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
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
  textOrNull,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { CHOSEN_REASONS, freezeReasons, MOST_CARDS_AT_ONCE } from '../cardDictionaries.ts';
import { cardKinds, fundingModes, funders, lotKinds } from '../dictionaries.ts';
import { lineStates } from '../grantStates.ts';
import { cardMachinePermissions as machine, cardPermissions as may } from '../permissions.ts';
import { cardMachine } from '../states.ts';
import { storedTerms } from '../terms.ts';
import { holdMachine, writeOffMachine } from '../useStates.ts';
import { changeRow } from './cardChanges.ts';

const service = declareService('CardService');
/** Signed by machine callers. */
const openService = declareService('CardOpenService', 'gateway');
const view = may['card.view'];
const freeze = may['card.freeze'];

const facts = {
  id: idOut,
  cardNo: field('卡号', z.string(), { width: 180 }),
  cardTypeId: idOut,
  cardTypeName: field('卡种', z.string(), { width: 180 }),
  kind: field('类型', cardKinds.schema, { width: 90 }),
  batchId: idOut,
  batchNo: field('批次', z.string(), { width: 150 }),
  holderName: field('持卡人', textOrNull, { width: 90, mask: 'name' }),
  holderMobile: field('手机', textOrNull, { width: 120 }),
  funderName: field('出资方', z.string(), { width: 130 }),
  productCode: field('产品', textOrNull, { width: 110 }),
  policyNo: field('保单号', textOrNull, { width: 150 }),
  available: field('可用', fen),
  held: field('预占', fen),
  spent: field('已用', fen),
  timesLeft: field('剩余次数', z.nullable(z.int()), { width: 90 }),
  state: field('状态', cardMachine.dictionary.schema),
  activatedAt: field('激活时间', z.nullable(instantOut)),
  expireAt: field('失效时间', z.nullable(instantOut)),
  frozenReason: field('冻结原因', z.nullable(freezeReasons.schema), { width: 100 }),
  pendingChangeNo: field('待审批变更', textOrNull, { width: 160 }),
  version: z.int(),
  allowedActions: z.array(z.string()),
};
const row = z.strictObject(facts);
export type CardRow = z.output<typeof row>;

/** Also as the text of a query string. */
const bound = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,12}$/, '金额须为数字'))]),
  z.pipe(z.transform(Number), fen.check(z.minimum(0, '金额不能小于0'))),
);
const filters = {
  cardTypeId: field('卡种', z.optional(id)),
  batchId: field('批次', z.optional(id)),
  cardNo: z.optional(wholeText('卡号', 24)),
  holderKeyword: z.optional(personName('持卡人', 40)),
  state: field('状态', z.optional(several(cardMachine.dictionary.schema))),
  mobile: z.optional(text('手机号', 20)),
  policyNo: z.optional(wholeText('保单号', 40)),
  contractId: field('合同', z.optional(id)),
  expireFrom: field('失效日期起', z.optional(day)),
  expireTo: field('失效日期止', z.optional(day)),
  balanceMin: field('余额不少于', z.optional(bound)),
  balanceMax: field('余额不多于', z.optional(bound)),
};
/** A holder is found by the whole name or the whole number, never by a part of it. */
export const queryCardList = service.list({
  operation: 'queryCardList',
  label: '查询卡信息',
  access: view,
  secrets: ['holderKeyword', 'mobile'],
  filter: { ...filters, ...sortedBy('cardNo') },
  output: row,
});
export const exportCardList = exportOf(queryCardList, {
  operation: 'exportExcel',
  method: 'GET',
  label: '导出卡信息',
  access: may['card.export'],
});
export const queryCardTotal = service.read({
  operation: 'queryCardTotal',
  label: '查询卡信息合计',
  access: view,
  secrets: ['holderKeyword', 'mobile'],
  input: filters,
  output: z.strictObject({ count: z.int(), available: fen, held: fen, spent: fen }),
});

const entry = z.strictObject({
  id: idOut,
  at: instantOut,
  no: z.string(),
  label: z.string(),
  kindLabel: z.string(),
  refNo: textOrNull,
  memo: z.string(),
  /** What came, and what went: fen of a stored-value card, times of the others. */
  income: z.int(),
  outgo: z.int(),
  balance: z.int(),
});
export type StatementEntry = z.output<typeof entry>;
const other = z.nullable(z.strictObject({ cardId: idOut, cardNo: z.string() }));

/** All of one card: value, lots, what set it aside and used it, what was changed on it. */
export const cardDetails = service.read({
  operation: 'cardDetails',
  label: '查询卡详情',
  method: 'GET',
  access: view,
  input: { cardId: field('卡', id) },
  output: z.strictObject({
    card: z.strictObject({
      ...facts,
      ruleVersion: z.int(),
      funder: funders.schema,
      fundingMode: fundingModes.schema,
      terms: storedTerms,
      principal: fen,
      bonus: fen,
      holderIdNo: textOrNull,
      patientId: z.nullable(idOut),
      contractId: z.nullable(idOut),
      issuedAt: z.nullable(instantOut),
      secretSetAt: z.nullable(instantOut),
      secretLockedUntil: z.nullable(instantOut),
      frozenBy: textOrNull,
      replacedBy: other,
      replaces: other,
    }),
    lots: z.array(
      z.strictObject({
        lotId: idOut,
        lotNo: z.string(),
        kind: lotKinds.schema,
        amount: fen,
        used: fen,
        held: fen,
        left: fen,
        expireAt: z.nullable(instantOut),
        funder: z.nullable(funders.schema),
        fundingMode: z.nullable(fundingModes.schema),
        nearest: z.boolean(),
        expired: z.boolean(),
      }),
    ),
    times: z.array(
      z.strictObject({
        benefitId: z.string(),
        benefitName: z.string(),
        left: z.int(),
        held: z.int(),
        used: z.int(),
        perMonthMax: z.nullable(z.int()),
      }),
    ),
    holds: z.array(
      z.strictObject({
        id: idOut,
        holdNo: z.string(),
        orderNo: z.string(),
        drugstoreName: textOrNull,
        amount: fen,
        times: z.int(),
        captured: fen,
        state: holdMachine.dictionary.schema,
        createdAt: instantOut,
        expireAt: instantOut,
      }),
    ),
    writeOffs: z.array(
      z.strictObject({
        id: idOut,
        writeOffNo: z.string(),
        orderNo: z.string(),
        merchantName: z.string(),
        goods: z.string(),
        amount: fen,
        times: z.int(),
        reversed: fen,
        state: writeOffMachine.dictionary.schema,
        doneAt: instantOut,
      }),
    ),
    grants: z.array(
      z.strictObject({
        id: idOut,
        grantId: idOut,
        grantNo: z.string(),
        amount: fen,
        bonus: fen,
        revokedAmount: fen,
        state: lineStates.schema,
        doneAt: z.nullable(instantOut),
      }),
    ),
    entries: z.array(entry),
    changes: z.array(changeRow),
    timeline: trail,
  }),
});
export type CardDetails = z.output<typeof cardDetails.output>;

export const optionTypes = ['CARD_TYPE', 'BATCH', 'MERCHANT', 'DRUGSTORE', 'CATEGORY', 'INSURER', 'SPONSOR'] as const;
export const querySelectOptions = service.read({
  operation: 'querySelectOptions',
  label: '查询卡选项',
  method: 'GET',
  access: access.session,
  input: {
    type: field('选项类型', z.enum(optionTypes, '选项类型不正确')),
    keyword: z.optional(text('关键字', 40)),
    ids: field('选项', z.optional(several(text('选项', 40), 500))),
  },
  output: z.array(z.strictObject({ value: z.string(), label: z.string() })),
});

const statementInput = {
  cardId: field('卡', id),
  dateFrom: field('日期起', z.optional(day)),
  dateTo: field('日期止', z.optional(day)),
};
/** Everything that came to a card and went from it, with its balance after each. */
export const queryCardStatement = service.read({
  operation: 'queryCardStatement',
  label: '查询卡对账单',
  access: view,
  input: statementInput,
  output: z.strictObject({
    cardNo: z.string(),
    cardTypeName: z.string(),
    holderName: textOrNull,
    kind: cardKinds.schema,
    opening: z.int(),
    income: z.int(),
    outgo: z.int(),
    closing: z.int(),
    entries: z.array(entry),
  }),
});
export type CardStatement = z.output<typeof queryCardStatement.output>;
export const exportCardStatement = service.file({
  operation: 'exportCardStatement',
  label: '导出卡对账单',
  method: 'GET',
  access: view,
  input: { ...statementInput, format: field('格式', z._default(z.enum(['PDF', 'XLSX'], '格式不正确'), 'PDF')) },
  output: z.strictObject({}),
});

export const revealFields = ['idNo', 'mobile', 'cardNo'] as const;
export const revealCardHolder = service.act({
  operation: 'revealCardHolder',
  label: '查看持卡人明文',
  access: may['card.reveal'],
  log: 'REVEAL',
  input: {
    cardId: field('卡', id),
    field: field('字段', z.enum(revealFields, '请选择要查看的字段')),
    reason: field('查看原因', text('查看原因', 200, 2)),
  },
  output: z.strictObject({ value: textOrNull }),
});

const answer = z.strictObject({ id: idOut, state: cardMachine.dictionary.schema, version: z.int() });
const reasonCode = field('冻结原因', z.enum(CHOSEN_REASONS, '请选择冻结原因'));
export const freezeCard = service.act({
  operation: 'freezeCard',
  label: '冻结卡',
  access: freeze,
  input: { cardId: field('卡', id), version, reasonCode, opinion },
  output: answer,
});
export const unfreezeCard = service.act({
  operation: 'unfreezeCard',
  label: '解冻卡',
  access: freeze,
  input: { cardId: field('卡', id), version, opinion },
  output: answer,
});
export const activateCard = service.act({
  operation: 'activateCard',
  label: '激活卡',
  access: may['card.activate'],
  secrets: ['secret', 'idNo'],
  input: {
    cardId: field('卡', id),
    version,
    secret: field('卡密', text('卡密', 20, 1)),
    holderName: field('持卡人姓名', z._default(personName('持卡人姓名', 40), '')),
    idNo: field('证件号', optionalText('证件号', 30)),
  },
  output: answer,
});
/** The new secret is told in this answer and nowhere else. */
export const resetCardSecret = service.act({
  operation: 'resetCardSecret',
  label: '重置卡密',
  access: may['secret.reset'],
  secretOutput: true,
  input: { cardId: field('卡', id), version, opinion },
  output: z.strictObject({ secret: z.string(), version: z.int() }),
});
export const batchFreezeCard = service.act({
  operation: 'batchFreezeCard',
  label: '批量冻结卡',
  access: freeze,
  input: {
    cardIds: field(
      '卡',
      z.array(id).check(z.minLength(1, '请选择卡'), z.maxLength(MOST_CARDS_AT_ONCE, `一次最多${MOST_CARDS_AT_ONCE}张卡`)),
    ),
    reasonCode,
    opinion,
  },
  output: z.strictObject({ done: z.int(), failures: z.array(z.strictObject({ cardId: idOut, cardNo: z.string(), message: z.string() })) }),
});

/** A partner's app: the holder activates his card with its secret and his name and number. */
export const openBindCard = openService.act({
  operation: 'bindCard',
  label: '持卡人激活卡',
  access: access.signed(machine.bind, 'MINI_APP', 'INSURER'),
  secrets: ['secret', 'idNo'],
  input: {
    cardNo: field('卡号', text('卡号', 24, 1)),
    secret: field('卡密', text('卡密', 20, 1)),
    holderName: field('持卡人姓名', personName('持卡人姓名', 40, 1)),
    idNo: field('证件号', text('证件号', 30, 5)),
  },
  output: z.strictObject({
    cardNo: z.string(),
    kind: cardKinds.schema,
    state: cardMachine.dictionary.schema,
    activatedAt: z.nullable(instantOut),
    expireAt: z.nullable(instantOut),
  }),
});
