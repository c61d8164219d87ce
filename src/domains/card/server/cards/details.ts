import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, type LotLeft } from '#domains/ledger/server/index.ts';
import { cardDetails, revealCardHolder, type CardDetails } from '../../contract/calls/cards.ts';
import { own } from '../database.ts';
import { changesOf } from '../changes/list.ts';
import { termsOf } from '../types/terms.ts';
import { findCard, type CardInUse } from '../use/readCard.ts';
import { cardColumns, pendingChange, shownCard, timesLeftOf } from './cardList.ts';
import { maskCardNo } from './cardNo.ts';
import { cardRecords } from './records.ts';
import { statementOf } from './statement.ts';

/** The newest of each kind; all of them stand in their own lists. */
const NEWEST = 50;
const NEWEST_ENTRIES = 20;

async function lotsFor(db: Db, lots: readonly LotLeft[], now: string): Promise<CardDetails['lots']> {
  const funding = new Map(
    (lots.length === 0
      ? []
      : await own(db)
          .selectFrom('cardLot')
          .select(['lotId', 'funder', 'fundingMode'])
          .where(
            'lotId',
            'in',
            lots.map(({ id }) => id),
          )
          .execute()
    ).map((one) => [one.lotId, one]),
  );
  const open = lots.filter(({ remaining, expiresAt }) => remaining > 0n && expiresAt !== null && expiresAt > now);
  const nearest = open.toSorted((one, other) => (one.expiresAt! < other.expiresAt! ? -1 : 1))[0]?.expiresAt ?? null;
  return lots.map((lot) => ({
    lotId: lot.id,
    lotNo: lot.lotNo,
    kind: lot.accountType === 'CARD_BONUS' ? ('BONUS' as const) : ('PRINCIPAL' as const),
    amount: Number(lot.original),
    used: Number(lot.original - lot.remaining),
    held: Number(lot.held),
    left: Number(lot.remaining - lot.held),
    expireAt: lot.expiresAt,
    funder: funding.get(lot.id)?.funder ?? null,
    fundingMode: funding.get(lot.id)?.fundingMode ?? null,
    nearest: nearest !== null && lot.expiresAt === nearest && lot.remaining > 0n,
    expired: lot.expiresAt !== null && lot.expiresAt <= now,
  }));
}

async function timesFor(db: Db, card: CardInUse): Promise<CardDetails['times']> {
  const { rows } = await sql<{ benefitId: string; left: number; held: number; used: number }>`
    select b.benefit_id, b.left_times as left, b.held_times as held,
           coalesce((
             select -sum(m.delta_left)
               from card_times_move m
               where m.card_id = b.card_id and m.benefit_id = b.benefit_id and m.kind in ('USE', 'UNDO')
           ), 0)::int as used
      from card_times_balance b where b.card_id = ${card.id} order by b.benefit_id`.execute(db);
  return rows.map((row) => {
    const term = card.rules.benefits.find(({ benefitId }) => benefitId === row.benefitId);
    return {
      ...row,
      benefitName: row.benefitId === 'COUPON' ? '优惠券' : (term?.benefitName ?? row.benefitId),
      perMonthMax: term?.perMonthMax ?? null,
    };
  });
}

