import { sql } from 'kysely';
import { lotExpired } from '#events/ledger.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { isolateFailures, type FailureIsolation } from '#kernel/server/jobs/isolateFailures.ts';
import type { Consumer, JobContext, JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { refreshCard } from '../cards/projection.ts';
import { maskCardNo } from '../cards/cardNo.ts';
import { own } from '../database.ts';
import { oweForGrant } from '../grants/due.ts';
import { breakageOf } from '../chart.ts';
import { on } from '../use/events.ts';
import { moveTimes } from '../use/times.ts';
import { shareOf } from './share.ts';

const CHUNK = 200;

/** Value whose time is over leaves the card for the breakage of its batch; what is held waits until it is free. */
async function sweepLots(kernel: Kernel, ctx: JobContext, failures: FailureIsolation): Promise<void> {
  const ledger = ledgerOf(kernel);
  const sweep = (lotIds: readonly string[]) =>
    ctx.transaction(async (writing) => {
      const use = { ...writing, now: ctx.now, traceId: ctx.traceId };
      return ledger.expireLots(use, {
        book: 'CARD',
        asOf: ctx.now,
        limit: lotIds.length,
        lotIds,
        sweep: async (lot) => {
          const card = await own(writing.tx)
            .selectFrom('cardCard as c')
            .innerJoin('cardBatch as b', 'b.id', 'c.batchId')
            .select(['b.id', 'b.batchNo'])
            .where('c.id', '=', lot.owner.id)
            .executeTakeFirstOrThrow();
          await ledger.openAccount(use, breakageOf(card.id), { ownerName: card.batchNo });
          return { type: 'CARD_EXPIRE', credit: breakageOf(card.id), businessKey: `card:exp:${lot.id}:${dayOf(ctx.now)}` };
        },
      });
    });
  for (let after = '0'; !ctx.signal.aborted;) {
    const due = await ledger.overdueLots(ctx.db, { book: 'CARD', asOf: ctx.now, after, limit: CHUNK });
    const last = due.at(-1);
    if (!last) return;
    after = last.id;
    await failures.runTogether(
      due,
      ({ id, accountNo }) => `账户${accountNo}额度${id}`,
      (some) => sweep(some.map(({ id }) => id)),
    );
  }
}

/** Times and coupons whose time is over, but what is held; cards without anything left behind them. */
async function expireCards(kernel: Kernel, ctx: JobContext, failures: FailureIsolation): Promise<void> {
  const ledger = ledgerOf(kernel);
  const stuck: string[] = [];
  for (;;) {
    if (ctx.signal.aborted) return;
    const due = await sql<{ id: string; cardNo: string }>`
      select c.id, c.card_no from card_card c
       where c.state in ('ISSUED', 'ACTIVE', 'FROZEN', 'DEPLETED') and c.expire_at <= ${ctx.now}::timestamptz and c.held_amount = 0
         and not exists (select from card_times_balance b where b.card_id = c.id and b.held_times > 0)
         and not exists (select from card_hold h where h.card_id = c.id and h.state = 'HELD')
         and c.id <> all(${stuck}::bigint[])
       order by c.expire_at, c.id limit ${CHUNK}`.execute(ctx.db);
    if (due.rows.length === 0) return;
    const expire = (cards: readonly { id: string }[]) =>
      ctx.transaction(async ({ tx }) => {
        for (const { id } of cards) {
          const card = await own(tx)
            .selectFrom('cardCard')
            .select(['id', 'state', 'heldAmount', 'expireAt'])
            .where('id', '=', id)
            .forUpdate()
            .executeTakeFirst();
          if (!card || card.heldAmount !== '0' || card.expireAt === null || card.expireAt > ctx.now) continue;
          const balances = await own(tx).selectFrom('cardTimesBalance').selectAll().where('cardId', '=', id).execute();
          for (const { benefitId, leftTimes, heldTimes } of balances)
            if (leftTimes > heldTimes)
              await moveTimes(tx, ctx.now, {
                cardId: id,
                benefitId,
                kind: 'EXPIRE',
                left: heldTimes - leftTimes,
                held: 0,
                key: `exp:${id}:${benefitId}:${dayOf(ctx.now)}`,
                refType: 'cardCard',
                refId: id,
              });
          await own(tx)
            .updateTable('cardCard')
            .set((eb) => ({ state: 'EXPIRED', version: eb('version', '+', 1) }))
            .where('id', '=', id)
            .execute();
          await refreshCard(tx, ledger, id, ctx.now);
        }
      });
    const failed = await failures.runTogether(due.rows, ({ cardNo }) => `卡${maskCardNo(cardNo)}`, expire);
    stuck.push(...failed.map(({ id }) => id));
    if (due.rows.length < CHUNK) return;
  }
}

export const expiryJob = (kernel: Kernel): JobDeclaration => ({
  name: 'card.expire',
  label: '卡到期处理',
  cron: '10 0 * * *',
  expireSeconds: 3_600,
  async run(_data, ctx) {
    const failures = isolateFailures(ctx);
    await sweepLots(kernel, ctx, failures);
    await expireCards(kernel, ctx, failures);
    failures.throwIfAny();
  },
});

export const expiryConsumer = (kernel: Kernel): Consumer =>
  on(lotExpired, async ({ ownerType, ownerId, lotId, amountFen }, ctx, { eventId }) => {
    if (ownerType !== 'cardAccount') return;
    const ledger = ledgerOf(kernel);
    const { tx, now } = ctx;
    const card = await own(tx)
      .selectFrom('cardCard')
      .select(['id', 'batchId', 'cardTypeId', 'cardNo'])
      .where('id', '=', ownerId)
      .forUpdate()
      .executeTakeFirst();
    if (!card) return;
    await refreshCard(tx, ledger, card.id, now);
    const lot = await own(tx)
      .selectFrom('cardLot')
      .select(['kind', 'funder', 'funderId', 'productCode', 'fundingMode', 'expiryPolicy'])
      .where('lotId', '=', lotId)
      .executeTakeFirst();
    const credit = lot && shareOf(lot);
    if (!credit) return;
    await ledger.openAccount(ctx, credit, { ownerName: `${lot.funder}:${lot.funderId ?? ''}` });
    const amount = BigInt(amountFen);
    if (credit.type === 'CARD_RECEIVABLE')
      await oweForGrant(tx, {
        cardTypeId: card.cardTypeId,
        key: `exp:${lotId}:${eventId}`,
        sourceNo: `到期退回 ${maskCardNo(card.cardNo)}`,
        amount: -amount,
        at: now,
      });
    await ledger.post(ctx, {
      businessKey: `card:expShare:${lotId}:${eventId}`,
      book: 'CARD',
      type: 'CARD_EXPIRE_SHARE',
      debit: [{ account: breakageOf(card.batchId), amount }],
      credit: [{ account: credit, amount }],
      ref: { type: 'cardLot', id: lotId },
      actor: SYSTEM,
    });
  });
