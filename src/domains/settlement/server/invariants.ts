import { sql } from 'kysely';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, type Ledger } from '#domains/ledger/server/index.ts';
import { settlementPermissions as may } from '../contract/permissions.ts';
import { clawbackOf, inTransitOf, payableOf, pendingOf, taxPayableOf } from './chart.ts';

/** Rows that break a rule, counted by a statement: `n`. */
const STATEMENTS: readonly (readonly [name: string, statement: string])[] = [
  [
    '已作废结算单仍占用收入',
    `
      select count(*)::int as n
        from settlement_income i
        join settlement_bill b on b.id = i.bill_id
        where b.status = 'VOIDED'`,
  ],
  [
    '结算单应发与收入明细合计不符',
    `
      select count(*)::int as n
        from settlement_bill b
        where b.status <> 'VOIDED'
          and b.gross_fen <> (select coalesce(sum(i.gross_fen), 0) from settlement_income i where i.bill_id = b.id)`,
  ],
  [
    '已付款结算单没有等额的成功付款',
    `
      select count(*)::int as n
        from settlement_bill b
        where b.status = 'PAID'
          and not exists (
            select from settlement_payout_item i
              where i.bill_id = b.id and i.status = 'SUCCESS' and i.gross_fen = b.gross_fen and i.gross_fen = i.tax_fen + i.net_fen
          )`,
  ],
  [
    '付款批次合计与明细不符',
    `
      select count(*)::int as n
        from settlement_payout_batch b
        cross join lateral (
          select count(*) as items, coalesce(sum(i.gross_fen), 0) as gross, coalesce(sum(i.tax_fen), 0) as tax
            from settlement_payout_item i
            where i.batch_id = b.id and i.status <> 'CANCELLED'
        ) s
        where b.status <> 'VOIDED' and (b.item_count <> s.items or b.gross_fen <> s.gross or b.tax_fen <> s.tax)`,
  ],
  [
    '结算单有多笔在途或成功的付款',
    `
      select count(*)::int as n
        from (
          select 1
            from settlement_payout_item i
            where i.status not in ('FAILED', 'RETURNED', 'CANCELLED')
            group by i.bill_id
            having count(*) > 1
        ) x`,
  ],
  [
    '激励项目占用超出预算',
    `
      select count(*)::int as n
        from settlement_program p
        where p.used_fen + p.reserved_fen > p.budget_fen`,
  ],
  [
    '制单与审核为同一人',
    `
      select (
        (select count(*) from settlement_bill b where b.submitted_by = b.audited_by)
          + (select count(*) from settlement_payout_batch b where b.maker_id in (b.checker_id, b.second_checker_id))
          + (select count(*) from settlement_adjust a where a.maker_id in (a.checker_id, a.second_checker_id))
          + (select count(*) from settlement_period p where p.started_by = p.closed_by)
      )::int as n`,
  ],
];

interface Owed {
  doctorId: string;
  payerId: string;
  /** What the incomes and bills say that the books hold for the doctor. */
  owed: string;
  /** Of it what is set aside for bills. */
  held: string;
}
const CHUNK = 500;
const owedBehind = async (db: Db | Tx, last: Pick<Owed, 'doctorId' | 'payerId'>): Promise<Owed[]> => {
  const { rows } = await sql<Owed>`
    select d.doctor_id, p.id as payer_id,
        (
          coalesce((
            select sum(i.gross_fen)
              from settlement_income i
              where i.doctor_id = d.doctor_id and i.payer_entity_id = p.id and i.status in ('PENDING', 'AVAILABLE', 'HELD', 'LOCKED')
                and i.waits_for is null
          ), 0)
          - coalesce((
            select sum(t.gross_fen)
              from settlement_payout_item t
              join settlement_payout_batch b on b.id = t.batch_id
              where t.doctor_id = d.doctor_id and b.payer_entity_id = p.id and t.status in ('PENDING', 'UNKNOWN')
          ), 0)
        )::text as owed,
        coalesce((
          select sum(b.gross_fen)
            from settlement_bill b
            where b.doctor_id = d.doctor_id and b.payer_entity_id = p.id and b.hold_id is not null
        ), 0)::text as held
      from settlement_doctor d
      cross join settlement_payer p
      where (d.doctor_id, p.id) > (${last.doctorId}::bigint, ${last.payerId}::bigint)
      order by d.doctor_id, p.id
      limit ${CHUNK}`.execute(db);
  return rows;
};