async function usesOf(db: Db, cardId: string): Promise<Pick<CardDetails, 'holds' | 'writeOffs' | 'grants'>> {
  const holds = await own(db)
    .selectFrom('cardHold')
    .select(['id', 'holdNo', 'bizNo as orderNo', 'drugstoreName', 'amount', 'times', 'capturedAmount', 'state', 'createdAt', 'expireAt'])
    .where('cardId', '=', cardId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(NEWEST)
    .execute();
  const writeOffs = await own(db)
    .selectFrom('cardWriteOff')
    .select([
      'id',
      'writeOffNo',
      'orderNo',
      'merchantName',
      'goodsName',
      'quantity',
      'amount',
      'times',
      'reversedAmount',
      'state',
      'doneAt',
    ])
    .where('cardId', '=', cardId)
    .orderBy('doneAt', 'desc')
    .orderBy('id', 'desc')
    .limit(NEWEST)
    .execute();
  const grants = await own(db)
    .selectFrom('cardGrantLine as l')
    .innerJoin('cardGrant as g', 'g.id', 'l.grantId')
    .select(['l.id', 'l.grantId', 'g.grantNo', 'l.amount', 'l.bonus', 'l.revokedAmount', 'l.state', 'l.doneAt'])
    .where('l.cardId', '=', cardId)
    .orderBy('l.id', 'desc')
    .limit(NEWEST)
    .execute();
  return {
    holds: holds.map(({ capturedAmount, ...one }) => ({ ...one, amount: Number(one.amount), captured: Number(capturedAmount) })),
    writeOffs: writeOffs.map(({ goodsName, quantity, reversedAmount, ...one }) => ({
      ...one,
      goods: `${goodsName}×${quantity}`,
      amount: Number(one.amount),
      reversed: Number(reversedAmount),
    })),
    grants: grants.map((one) => ({
      ...one,
      amount: Number(one.amount),
      bonus: Number(one.bonus),
      revokedAmount: Number(one.revokedAmount),
    })),
  };
}

async function otherCard(db: Db, id: string | null) {
  if (id === null) return null;
  const row = await own(db).selectFrom('cardCard').select(['id', 'cardNo']).where('id', '=', id).executeTakeFirst();
  return row ? { cardId: row.id, cardNo: maskCardNo(row.cardNo) } : null;
}

export const details = (kernel: Kernel) =>
  query(cardDetails, async ({ cardId }, ctx) => {
    ctx.header('Cache-Control', 'no-store');
    const { db, now } = ctx;
    const row = await own(db)
      .selectFrom('cardCard as c')
      .innerJoin('cardType as t', 't.id', 'c.cardTypeId')
      .innerJoin('cardBatch as b', 'b.id', 'c.batchId')
      .innerJoin('cardTypeVersion as v', (join) =>
        join.onRef('v.cardTypeId', '=', 'c.cardTypeId').onRef('v.ruleVersion', '=', 'c.ruleVersion'),
      )
      .select(cardColumns)
      .select([pendingChange, timesLeftOf])
      .select(['c.ruleVersion', 't.funder', 't.fundingMode', 'v.rules', 'c.holderIdMasked', 'c.patientId', 'c.contractId', 'c.issuedAt'])
      .select(['c.secretSetAt', 'c.secretLockedUntil', 'c.frozenByName', 'c.replacedByCardId', 'c.replacesCardId'])
      .where('c.id', '=', cardId)
      .executeTakeFirst();
    if (!row) throw cardRecords.missing();
    const inUse = await findCard(db, { cardId });
    const lots = row.kind === 'STORED_VALUE' ? await ledgerOf(kernel).lotsOf(db, 'CARD', { type: 'cardAccount', id: cardId }) : [];
    const { entries } = await statementOf(kernel, db, inUse, {}, ctx);
    const { rules, holderIdMasked, frozenByName, replacedByCardId, replacesCardId, ...facts } = row;
    return {
      card: {
        ...shownCard(facts, ctx),
        terms: termsOf(rules),
        principal: Number(row.principalAvail),
        bonus: Number(row.bonusAvail),
        holderIdNo: holderIdMasked,
        frozenBy: frozenByName,
        replacedBy: await otherCard(db, replacedByCardId),
        replaces: await otherCard(db, replacesCardId),
      },
      lots: await lotsFor(db, lots, now),
      times: await timesFor(db, inUse),
      ...(await usesOf(db, cardId)),
      entries: entries.slice(-NEWEST_ENTRIES).toReversed(),
      changes: await changesOf(db, cardId, ctx),
      timeline: await trailOf(db, 'card.card', cardId),
    };
  });

export const reveal = (kernel: Kernel) =>
  command(revealCardHolder, async ({ cardId, field }, ctx) => {
    const card = await cardRecords.get(ctx.tx, ctx.staff, cardId);
    ctx.target({ type: 'card.card', id: card.id, no: maskCardNo(card.cardNo) });
    if (field === 'cardNo') return { value: card.cardNo };
    const cipher = field === 'idNo' ? card.holderIdCipher : card.holderMobileCipher;
    return { value: cipher === null ? null : kernel.secrets.decrypt(cipher) };
  });
