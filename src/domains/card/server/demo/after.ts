import { sql } from 'kysely';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { dayOf, minutes, plusMs } from '#kernel/contract/time.ts';
import { SYSTEM } from '#domains/ledger/server/index.ts';
import { reversalReasons } from '../../contract/useDictionaries.ts';
import { refreshCard } from '../cards/projection.ts';
import { own } from '../database.ts';
import { revokeLine } from '../grants/revoke.ts';
import { accrueReversal } from '../use/accrue.ts';
import { bonusCostOf, bonusOf, breakageOf, principalOf, receivableOf } from '../chart.ts';
import { releaseHold } from '../use/capture.ts';
import { holdCards } from '../use/hold.ts';
import type { UseLine } from '../use/orders.ts';
import { carryOut, requestReversal } from '../use/reverse.ts';
import type { DemoCard } from './batches.ts';
import type { TimesRow } from './grants.ts';
import type { Use } from './spends.ts';
import { dayAt, type Stage } from './stage.ts';
import type { DemoType } from './types.ts';

const REVERSALS = 135;
const WAITING = 5;
/** Of them: long after the month of the write-off was settled. */
const AFTER_SETTLEMENT = 20;
const REASONS = reversalReasons.codes;

/** Goods that were brought back: of the last use of as many cards, some a week later, some waiting for their check. */
export async function writeReversals(stage: Stage, uses: readonly Use[]): Promise<void> {
  const { ledger, tx, staff, random } = stage;
  const lastUse = new Map(uses.map((use) => [use.card.id, use]));
  const chosen = [...lastUse.values()].filter(({ card }) => card.type.kind === 'STORED_VALUE' && card.state === 'ACTIVE');
  const rows = await own(tx)
    .selectFrom('cardWriteOff')
    .select(['id', 'holdId', 'amount'])
    .where(
      'holdId',
      'in',
      chosen.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  const writeOffs = new Map(rows.map((row) => [row.holdId, row]));
  const DAY = 86_400_000;
  const old = chosen.filter(({ at }) => plusMs(at, 42 * DAY) < stage.now).slice(0, AFTER_SETTLEMENT);
  const late = new Set(old);
  const others = chosen.filter((use) => !late.has(use));
  for (const [at, use] of [...old, ...others].slice(0, REVERSALS + WAITING).entries()) {
    const writeOff = writeOffs.get(use.id)!;
    const asked = plusMs(use.at, DAY * (late.has(use) ? 40 : random.int(1, 4)));
    const when = asked < stage.now ? asked : plusMs(stage.now, -minutes(30 + at));
    const whole = BigInt(writeOff.amount);
    const amount = at % 3 === 0 ? whole : whole / 2n;
    if (amount === 0n) continue;
    const post = stage.at(when);
    const { reversalId } = await requestReversal(post, {
      writeOffId: writeOff.id,
      amount,
      key: `demo:rv:${use.id}`,
      reasonCode: REASONS[at % REASONS.length]!,
      opinion: '顾客退货，门店已验收',
      requestedBy: { id: staff.card_a.id, name: staff.card_a.name },
    });
    if (at >= REVERSALS) continue;
    await carryOut(post, ledger, reversalId, { id: staff.card_r.id, name: staff.card_r.name });
    if (use.card.type.fundingMode === 'ON_USE') await accrueReversal(post, ledger, reversalId);
  }
}

/** The list that named the wrong 37 people is taken back as far as it was not spent, and the single grant whole. */
export async function writeRevocations(stage: Stage): Promise<void> {
  const { tx, ledger, staff } = stage;
  const lines = await own(tx)
    .selectFrom('cardGrantLine as l')
    .innerJoin('cardGrant as g', 'g.id', 'l.grantId')
    .selectAll('l')
    .select(['g.grantNo', 'g.createdAt'])
    .where((eb) => eb.or([eb('g.status', '=', 'REVOKED'), eb('g.purpose', 'like', '%误发%')]))
    .where('l.state', '=', 'SUCCESS')
    .orderBy('l.cardId')
    .execute();
  const now = lines.length === 0 ? stage.now : plusMs(lines.at(-1)!.createdAt, 4 * 86_400_000);
  const post = stage.at(now < stage.now ? now : stage.now);
  const postings = [];
  for (const { grantNo, createdAt: _at, ...line } of lines) {
    const { postings: own_ } = await revokeLine(
      ledger,
      { ...post, actor: { id: staff.card_r.id, name: staff.card_r.name } },
      { line, grantNo },
      undefined,
    );
    postings.push(...own_);
  }
  if (postings.length > 0) await ledger.postMany(post, postings);
}

/** Presents of sixty days that nobody used are gone; whoever gave them has them back. */
export async function sweepDemo(stage: Stage, cards: readonly DemoCard[]): Promise<void> {
  const { ledger, tx } = stage;
  const post = stage.at(stage.now);
  const byId = new Map(cards.map((card) => [card.id, card]));
  await ledger.openAccounts(
    post,
    [
      ...new Map(
        cards.filter(({ type, holder }) => type.kind === 'STORED_VALUE' && holder !== null).map(({ batch }) => [batch.id, batch]),
      ).values(),
    ].map(({ id, batchNo }) => ({
      ref: breakageOf(id),
      ownerName: batchNo,
    })),
  );
  const gone: { lotId: string; card: DemoCard }[] = [];
  for (;;) {
    const { swept } = await ledger.expireLots(post, {
      book: 'CARD',
      asOf: stage.now,
      limit: 200,
      sweep: async (lot) => {
        const card = byId.get(lot.owner.id)!;
        gone.push({ lotId: lot.id, card });
        return { type: 'CARD_EXPIRE', credit: breakageOf(card.batch.id), businessKey: `card:exp:${lot.id}:${dayOf(stage.now)}` };
      },
    });
    if (swept === 0) break;
  }
  const { rows } = await sql<{ lotId: string; amount: string }>`
    select m.lot_id, -sum(m.delta_remaining_fen) as amount
      from ledger_lot_move m
      where m.kind = 'EXPIRE' and m.lot_id = any(${gone.map(({ lotId }) => lotId)}::bigint[])
      group by m.lot_id`.execute(tx);
  const amounts = new Map(rows.map(({ lotId, amount }) => [lotId, BigInt(amount)]));
  await ledger.postMany(
    post,
    gone.map(({ lotId, card }) => ({
      businessKey: `card:expShare:${lotId}:demo`,
      book: 'CARD' as const,
      type: 'CARD_EXPIRE_SHARE',
      debit: [{ account: breakageOf(card.batch.id), amount: amounts.get(lotId)! }],
      credit: [
        {
          account:
            card.type.funder === 'CUSTOMER'
              ? bonusCostOf({ funder: 'PLATFORM', funderId: null, productCode: null })
              : receivableOf(card.type),
          amount: amounts.get(lotId)!,
        },
      ],
      ref: { type: 'cardLot', id: lotId },
      actor: SYSTEM,
    })),
  );
}

/** Cards that are frozen, ended, lost and replaced, before they are written. */
export async function writeFates(
  stage: Stage,
  cards: readonly DemoCard[],
  uses: readonly Use[],
  times: TimesRow[],
): Promise<() => Promise<void>> {
  const { ledger, staff } = stage;
  const used = new Set(uses.map(({ card }) => card.id));
  const idle = (kind: string) => cards.filter((card) => card.state === 'ACTIVE' && card.type.kind === kind && !used.has(card.id));
  // Coupons and services whose days are over.
  for (const card of [...idle('COUPON').slice(0, 22), ...idle('BENEFIT_CARD').slice(0, 14)]) {
    card.state = 'EXPIRED';
    card.expireAt = dayAt(stage, 140, '00:00') < stage.now ? dayAt(stage, 140, '00:00') : stage.now;
    for (const { benefitId, deltaLeft } of times.filter(({ cardId }) => cardId === card.id))
      times.push({
        cardId: card.id,
        benefitId,
        kind: 'EXPIRE',
        deltaLeft: -deltaLeft,
        deltaHeld: 0,
        key: `exp:${card.id}:${benefitId}`,
        refType: 'cardCard',
        refId: card.id,
        at: card.expireAt,
      });
  }
  const stored = cards.filter(({ state, type }) => state === 'ACTIVE' && type.kind === 'STORED_VALUE');
  const frozen = stored.slice(-50, -26);
  for (const [at, card] of frozen.entries())
    Object.assign(card, { state: 'FROZEN', frozenReason: (['LOST', 'RISK', 'REQUEST'] as const)[at % 3]! });
  const lost = stored.slice(-24);
  const stock = new Map<DemoType, DemoCard[]>(
    lost.map(({ type }) => [type, cards.filter((card) => card.type === type && card.state === 'IN_STOCK')]),
  );
  const when = stage.at(plusMs(stage.now, -minutes(60 * 24 * 9)));
  const by = { id: staff.card_r.id, name: staff.card_r.name };
  for (const old of lost) {
    const fresh = stock.get(old.type)?.shift();
    if (!fresh) continue;
    Object.assign(fresh, {
      state: 'ACTIVE',
      holder: old.holder,
      issuedAt: when.now,
      activatedAt: when.now,
      expireAt: old.expireAt,
      policyNo: old.policyNo,
      replacesCardId: old.id,
    } satisfies Partial<DemoCard>);
    Object.assign(old, { state: 'REPLACED', replacedByCardId: fresh.id } satisfies Partial<DemoCard>);
    const ownerName = stage.holders[old.holder!]!.name;
    await ledger.openAccounts(
      when,
      [principalOf, bonusOf].map((account) => ({ ref: account(fresh.id), ownerName })),
    );
    for (const account of [principalOf, bonusOf])
      await ledger.replaceAccount(when, {
        from: account(old.id),
        to: account(fresh.id),
        businessKey: `card:chg:demo:${old.id}:${account(old.id).type}`,
        type: 'CARD_MOVE_LOT',
        reason: '卡片丢失，补发新卡',
        actor: by,
      });
  }
  for (const { id } of frozen)
    for (const account of [principalOf, bonusOf]) await ledger.freeze(stage.at(stage.now), account(id), { reason: '演示冻结', actor: by });
  return async () => {
    // Lots of the cards that came instead.
    await sql`
      insert into card_lot (lot_id, card_id, kind, funder, funder_id, product_code, funding_mode, expiry_policy, grant_line_id)
      select n.id, a.owner_id::bigint, c.kind, c.funder, c.funder_id, c.product_code, c.funding_mode, c.expiry_policy, c.grant_line_id
        from ledger_lot n join ledger_account a on a.id = n.account_id join card_lot c on c.lot_id = n.parent_lot_id
       where a.book = 'CARD' and not exists (select from card_lot x where x.lot_id = n.id)`.execute(stage.tx);
  };
}

/** What is set aside this moment, some of it nearly over, and some that was released or ran out. */
export async function writeHolds(stage: Stage, cards: readonly DemoCard[]): Promise<void> {
  const { ledger, tx, merchants, goods, random } = stage;
  const { rows } = await sql<{ id: string; left: number }>`
    select id, (principal_avail + bonus_avail)::int as left
      from card_card
      where state = 'ACTIVE' and kind = 'STORED_VALUE' and principal_avail > 20000
      order by id limit 60`.execute(tx);
  void cards;
  for (const [at, card] of rows.slice(0, 54).entries()) {
    const merchant = merchants[at % merchants.length]!;
    const over = at >= 30;
    const when = over ? plusMs(stage.now, -minutes(60 * (at * 7))) : plusMs(stage.now, -minutes(2 + at));
    const order = String(990_000 + at);
    const line = (n: number): UseLine => ({
      orderLineId: `${order}${n}`,
      medicineId: null,
      categoryCode: null,
      goodsName: goods[(at * 2 + n) % goods.length]!,
      quantity: 1,
      amount: BigInt(random.int(1_200, 6_000)),
      merchantId: merchant.id,
      merchantName: merchant.name,
    });
    const post = stage.at(when);
    const [held] = await holdCards(post, ledger, {
      bizType: at % 4 === 1 ? 'MANUAL' : 'ORDER',
      bizId: order,
      bizNo: `DD${dayOf(when).replaceAll('-', '')}${order}`,
      key: `demo:live:${order}`,
      orderType: 'STORE_DIRECT',
      drugstoreId: merchant.id,
      drugstoreName: merchant.name,
      lines: [line(1), line(2)],
      cardIds: [card.id],
      // Four are nearly over, the others last a working day.
      expireAt: over ? plusMs(when, minutes(15)) : plusMs(stage.now, minutes(at < 4 ? 4 + at : 480 + at * 20)),
      operator: { id: merchant.id, name: merchant.name, type: at % 4 === 1 ? 'STAFF' : 'STORE' },
    });
    if (over) await releaseHold(stage.at(plusMs(when, minutes(9))), ledger, { holdId: held!.holdId, reason: '顾客取消订单', by: SYSTEM });
    await refreshCard(tx, ledger, card.id, stage.now);
  }
  // Of a third of what was released the time was over.
  await sql`
    update card_hold
      set state = 'TIMED_OUT', release_reason = '超时未核销', closed_at = expire_at
      where state = 'RELEASED' and id % 3 = 0`.execute(tx);
}

/** Orders that wait at the counter, so that a write-off by hand finds one. */
export async function writeOrders(stage: Stage): Promise<void> {
  const { merchants, goods, random } = stage;
  await bulk(
    stage.tx,
    'card_order_copy',
    Array.from({ length: 40 }, (_, at) => {
      const merchant = merchants[at % merchants.length]!;
      const orderId = String(995_000 + at);
      const time = plusMs(stage.now, -minutes(10 + at * 17));
      const lines = [1, 2].map((n) => ({
        orderLineId: `${orderId}${n}`,
        medicineId: null,
        categoryCode: null,
        goodsName: goods[(at + n) % goods.length]!,
        quantity: n,
        amount: String(random.int(1_500, 12_000)),
        merchantId: merchant.id,
        merchantName: merchant.name,
      }));
      return {
        orderId,
        orderNo: `DD${dayOf(time).replaceAll('-', '')}${orderId}`,
        orderType: 'STORE_DIRECT',
        patientId: null,
        drugstoreId: merchant.id,
        drugstoreName: merchant.name,
        payFen: String(lines.reduce((sum, { amount }) => sum + Number(amount), 0)),
        closed: at % 13 === 12,
        lines,
        orderTime: time,
        updatedAt: time,
      };
    }),
  );
}

/** What the nightly look found: one projection is really stale, the others are mended or in work. */
export async function writeFindings(stage: Stage): Promise<void> {
  const { tx, staff } = stage;
  const { rows } = await sql<{ id: string; cardNo: string; principalAvail: string }>`
    select id, card_no, principal_avail
      from card_card
      where kind = 'STORED_VALUE' and state = 'ACTIVE' and principal_avail > 0
      order by id desc limit 5`.execute(tx);
  const yuan = (fen: number) => (fen / 100).toFixed(2);
  const [stale, ...others] = rows;
  if (!stale) return;
  await sql`update card_card set principal_avail = principal_avail + 1300 where id = ${stale.id}`.execute(tx);
  const fen = Number(stale.principalAvail);
  const at = (days: number) => plusMs(stage.now, -days * 86_400_000);
  const finding = (code: string, card: { id: string; cardNo: string }, more: object) => ({
    invariantCode: code,
    subjectType: 'card',
    subjectId: card.id,
    subject: `卡 ${card.cardNo}`,
    ownerId: staff.card_a.id,
    ownerName: staff.card_a.name,
    fixNote: null,
    closedAt: null,
    version: 2,
    ...more,
  });
  const list = [
    finding('I9', stale, {
      expected: `本金${yuan(fen)} 赠金0.00 预占0.00`,
      actual: `本金${yuan(fen + 1_300)} 赠金0.00 预占0.00`,
      status: 'OPEN',
      ownerId: null,
      ownerName: null,
      foundAt: at(0.3),
      version: 1,
    }),
    finding('I9', others[0] ?? stale, {
      expected: '本金820.00 赠金0.00 预占0.00',
      actual: '本金800.00 赠金0.00 预占20.00',
      status: 'CLOSED',
      fixNote: '已按账簿重建余额',
      foundAt: at(21),
      closedAt: at(20.8),
    }),
    finding('I5', others[1] ?? stale, {
      expected: '35.00',
      actual: '70.00',
      status: 'CLOSED',
      fixNote: '重复推送的冲正已作废，复查已无差异',
      foundAt: at(34),
      closedAt: at(33),
    }),
    finding('I10', others[2] ?? stale, {
      subjectType: 'rightsApply',
      expected: '有剩余次数',
      actual: '权益申请已完成，卡上无剩余次数',
      status: 'FIXING',
      foundAt: at(6),
    }),
    finding('I3', others[3] ?? stale, {
      expected: '420',
      actual: '419',
      status: 'CLOSED',
      fixNote: '重试制卡后数量一致',
      foundAt: at(60),
      closedAt: at(60),
    }),
  ];
  const ids = await reserve(tx, 'card_finding', list.length);
  await bulk(
    tx,
    'card_finding',
    list.map((row, index) => ({ id: ids[index]!, ...row })),
  );
}
