import { sql } from 'kysely';
import { yuan } from '#kernel/contract/money.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Ledger } from '#domains/ledger/server/index.ts';
import { invariants, type Invariant } from '../../contract/useDictionaries.ts';
import { lostValue } from '../batches/value.ts';
import { merchantPayable } from '../chart.ts';
import { addFinding, type NewFinding } from './add.ts';
import { carriedTwice, overpaid, type FoundRow, type FoundRows } from './limits.ts';

type Found = Omit<NewFinding, 'code'>;
type Look = (tx: Tx, ledger: Ledger, now: Instant) => Promise<Found[]>;

const rows =
  (statement: FoundRows): Look =>
  async (tx) =>
    (await statement.execute(tx)).rows.map(({ type, id, ...row }) => ({ ...row, subjectType: type, subjectId: id }));

/** What the books say of every card, beside what the card's row says. */
const projections: Look = async (tx, ledger) => {
  const owners = await ledger.ownerTotals(tx, 'CARD', 'cardAccount');
  const { rows: cards } = await sql<{ id: string; cardNo: string; principal: string; bonus: string; held: string }>`
    select id, card_no, principal_avail as principal, bonus_avail as bonus, held_amount as held
      from card_card
      where kind = 'STORED_VALUE'`.execute(tx);
  const accountsOf = new Map(owners.map((one) => [`${one.ownerId}:${one.accountType}`, one]));
  return cards.flatMap((card): Found[] => {
    const principal = accountsOf.get(`${card.id}:CARD_PRINCIPAL`);
    const bonus = accountsOf.get(`${card.id}:CARD_BONUS`);
    const expected = {
      principal: (principal?.posted ?? 0n) - (principal?.held ?? 0n),
      bonus: (bonus?.posted ?? 0n) - (bonus?.held ?? 0n),
      held: (principal?.held ?? 0n) + (bonus?.held ?? 0n),
    };
    const same =
      String(expected.principal) === card.principal && String(expected.bonus) === card.bonus && String(expected.held) === card.held;
    const text = (one: { principal: bigint | string; bonus: bigint | string; held: bigint | string }) =>
      `本金${yuan(one.principal)} 赠金${yuan(one.bonus)} 预占${yuan(one.held)}`;
    return same
      ? []
      : [{ subjectType: 'card', subjectId: card.id, subject: `卡 ${card.cardNo}`, expected: text(expected), actual: text(card) }];
  });
};

/** What merchants are owed in the books is what of write-offs is not settled. */
const merchants: Look = async (tx, ledger) => {
  const owners = await ledger.ownerTotals(tx, 'CARD', 'merchant');
  const { rows: owed } = await sql<{ merchantId: string; merchantName: string; owed: string }>`
    select m.merchant_id, max(m.merchant_name) as merchant_name, sum(m.owed) as owed from (
      select w.merchant_id, w.merchant_name, w.net_amount - (w.reversed_amount - w.reversed_fee) as owed from card_write_off w
      union all
      select b.counterparty_id, b.counterparty_name, l.net from card_settlement_line l join card_settlement_bill b on b.id = l.bill_id
       where l.source_type = 'ADJUST' and l.live and not l.carries and b.direction = 'PAYABLE'
         and exists (select from card_settlement_line o where o.id = l.source_id and o.resolution = 'THEIRS')
      union all
      select b.counterparty_id, b.counterparty_name, -b.settled_amount from card_settlement_bill b where b.direction = 'PAYABLE'
    ) m group by m.merchant_id`.execute(tx);
  const postedOf = new Map(
    owners.filter(({ accountType }) => accountType === merchantPayable('1').type).map((one) => [one.ownerId, one.posted]),
  );
  return owed
    .filter((one) => (postedOf.get(one.merchantId) ?? 0n) !== BigInt(one.owed))
    .map((one) => ({
      subjectType: 'merchant',
      subjectId: /^\d+$/.test(one.merchantId) ? one.merchantId : '0',
      subject: one.merchantName,
      expected: yuan(one.owed),
      actual: yuan(postedOf.get(one.merchantId) ?? 0n),
    }));
};

/** Times on cards are what their moves add up to. */
const timesMoved: Look = rows(sql<FoundRow>`
  select 'card' as type, c.id, '卡次数 ' || c.card_no as subject, sum(m.delta_left)::text || '/' || sum(m.delta_held)::text as expected,
      b.left_times || '/' || b.held_times as actual
    from card_times_balance b
    join card_card c on c.id = b.card_id
    join card_times_move m on m.card_id = b.card_id and m.benefit_id = b.benefit_id
    group by c.id, c.card_no, b.left_times, b.held_times, b.benefit_id
    having sum(m.delta_left) <> b.left_times or sum(m.delta_held) <> b.held_times`);

/** All that was granted to the cards of a batch is left, used, over, taken back, or on the cards that came instead. */
const valueKept = async (tx: Tx, ledger: Ledger): Promise<Found[]> =>
  (await lostValue(tx, ledger)).map(({ batchId, batchNo, granted, found }) => ({
    subjectType: 'batch',
    subjectId: batchId,
    subject: `批次 ${batchNo}`,
    expected: yuan(granted),
    actual: yuan(found),
  }));

