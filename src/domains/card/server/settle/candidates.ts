import { sql, type RawBuilder } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { BizLine, CardKind } from '../../contract/dictionaries.ts';
import type { CounterpartyType, LineSource, SettlementDirection } from '../../contract/useDictionaries.ts';
import { billSums, type BillSums } from '../../contract/rules/settlement.ts';

/** What a settlement is made for. */
export interface SettlementScope {
  direction: SettlementDirection;
  kind: CardKind;
  bizLine: BizLine;
  cutoffAt: Instant;
  counterpartyIds: readonly string[];
}

/** What may become a line: signed, the reversal of something negative. */
export interface Candidate {
  sourceType: LineSource;
  sourceId: string;
  sourceNo: string;
  orderNo: string | null;
  counterpartyType: CounterpartyType;
  counterpartyId: string;
  counterpartyName: string;
  productCode: string | null;
  amount: bigint;
  fee: bigint;
  doneAt: Instant | null;
}
type Row = Omit<Candidate, 'amount' | 'fee'> & { amount: string; fee: string };

const typeFilter = ({ kind, bizLine }: SettlementScope) => sql`t.kind = ${kind} and t.biz_line = ${bizLine}`;
/** Once in a bill that lives: late things join the next batch by themselves. */
const unbilled = (source: LineSource, id: RawBuilder<unknown>, direction: SettlementDirection) => sql`
  not exists (
    select from card_settlement_line billed
      where billed.source_type = ${source} and billed.source_id = ${id} and billed.direction = ${direction} and billed.live
  )`;

/**
 * Who funded what was used and of which product, as the books have it: by the lot that it was taken from, one that a funder owes for
 * before others; what has no lots (times, coupons) by its type, whose funder and product are fixed once it is enabled.
 */
const underLot = sql`
  join card_hold h on h.id = w.hold_id
  left join lateral (
    select l.funder, l.funder_id, l.product_code
      from jsonb_array_elements(h.lots) with ordinality as part (lot, place)
      join card_lot l on l.lot_id = (part.lot ->> 'lotId')::bigint
      order by (l.kind = 'PRINCIPAL' and l.funding_mode = 'ON_USE') desc, part.place
      limit 1
  ) issued on true
  cross join lateral (
    select coalesce(issued.funder, t.funder) as funder,
        case when issued.funder is null then t.funder_id else issued.funder_id end as funder_id,
        case when issued.funder is null then t.product_code else issued.product_code end as product_code
  ) under`;
const merchant = sql`
  'MERCHANT' as counterparty_type, w.merchant_id as counterparty_id, w.merchant_name as counterparty_name, under.product_code`;
const funder = sql`
  under.funder as counterparty_type, coalesce(under.funder_id::text, '0') as counterparty_id, t.funder_name as counterparty_name,
  under.product_code`;
/** What was granted is owed at once, under its type: no lot of it is fixed. */
const grantor = sql`
  t.funder as counterparty_type, coalesce(t.funder_id::text, '0') as counterparty_id, t.funder_name as counterparty_name, t.product_code`;

const payable = (scope: SettlementScope) => sql`
  select 'WRITE_OFF' as source_type, w.id as source_id, w.write_off_no as source_no, w.order_no, ${merchant}, w.amount, w.fee_amount as fee,
    w.done_at
    from card_write_off w join card_type t on t.id = w.card_type_id ${underLot}
   where ${typeFilter(scope)}
     and w.amount > 0
     and w.done_at <= ${scope.cutoffAt}::timestamptz
     and ${unbilled('WRITE_OFF', sql`w.id`, 'PAYABLE')}
  union all
  select 'REVERSAL', r.id, r.reversal_no, w.order_no, ${merchant}, -r.amount, -r.fee_amount, r.done_at
    from card_reversal r join card_write_off w on w.id = r.write_off_id join card_type t on t.id = w.card_type_id ${underLot}
   where ${typeFilter(scope)}
     and r.status = 'DONE'
     and r.amount > 0
     and r.done_at <= ${scope.cutoffAt}::timestamptz
     and ${unbilled('REVERSAL', sql`r.id`, 'PAYABLE')}`;

const receivable = (scope: SettlementScope) => sql`
  select 'WRITE_OFF' as source_type, w.id as source_id, w.write_off_no as source_no, w.order_no, ${funder}, w.receivable_amount as amount,
    0::bigint as fee, w.done_at
    from card_write_off w join card_type t on t.id = w.card_type_id ${underLot}
   where ${typeFilter(scope)}
     and w.receivable_amount > 0
     and w.done_at <= ${scope.cutoffAt}::timestamptz
     and ${unbilled('WRITE_OFF', sql`w.id`, 'RECEIVABLE')}
  union all
  select 'REVERSAL', r.id, r.reversal_no, w.order_no, ${funder}, -r.receivable_amount, 0, r.done_at
    from card_reversal r join card_write_off w on w.id = r.write_off_id join card_type t on t.id = w.card_type_id ${underLot}
   where ${typeFilter(scope)}
     and r.status = 'DONE'
     and r.receivable_amount > 0
     and r.done_at <= ${scope.cutoffAt}::timestamptz
     and ${unbilled('REVERSAL', sql`r.id`, 'RECEIVABLE')}
  union all
  select 'GRANT', m.id, m.source_no, null, ${grantor}, m.amount, 0, m.at
    from card_grant_due m join card_type t on t.id = m.card_type_id
   where ${typeFilter(scope)} and m.at <= ${scope.cutoffAt}::timestamptz and ${unbilled('GRANT', sql`m.id`, 'RECEIVABLE')}`;