/** N5: what the books hold for each doctor with each company is what his incomes and bills say. @returns how many differ */
async function doctorsOff(db: Db | Tx, ledger: Ledger, now: Instant): Promise<number> {
  let off = 0;
  for (let last = { doctorId: '0', payerId: '0' }; ;) {
    const rows = await owedBehind(db, last);
    const found = await ledger.balancesIfAny(
      db,
      rows.flatMap(({ doctorId, payerId }) => [pendingOf, payableOf, clawbackOf].map((of) => of(doctorId, payerId))),
      now,
    );
    for (const [at, { owed, held }] of rows.entries()) {
      const [pending, payable, claw] = found.slice(at * 3, at * 3 + 3);
      const books = (pending?.posted ?? 0n) + (payable?.posted ?? 0n) - (claw?.posted ?? 0n);
      if (books !== BigInt(owed) || (payable?.held ?? 0n) !== BigInt(held)) off += 1;
    }
    if (rows.length < CHUNK) return off;
    last = rows.at(-1)!;
  }
}

/** N6, N7: what is on its way is what the bank has not answered, what is owed to the tax office what was withheld and not declared. */
async function payersOff(db: Db | Tx, ledger: Ledger, now: Instant): Promise<{ transit: number; tax: number }> {
  const { rows } = await sql<{ id: string; transit: string; tax: string }>`
    select p.id,
        coalesce((
          select sum(i.net_fen)
            from settlement_payout_item i
            join settlement_payout_batch b on b.id = i.batch_id
            where b.payer_entity_id = p.id and i.status in ('PENDING', 'UNKNOWN')
        ), 0)::text as transit,
        (
          coalesce((select sum(r.tax_fen) from settlement_tax_record r where r.payer_entity_id = p.id), 0)
            - coalesce((select sum(m.declared_fen) from settlement_tax_month m where m.payer_entity_id = p.id), 0)
        )::text as tax
      from settlement_payer p
      order by p.id`.execute(db);
  const found = await ledger.balancesIfAny(
    db,
    rows.flatMap(({ id }) => [inTransitOf(id), taxPayableOf(id)]),
    now,
  );
  const differs = (at: number, fen: string) => (found[at]?.posted ?? 0n) !== BigInt(fen);
  return {
    transit: rows.filter(({ transit }, n) => differs(n * 2, transit)).length,
    tax: rows.filter(({ tax }, n) => differs(n * 2 + 1, tax)).length,
  };
}

/** What does not add up, in words: rules of the tables, and what the books say beside them. Read it in one snapshot. */
export async function findFaults(db: Db | Tx, ledger: Ledger, now: Instant): Promise<string[]> {
  const faults: [name: string, count: number][] = [];
  for (const [name, statement] of STATEMENTS) {
    const { rows } = await sql.raw<{ n: number }>(statement).execute(db);
    faults.push([name, rows[0]!.n]);
  }
  const { transit, tax } = await payersOff(db, ledger, now);
  faults.push(
    ['医生账户余额与收入、结算单不符', await doctorsOff(db, ledger, now)],
    ['付款在途与未回盘付款不符', transit],
    ['应交个税与扣税记录不符', tax],
  );
  return faults.filter(([, count]) => count > 0).map(([name, count]) => `${name} ${count}条`);
}

/** Counts at night what breaks a rule, and tells whoever looks after payments. */
export const nightlyJob = (kernel: Kernel): JobDeclaration => ({
  name: 'settlement.nightly',
  label: '结算数据核对',
  cron: '20 3 * * *',
  expireSeconds: 3_600,
  run: (_data, ctx) =>
    ctx.transaction(async ({ tx }) => {
      await sql`set transaction isolation level repeatable read`.execute(tx);
      const faults = await findFaults(tx, ledgerOf(kernel), ctx.now);
      if (faults.length === 0) return;
      await kernel.ports.notices.addAlert(
        tx,
        {
          businessKey: `settlement.invariants:${dayOf(ctx.now)}`,
          title: '结算数据核对发现异常',
          body: faults.join('；'),
          link: '/incomeSettle',
          permission: may['payout.check'].code,
        },
        ctx.now,
      );
    }),
});