const looks: Readonly<Record<Invariant, Look>> = {
  I1: async (tx, ledger) =>
    (await ledger.unbalanced(tx, 'CARD')).map((one) => ({
      subjectType: 'transfer',
      subjectId: one.id,
      subject: `凭证 ${one.transferNo}`,
      expected: yuan(one.debit),
      actual: yuan(one.credit),
    })),
  I2: rows(sql<FoundRow>`
    select 'card' as type, c.id, '卡 ' || c.card_no as subject, '不小于0' as expected,
      (least(c.principal_avail, c.bonus_avail, c.held_amount) / 100.0)::numeric(18, 2)::text as actual
      from card_card c where c.principal_avail < 0 or c.bonus_avail < 0 or c.held_amount < 0
    union all
    select 'card', b.card_id, '卡次数 ' || c.card_no, '剩余不少于预占', b.left_times || '/' || b.held_times
      from card_times_balance b join card_card c on c.id = b.card_id where b.left_times < b.held_times or b.held_times < 0`),
  I3: rows(sql<FoundRow>`
    select 'batch' as type, b.id, '批次 ' || b.batch_no as subject, b.quantity::text as expected, count(c.id)::text as actual
      from card_batch b left join card_card c on c.batch_id = b.id
     where b.status in ('GENERATED', 'EXPORTED', 'CLOSED') group by b.id having count(c.id) <> b.quantity`),
  I4: async (tx, ledger, now) => [...(await timesMoved(tx, ledger, now)), ...(await valueKept(tx, ledger))],
  I5: rows(sql<FoundRow>`
    select 'writeOff' as type, w.id, '核销 ' || w.write_off_no as subject,
        (coalesce(sum(r.amount), 0) / 100.0)::numeric(18, 2)::text as expected, (w.reversed_amount / 100.0)::numeric(18, 2)::text as actual
      from card_write_off w
      left join card_reversal r on r.write_off_id = w.id and r.status = 'DONE'
      group by w.id
      having coalesce(sum(r.amount), 0) <> w.reversed_amount or w.reversed_amount > w.amount`),
  I6: async (tx, ledger) =>
    (await ledger.overdrawnLots(tx, 'CARD')).map((one) => ({
      subjectType: 'lot',
      subjectId: one.id,
      subject: `资金批 ${one.lotNo}`,
      expected: '剩余不少于预占',
      actual: `${yuan(one.remaining)}/${yuan(one.held)}`,
    })),
  I7: rows(sql<FoundRow>`
    select 'settlementLine' as type, min(l.id) as id, l.source_no as subject, '1' as expected, count(*)::text as actual
      from card_settlement_line l
      where l.live and l.source_id is not null
      group by l.source_type, l.source_id, l.direction, l.source_no
      having count(*) > 1`),
  I8: rows(sql<FoundRow>`
    select 'settlementBill' as type, b.id, '结算单 ' || b.bill_no as subject,
        (coalesce(sum(l.net), 0) / 100.0)::numeric(18, 2)::text as expected, (b.net_amount / 100.0)::numeric(18, 2)::text as actual
      from card_settlement_bill b
      left join card_settlement_line l on l.bill_id = b.id and l.live
      where b.status <> 'VOIDED'
      group by b.id
      having coalesce(sum(l.net), 0) <> b.net_amount
    union all
    select 'settlementBatch', s.id, '结算批次 ' || s.batch_no, (coalesce(sum(b.net_amount), 0) / 100.0)::numeric(18, 2)::text,
        (s.net_amount / 100.0)::numeric(18, 2)::text
      from card_settlement_batch s
      left join card_settlement_bill b on b.batch_id = s.id and b.status <> 'VOIDED'
      where s.status not in ('VOIDED', 'GENERATING')
      group by s.id
      having coalesce(sum(b.net_amount), 0) <> s.net_amount`),
  I9: projections,
  I10: rows(sql<FoundRow>`
    select 'card' as type, h.card_id as id, '优惠券 ' || c.card_no as subject, '1' as expected, count(*)::text as actual
      from card_hold h
      join card_card c on c.id = h.card_id
      where h.kind = 'COUPON' and h.state in ('HELD', 'CAPTURED') and h.restored_at is null
      group by h.card_id, c.card_no
      having count(*) > 1`),
  I11: rows(sql<FoundRow>`
    select 'card' as type, c.id, '卡 ' || c.card_no as subject, '仅保存卡密散列' as expected, '卡密未散列' as actual from card_card c
     where c.secret_hash is not null and char_length(c.secret_hash) < 32`),
  I12: merchants,
  I13: rows(overpaid),
  I14: rows(carriedTwice),
};

/** Looks at the invariants, says what is wrong, and closes what is right again. */
export async function lookAll(
  writing: { tx: Tx; now: Instant },
  ledger: Ledger,
  codes: readonly Invariant[],
): Promise<{ checked: number; found: number; closed: number }> {
  const { tx, now } = writing;
  const chosen = codes.length > 0 ? codes : invariants.codes;
  let found = 0;
  let closed = 0;
  for (const code of chosen) {
    const wrong = await looks[code](tx, ledger, now);
    for (const one of wrong) await addFinding(writing, { ...one, code });
    found += wrong.length;
    const keys = wrong.map(({ subjectType, subjectId }) => `${subjectType}:${subjectId}`);
    const { numAffectedRows } = await sql`
      update card_finding
        set status = 'CLOSED', closed_at = ${now}::timestamptz, fix_note = coalesce(fix_note, '复查已无差异'), version = version + 1
        where invariant_code = ${code}
          and status <> 'CLOSED'
          and subject_type <> 'rightsApply'
          and not (subject_type || ':' || subject_id = any(${keys}::text[]))`.execute(tx);
    closed += Number(numAffectedRows ?? 0n);
  }
  return { checked: chosen.length, found, closed };
}