/** What an earlier bill left to the next: a negative amount, a line moved on. */
const carried = (scope: SettlementScope) => sql`
  select 'ADJUST' as source_type, l.id as source_id, b.bill_no || '-' || l.id as source_no, l.order_no, b.counterparty_type,
      b.counterparty_id, b.counterparty_name, b.product_code, -l.amount as amount, -l.fee as fee, null::timestamptz as done_at
    from card_settlement_line l
    join card_settlement_bill b on b.id = l.bill_id
    join card_settlement_batch s on s.id = b.batch_id
    where l.carries
      and l.live
      and b.direction = ${scope.direction}
      and s.kind = ${scope.kind}
      and s.biz_line = ${scope.bizLine}
      and ${unbilled('ADJUST', sql`l.id`, scope.direction)}`;

/** Everything that a settlement of this scope takes, in one order. */
export async function candidatesOf(db: Db | Tx, scope: SettlementScope): Promise<Candidate[]> {
  const own = scope.direction === 'PAYABLE' ? payable(scope) : receivable(scope);
  const only = scope.counterpartyIds.length > 0 ? sql`where c.counterparty_id = any(${[...scope.counterpartyIds]}::text[])` : sql``;
  const { rows } = await sql<Row>`
    select * from (${own} union all ${carried(scope)}) c ${only}
     order by c.counterparty_type, c.counterparty_id, c.product_code nulls first, c.done_at nulls first, c.source_type,
       c.source_id`.execute(db);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount), fee: BigInt(row.fee) }));
}

export interface PlannedBill extends Pick<Candidate, 'counterpartyType' | 'counterpartyId' | 'counterpartyName' | 'productCode'> {
  lines: Candidate[];
  /** What the next period gets, because this one would be negative. */
  carry: bigint;
  sums: BillSums;
}

/** One bill for each counterparty and product; a negative one is carried to the next period. */
export function planBills(candidates: readonly Candidate[]): PlannedBill[] {
  return [...Map.groupBy(candidates, (one) => JSON.stringify([one.counterpartyType, one.counterpartyId, one.productCode])).values()].map(
    (lines) => {
      const { counterpartyType, counterpartyId, counterpartyName, productCode } = lines[0]!;
      const before = billSums(lines);
      const carry = before.net < 0n ? -before.net : 0n;
      const sums = carry > 0n ? billSums([...lines, { sourceType: 'ADJUST', amount: carry, fee: 0n }]) : before;
      return { counterpartyType, counterpartyId, counterpartyName, productCode, lines, carry, sums };
    },
  );
}

export const totalOf = (bills: readonly PlannedBill[]) => {
  const sum = (of: (bill: PlannedBill) => bigint) => bills.reduce((total, bill) => total + of(bill), 0n);
  return {
    gross: sum(({ sums }) => sums.gross),
    reversal: sum(({ sums }) => sums.reversal),
    fee: sum(({ sums }) => sums.fee),
    net: sum(({ sums }) => sums.net),
    lineCount: bills.reduce((total, { lines, carry }) => total + lines.length + (carry > 0n ? 1 : 0), 0),
  };
};

/** What a settlement of this scope leaves out, and why. */
export async function excludedOf(db: Db | Tx, scope: SettlementScope): Promise<{ reason: string; count: number; amount: number }[]> {
  const amount = scope.direction === 'PAYABLE' ? sql.ref('w.amount') : sql.ref('w.receivable_amount');
  const { rows } = await sql<{
    late: number;
    lateSum: string;
    billed: number;
    billedSum: string;
    free: number;
    pending: number;
    pendingSum: string;
  }>`
    select count(*) filter (where w.done_at > ${scope.cutoffAt}::timestamptz)::int as late,
        coalesce(sum(${amount}) filter (where w.done_at > ${scope.cutoffAt}::timestamptz), 0) as late_sum,
        count(*) filter (where b.no is not null and not b.over)::int as billed,
        coalesce(sum(${amount}) filter (where b.no is not null and not b.over), 0) as billed_sum,
        count(*) filter (where ${amount} = 0)::int as free, count(*) filter (where p.id is not null)::int as pending,
        coalesce(sum(p.amount), 0) as pending_sum
      from card_write_off w
      join card_type t on t.id = w.card_type_id
      left join lateral (
        select bill.bill_no as no, bill.status in ('SETTLED') as over
          from card_settlement_line l
          join card_settlement_bill bill on bill.id = l.bill_id
          where l.source_type = 'WRITE_OFF' and l.source_id = w.id and l.direction = ${scope.direction} and l.live limit 1
      ) b on true
      left join card_reversal p on p.write_off_id = w.id and p.status = 'PENDING'
      where ${typeFilter(scope)}`.execute(db);
  const row = rows[0]!;
  return [
    { reason: '截止时间之后的核销', count: row.late, amount: Number(row.lateSum) },
    { reason: '已在其他未结清的结算单中', count: row.billed, amount: Number(row.billedSum) },
    { reason: '待复核的冲正，通过后进入下期', count: row.pending, amount: Number(row.pendingSum) },
    {
      reason: scope.direction === 'PAYABLE' ? '结算单价为0的权益核销' : '预付、售卡、平台承担部分，不产生应收',
      count: row.free,
      amount: 0,
    },
  ].filter(({ count }) => count > 0);
}
