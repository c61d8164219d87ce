import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { declareService } from '#kernel/contract/service.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  fen,
  flag,
  id,
  idOut,
  instantOut,
  opinion,
  optionalText,
  several,
  text,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { cardKinds, lotKinds } from '../dictionaries.ts';
import { holdBizTypes } from '../useDictionaries.ts';
import { cardMachinePermissions as machine, cardPermissions as may } from '../permissions.ts';
import { cardMachine } from '../states.ts';
import { holdMachine } from '../useStates.ts';
import { usageRules } from '../usageRules.ts';

const service = declareService('CardWriteOffService');
/** Signed by machine callers. */
const openService = declareService('CardOpenService', 'gateway');
const view = may['card.view'];
const edit = may['writeoff.edit'];

/** Amount from which staff need a second person to write it off, in fen. */
export const SECOND_PERSON_FEN = 500_000;

const positive = (label: string) => field(label, fen.check(z.minimum(1, `${label}须大于0`), z.maximum(1_000_000_000, `${label}过大`)));
const holdRow = z.strictObject({
  id: idOut,
  holdNo: field('预占单号', z.string(), { width: 160 }),
  bizType: field('来源', holdBizTypes.schema, { width: 90 }),
  orderNo: field('订单号', z.string(), { width: 160 }),
  orderId: idOut,
  cardId: idOut,
  cardNo: field('卡号', z.string(), { width: 170 }),
  kind: field('卡类型', cardKinds.schema, { width: 90 }),
  cardTypeName: field('卡种', z.string(), { width: 150 }),
  holderName: field('持卡人', z.nullable(z.string()), { width: 90, mask: 'name' }),
  drugstoreName: field('药店', z.nullable(z.string()), { width: 150 }),
  payable: field('订单应付', z.nullable(fen)),
  amount: field('预占', fen),
  times: field('次数', z.int(), { width: 70 }),
  captured: field('已核销', fen),
  expireAt: field('超时时间', instantOut),
  state: holdMachine.dictionary.schema,
  operator: field('操作人', z.string(), { width: 90 }),
  createdAt: field('预占时间', instantOut),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type HoldRow = z.output<typeof holdRow>;

export const queryOrderCardList = service.list({
  operation: 'queryOrderCardList',
  label: '查询订单卡核销',
  access: view,
  filter: {
    ...sortedBy('holdNo', 'createdAt'),
    orderNo: z.optional(wholeText('订单号', 40)),
    cardNo: z.optional(wholeText('卡号', 24)),
    holderKeyword: z.optional(personName('持卡人', 40)),
    merchantId: field('药店', z.optional(id)),
    holdState: field('状态', z.optional(several(holdMachine.dictionary.schema))),
    bizType: field('来源', z.optional(holdBizTypes.schema)),
    dateFrom: field('预占时间起', z.optional(day)),
    dateTo: field('预占时间止', z.optional(day)),
    nearTimeout: field('仅看即将超时', z.optional(flag)),
  },
  output: holdRow,
});
export const exportOrderCardList = exportOf(queryOrderCardList, {
  operation: 'exportOrderCardList',
  label: '导出订单卡核销',
  access: may['card.export'],
});

const useLine = z.strictObject({
  orderLineId: idOut,
  goodsName: z.string(),
  quantity: z.int(),
  amount: fen,
  merchantName: z.string(),
  /** What the card would pay of it. */
  share: fen,
});
const useLot = z.strictObject({ lotNo: z.string(), kind: lotKinds.schema, take: fen, free: fen, expireAt: z.nullable(instantOut) });
const useRule = z.strictObject({ rule: usageRules.schema, passed: z.boolean(), code: z.nullable(z.string()), message: z.string() });

/** One card, by its number, its id or its holder, against an order or against a store with medicines. */
export const checkCard = service.read({
  operation: 'checkCard',
  label: '试算卡可用金额',
  access: edit,
  input: {
    cardId: field('卡', z.optional(id)),
    cardNo: z.optional(wholeText('卡号', 24)),
    patientId: field('持卡人', z.optional(id)),
    orderNo: z.optional(wholeText('订单号', 40)),
    drugstoreId: field('药店', z.optional(id)),
    medicineIds: field('药品', z.optional(several(id, 50))),
    amount: field('金额', z.optional(fen.check(z.minimum(1, '金额须大于0')))),
    benefitId: z.optional(text('权益项', 40)),
  },
  output: z.strictObject({
    cardId: idOut,
    cardNo: z.string(),
    kind: cardKinds.schema,
    cardTypeName: z.string(),
    state: cardMachine.dictionary.schema,
    holderName: z.nullable(z.string()),
    order: z.nullable(z.strictObject({ orderId: idOut, orderNo: z.string(), drugstoreName: z.nullable(z.string()), payable: fen })),
    lines: z.array(useLine),
    /** What is left on the card. */
    available: fen,
    timesLeft: z.int(),
    usable: fen,
    /** Of a coupon: what of its value is lost with this order. */
    lost: fen,
    after: fen,
    lots: z.array(useLot),
    rules: z.array(useRule),
    ok: z.boolean(),
  }),
});
export type CardCheck = z.output<typeof checkCard.output>;

const holdAnswer = z.strictObject({
  id: idOut,
  holdNo: z.string(),
  state: holdMachine.dictionary.schema,
  version: z.int(),
  amount: fen,
  captured: fen,
  /** Somebody else has to capture it. */
  secondPerson: z.boolean(),
});

export const addHold = service.act({
  operation: 'addHold',
  label: '人工预占',
  access: edit,
  idempotency: 'required',
  input: {
    cardId: field('卡', id),
    orderNo: text('订单号', 40, 1),
    amount: field('核销金额', z.optional(positive('核销金额'))),
    benefitId: z.optional(text('权益项', 40)),
    times: field('次数', z.optional(z.int('次数须为整数').check(z.minimum(1, '次数至少为1'), z.maximum(99, '次数最多为99')))),
  },
  output: holdAnswer,
});
export const captureHold = service.act({
  operation: 'captureHold',
  label: '核销',
  access: edit,
  idempotency: 'required',
  input: {
    holdId: field('预占', id),
    version,
    captureAmount: z.optional(positive('核销金额')),
    opinion: optionalText('意见', 500),
  },
  output: holdAnswer,
});
export const releaseHold = service.act({
  operation: 'releaseHold',
  label: '释放预占',
  access: edit,
  idempotency: 'required',
  input: { holdId: field('预占', id), version, opinion },
  output: holdAnswer,
});
/** An order as the dialog of a write-off by hand looks it up. */
export const queryWriteOffOrder = service.read({
  operation: 'queryWriteOffOrder',
  label: '查询待核销订单',
  access: edit,
  input: { orderNo: text('订单号', 40, 1) },
  output: z.strictObject({
    orderId: idOut,
    orderNo: z.string(),
    drugstoreName: z.nullable(z.string()),
    payable: fen,
    /** Held and written off for it already. */
    used: fen,
    lines: z.array(useLine),
  }),
});

/** Counters of a chain. */
const atStores = access.signed(machine.use, 'CHAIN');
const openLine = z.strictObject({
  orderLineId: field('订单行', id),
  medicineId: field('药品', z.optional(id)),
  categoryCode: z.optional(text('药品分类', 40)),
  goodsName: text('商品', 100, 1),
  quantity: field('数量', z.int().check(z.minimum(1, '数量至少为1'), z.maximum(100_000))),
  amount: positive('金额'),
  /** All that is to be paid of the line, where several cards pay for it; absent: the amount. */
  payable: z.optional(positive('应付金额')),
  merchantId: field('商户', id),
  merchantName: text('商户名称', 100, 1),
});
const openHold = z.strictObject({
  holdId: idOut,
  holdNo: z.string(),
  cardNo: z.string(),
  state: holdMachine.dictionary.schema,
  amount: fen,
  captured: fen,
  expireAt: instantOut,
});
export const openHoldCard = openService.act({
  operation: 'hold',
  label: '外部预占卡',
  access: atStores,
  idempotency: 'required',
  input: {
    cardNo: text('卡号', 24, 16),
    orderId: field('订单', id),
    orderNo: text('订单号', 40, 1),
    orderType: text('订单类型', 40, 1),
    drugstoreId: field('药店', z.optional(id)),
    drugstoreName: optionalText('药店名称', 100),
    lines: field('订单行', z.array(openLine).check(z.minLength(1, '请提供订单行'), z.maxLength(100, '最多100行'))),
  },
  output: openHold,
});
export const openCaptureCard = openService.act({
  operation: 'capture',
  label: '外部核销卡',
  access: atStores,
  idempotency: 'required',
  input: { holdId: field('预占', id), amount: z.optional(positive('核销金额')) },
  output: openHold,
});
export const openReleaseCard = openService.act({
  operation: 'release',
  label: '外部释放卡',
  access: atStores,
  idempotency: 'required',
  input: { holdId: field('预占', id) },
  output: openHold,
});
/** What became of a hold whose answer was lost: asked for before anything is sent again. */
export const openHoldState = openService.read({
  operation: 'holdState',
  label: '外部查询预占',
  access: atStores,
  input: { holdId: field('预占', id) },
  output: openHold,
});
export const openBalance = openService.read({
  operation: 'balance',
  label: '外部查询卡余额',
  access: access.signed(machine.balance, 'MINI_APP', 'CHAIN', 'INSURER'),
  input: { cardNo: text('卡号', 24, 16) },
  output: z.strictObject({
    cardNo: z.string(),
    kind: cardKinds.schema,
    state: cardMachine.dictionary.schema,
    available: fen,
    held: fen,
    times: z.array(z.strictObject({ benefitId: z.string(), left: z.int() })),
    expireAt: z.nullable(instantOut),
  }),
});
