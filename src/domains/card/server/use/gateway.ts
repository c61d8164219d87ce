import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { CommandContext, QueryContext } from '#kernel/server/context.ts';
import { machineOf } from '#kernel/server/auth/viewer.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { openBalance, openCaptureCard, openHoldCard, openHoldState, openReleaseCard } from '../../contract/calls/use.ts';
import { maskCardNo } from '../cards/cardNo.ts';
import { own } from '../database.ts';
import { captureHold, releaseHold } from './capture.ts';
import { holdCards } from './hold.ts';
import { ownStores, requireOwnInsurer } from './partners.ts';
import { findCard, queryAvailable } from './readCard.ts';

/** Counters and apps of partners: each sees what it set aside itself. */
const partner = (ctx: Pick<CommandContext, 'client'>) => {
  const { apiClientId, name } = machineOf(ctx);
  return { id: apiClientId, name, type: 'STORE' as const };
};

async function holdOf(ctx: CommandContext | QueryContext, db: QueryContext['db'], holdId: string) {
  const row = await own(db)
    .selectFrom('cardHold as h')
    .innerJoin('cardCard as c', 'c.id', 'h.cardId')
    .select(['h.id', 'h.holdNo', 'c.cardNo', 'h.state', 'h.amount', 'h.capturedAmount', 'h.expireAt'])
    .where('h.id', '=', holdId)
    .where('h.operatorType', '=', 'STORE')
    .where('h.operatorId', '=', machineOf(ctx).apiClientId)
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '预占不存在或已删除' });
  return {
    holdId: row.id,
    holdNo: row.holdNo,
    cardNo: maskCardNo(row.cardNo),
    state: row.state,
    amount: Number(row.amount),
    captured: Number(row.capturedAmount),
    expireAt: row.expireAt,
  };
}

export const openHold = (kernel: Kernel) =>
  command(openHoldCard, async (input, ctx) => {
    const machine = machineOf(ctx);
    const card = await findCard(ctx.tx, { cardNo: input.cardNo });
    await requireOwnInsurer(ctx.tx, machine, card.id);
    const { drugstoreId } = input;
    const stores = await ownStores(ctx.tx, machine, [
      ...(drugstoreId ? [drugstoreId] : []),
      ...input.lines.map(({ merchantId }) => merchantId),
    ]);
    const by = partner(ctx);
    const [held] = await holdCards(ctx, ledgerOf(kernel), {
      bizType: 'ORDER',
      bizId: input.orderId,
      bizNo: input.orderNo,
      key: `open:${by.id}:${ctx.idempotencyKey ?? ctx.traceId}`,
      orderType: input.orderType,
      drugstoreId: drugstoreId ?? null,
      drugstoreName: drugstoreId ? stores.get(drugstoreId)! : null,
      lines: input.lines.map((line) => ({
        ...line,
        merchantName: stores.get(line.merchantId)!,
        medicineId: line.medicineId ?? null,
        categoryCode: line.categoryCode ?? null,
        amount: BigInt(line.amount),
        payable: line.payable === undefined ? undefined : BigInt(line.payable),
      })),
      cardIds: [card.id],
      operator: by,
    });
    ctx.target({ type: 'card.hold', id: held!.holdId, no: held!.holdNo });
    return holdOf(ctx, ctx.tx, held!.holdId);
  });

export const openCapture = (kernel: Kernel) =>
  command(openCaptureCard, async ({ holdId, amount }, ctx) => {
    await holdOf(ctx, ctx.tx, holdId);
    await captureHold(ctx, ledgerOf(kernel), { holdId, amount: amount === undefined ? undefined : BigInt(amount), by: partner(ctx) });
    return holdOf(ctx, ctx.tx, holdId);
  });

export const openRelease = (kernel: Kernel) =>
  command(openReleaseCard, async ({ holdId }, ctx) => {
    await holdOf(ctx, ctx.tx, holdId);
    await releaseHold(ctx, ledgerOf(kernel), { holdId, reason: '外部释放', by: partner(ctx) });
    return holdOf(ctx, ctx.tx, holdId);
  });

export const openState = query(openHoldState, ({ holdId }, ctx) => holdOf(ctx, ctx.db, holdId));

export const balance = (kernel: Kernel) =>
  query(openBalance, async ({ cardNo }, ctx) => {
    const read = await queryAvailable(ctx.db, ledgerOf(kernel), { cardNo }, ctx.now);
    await requireOwnInsurer(ctx.db, machineOf(ctx), read.cardId);
    const row = await own(ctx.db)
      .selectFrom('cardCard')
      .select(['cardNo', 'heldAmount', 'state'])
      .where('id', '=', read.cardId)
      .executeTakeFirstOrThrow();
    return {
      cardNo: maskCardNo(row.cardNo),
      kind: read.kind,
      state: row.state,
      available: Number(read.amount),
      held: Number(row.heldAmount),
      times: read.times,
      expireAt: read.expireAt,
    };
  });
