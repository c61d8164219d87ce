import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import {
  addHold,
  captureHold as captureCall,
  exportOrderCardList,
  queryOrderCardList,
  releaseHold as releaseCall,
  SECOND_PERSON_FEN,
} from '../../contract/calls/use.ts';
import { cardErrors } from '../../contract/errors.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { splitAt } from '../../contract/rules/lots.ts';
import { sumOf } from '../../contract/rules/rounding.ts';
import { holdMachine } from '../../contract/useStates.ts';
import { own } from '../database.ts';
import { captureHold, releaseHold } from './capture.ts';
import { missingOrder, openLines } from './checkHandlers.ts';
import { holdCards } from './hold.ts';
import { lockOrder, orderOf } from './orders.ts';
import { findCard } from './readCard.ts';
import { sql, type SqlBool } from 'kysely';
import { minutes, plusDays, plusMs, startOfDay } from '#kernel/contract/time.ts';
import { elsewhere, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { holderIs, showHolder } from '../cards/holder.ts';

/** A hold is near its end when so little of its time is left. */
const NEAR = minutes(10);

export const orderCardList = listOf(queryOrderCardList)
  .from(({ db }) =>
    own(db).selectFrom('cardHold as h').innerJoin('cardCard as c', 'c.id', 'h.cardId').innerJoin('cardType as t', 't.id', 'c.cardTypeId'),
  )
  .with({
    where: {
      orderNo: isNumber('h.bizNo'),
      cardNo: (_eb, text) => sql<SqlBool>`c.card_no = ${text.replaceAll(/\s/g, '')}`,
      holderKeyword: (_eb, text, ask) => holderIs(text, ask),
      merchantId: (_eb, id) => sql<SqlBool>`exists (select from card_hold_line l where l.hold_id = h.id and l.merchant_id = ${id})`,
      holdState: 'h.state',
      bizType: 'h.bizType',
      dateFrom: (_eb, day) => sql<SqlBool>`h.created_at >= ${startOfDay(day)}::timestamptz`,
      dateTo: (_eb, day) => sql<SqlBool>`h.created_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
      nearTimeout: (_eb, yes, { now }) =>
        yes ? sql<SqlBool>`h.state = 'HELD' and h.expire_at < ${plusMs(now, NEAR)}::timestamptz` : elsewhere(),
    },
    id: 'h.id',
    sorts: { holdNo: 'h.holdNo', createdAt: 'h.createdAt' },
    order: [['h.createdAt', 'desc']],
    select: (rows) =>
      rows
        .select(['h.id', 'h.holdNo', 'h.bizType', 'h.bizNo as orderNo', 'h.bizId as orderId', 'h.cardId', 'c.cardNo', 'h.kind'])
        .select(['t.typeName as cardTypeName', 'c.holderName', 'h.drugstoreName', 'h.payable', 'h.amount', 'h.times'])
        .select(['h.capturedAmount as captured', 'h.expireAt', 'h.state', 'h.operatorName as operator', 'h.createdAt', 'h.version']),
    present: (rows, ask) =>
      rows.map((row) => ({
        ...row,
        ...showHolder(row, ask),
        payable: Number(row.payable),
        amount: Number(row.amount),
        captured: Number(row.captured),
        allowedActions: holdMachine.allowed(row.state, ask.has),
      })),
  });
export const orderCardExport = listExport(orderCardList, { call: exportOrderCardList, title: '订单卡核销', routeKey: 'cardGrantCancel' });

const byStaff = (ctx: CommandContext) => ({ id: ctx.staff.userId, name: ctx.staff.displayName, type: 'STAFF' as const });

/** What somebody wrote off by hand for an order himself, in fen: many small amounts are one that another person checks. */
async function handWritten(ctx: CommandContext, orderId: string, operatorId: string): Promise<bigint> {
  const { sum: written } = await own(ctx.tx)
    .selectFrom('cardWriteOff as w')
    .innerJoin('cardHold as h', 'h.id', 'w.holdId')
    .select(sql<string>`coalesce(sum(w.amount - w.reversed_amount), 0)`.as('sum'))
    .where('w.orderId', '=', orderId)
    .where('w.kind', '=', 'STORED_VALUE')
    .where('w.operatorType', '=', 'STAFF')
    .where('w.operatorId', '=', operatorId)
    .where('h.operatorId', '=', operatorId)
    .executeTakeFirstOrThrow();
  return BigInt(written);
}

async function answerOf(ctx: CommandContext, holdId: string) {
  const row = await own(ctx.tx)
    .selectFrom('cardHold')
    .select(['id', 'holdNo', 'state', 'version', 'amount', 'capturedAmount', 'kind', 'bizId', 'operatorId'])
    .where('id', '=', holdId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    holdNo: row.holdNo,
    state: row.state,
    version: row.version,
    amount: Number(row.amount),
    captured: Number(row.capturedAmount),
    secondPerson:
      row.state === 'HELD' && BigInt(row.amount) + (await handWritten(ctx, row.bizId, row.operatorId)) >= BigInt(SECOND_PERSON_FEN),
  };
}

/** By hand: value is set aside for an order that somebody looked up; large amounts are written off by somebody else. */
export const add = (kernel: Kernel) =>
  command(addHold, async ({ cardId, orderNo, amount, benefitId, times }, ctx) => {
    const found = await orderOf(kernel, ctx.tx, orderNo);
    if (!found) throw missingOrder();
    if (found.closed) throw refuse(platformErrors.WRONG_STATE, { state: '已取消' });
    const card = await findCard(ctx.tx, { cardId });
    // What is open of the order is read under its lock: another card may be paying for it at this moment.
    const order = await lockOrder(ctx.tx, found, ctx.now);
    const open = await openLines(ctx.tx, order);
    const most = sumOf(open, (line) => line.amount);
    if (amount !== undefined && BigInt(amount) > most) throw refuseField('amount', `核销金额不能大于${yuan(most)}元`);
    if (card.kind === 'STORED_VALUE' && amount === undefined) throw refuseField('amount', '请输入核销金额');
    if (open.length === 0 && card.kind !== 'BENEFIT_CARD') throw refuseField('orderNo', '该订单没有待支付的商品');
    const lines =
      card.kind === 'STORED_VALUE'
        ? splitAt(open, BigInt(amount ?? 0)).first
        : card.kind === 'BENEFIT_CARD'
          ? order.lines.slice(0, 1)
          : open;
    const [held] = await holdCards(ctx, ledgerOf(kernel), {
      bizType: 'MANUAL',
      bizId: order.orderId,
      bizNo: order.orderNo,
      key: `manual:${ctx.idempotencyKey ?? ctx.traceId}`,
      orderType: order.orderType,
      drugstoreId: order.drugstoreId,
      drugstoreName: order.drugstoreName,
      lines,
      cardIds: [cardId],
      benefit:
        card.kind === 'BENEFIT_CARD' ? { benefitId: benefitId ?? card.rules.benefits[0]?.benefitId ?? '', times: times ?? 1 } : undefined,
      operator: byStaff(ctx),
    });
    ctx.target({ type: 'card.hold', id: held!.holdId, no: held!.holdNo });
    return answerOf(ctx, held!.holdId);
  });

async function lockVersion(ctx: CommandContext, holdId: string, version: number) {
  const hold = await own(ctx.tx).selectFrom('cardHold').selectAll().where('id', '=', holdId).forUpdate().executeTakeFirst();
  if (!hold) throw refuse(platformErrors.NOT_FOUND, { message: '预占不存在或已删除' });
  await requireVersion(ctx, 'card.hold', hold, version);
  return hold;
}
type HoldRow = Awaited<ReturnType<typeof lockVersion>>;
const trail = (ctx: CommandContext, hold: HoldRow, action: 'capture' | 'release', opinion: string) =>
  moveState(ctx, holdMachine, { targetType: 'card.hold', targetId: hold.id, targetNo: hold.holdNo, action, from: hold.state, opinion });

/** @throws Refusal SCM90010 for whoever set a large amount aside himself, or may not write it off */
export const capture = (kernel: Kernel) =>
  command(captureCall, async ({ holdId, version, captureAmount, opinion }, ctx) => {
    const hold = await lockVersion(ctx, holdId, version);
    if (hold.state === 'TIMED_OUT' || (hold.state === 'HELD' && hold.expireAt <= ctx.now)) throw refuse(cardErrors.HOLD_TIMED_OUT);
    const amount = captureAmount === undefined ? BigInt(hold.amount) : BigInt(captureAmount);
    if (hold.kind !== 'STORED_VALUE' && amount !== BigInt(hold.amount)) throw refuseField('captureAmount', '优惠券和权益次数只能整笔核销');
    if (amount > BigInt(hold.amount)) throw refuseField('captureAmount', `核销金额不能大于${yuan(hold.amount)}元`);
    // The order's row: what one person writes off for it at once adds up.
    await own(ctx.tx).selectFrom('cardOrderCopy').select('orderId').where('orderId', '=', hold.bizId).forUpdate().execute();
    const before = hold.operatorId === ctx.staff.userId ? await handWritten(ctx, hold.bizId, ctx.staff.userId) : 0n;
    if (hold.kind === 'STORED_VALUE' && before + amount >= BigInt(SECOND_PERSON_FEN)) {
      ctx.requirePermission(may['writeoff.approve']);
      if (hold.operatorId === ctx.staff.userId) throw refuse(cardErrors.OWN_DOCUMENT, { message: '金额超过5000元，需另一人复核' });
    }
    await trail(ctx, hold, 'capture', opinion);
    await captureHold(ctx, ledgerOf(kernel), { holdId, amount, by: byStaff(ctx) });
    return answerOf(ctx, holdId);
  });

export const release = (kernel: Kernel) =>
  command(releaseCall, async ({ holdId, version, opinion }, ctx) => {
    const hold = await lockVersion(ctx, holdId, version);
    await trail(ctx, hold, 'release', opinion);
    await releaseHold(ctx, ledgerOf(kernel), { holdId, reason: opinion, by: byStaff(ctx) });
    return answerOf(ctx, holdId);
  });
