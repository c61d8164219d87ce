import { sql } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { invoicePermissions as may } from '../contract/permissions.ts';

/** Rows that break a rule, counted by a statement: `n`. */
const STATEMENTS: readonly (readonly [name: string, statement: string])[] = [
  [
    '收款单的退款占用与退款单不符',
    `
      select count(*)::int as n
        from invoice_payment p
        cross join lateral (
          select coalesce(sum(r.amount_fen) filter (where r.status not in ('REJECTED', 'FAILED')), 0) as reserved,
              coalesce(sum(r.amount_fen) filter (where r.status = 'SUCCESS'), 0) as refunded
            from invoice_refund r
            where r.payment_id = p.id
        ) s
        where p.reserved_fen <> s.reserved or p.refunded_fen <> s.refunded`,
  ],
  [
    '同一订单有多笔有效收款',
    `
      select count(*)::int as n
        from (
          select 1
            from invoice_payment p
            where p.status = 'SUCCESS' and p.flag is null
            group by p.source_type, p.source_id
            having count(*) > 1
        ) x`,
  ],
  [
    '退款批次合计与明细不符',
    `
      select count(*)::int as n
        from invoice_refund_batch b
        cross join lateral (
          select count(*) as items, coalesce(sum(i.amount_fen), 0) as amount,
              count(*) filter (where i.outcome = 'SUCCESS') as ok, count(*) filter (where i.outcome = 'FAILED') as failed
            from invoice_refund_batch_item i
            where i.batch_id = b.id
        ) s
        where b.item_count <> s.items or b.amount_fen <> s.amount or b.ok_count <> s.ok or b.fail_count <> s.failed`,
  ],
  [
    '退款不在其批次的未结明细中',
    `
      select count(*)::int as n
        from invoice_refund r
        where r.batch_id is not null and r.status in ('IN_BATCH', 'PROCESSING', 'CHECKING', 'UNKNOWN')
          and not exists (
            select from invoice_refund_batch_item i where i.batch_id = r.batch_id and i.refund_id = r.id and i.outcome is null
          )`,
  ],
  [
    '重复支付或关单后到账没有退款单',
    `
      select count(*)::int as n
        from invoice_payment p
        where p.flag in ('DUPLICATE', 'LATE') and not exists (select from invoice_refund r where r.payment_id = p.id)`,
  ],
];

/** Names of the rules that rows break, with how many. */
export async function brokenInvariants(db: Db | Tx): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, statement] of STATEMENTS) {
    const { rows } = await sql.raw<{ n: number }>(statement).execute(db);
    if (rows[0]!.n > 0) faults.push(`${name} ${rows[0]!.n}条`);
  }
  return faults;
}

/** Counts at night what breaks a rule, and tells whoever looks after refunds. */
export const nightlyJob = (kernel: Kernel): JobDeclaration => ({
  name: 'invoice.nightly',
  label: '收款与退款核对',
  cron: '40 3 * * *',
  expireSeconds: 3_600,
  run: (_data, ctx) =>
    ctx.transaction(async ({ tx }) => {
      await sql`set transaction isolation level repeatable read`.execute(tx);
      const faults = await brokenInvariants(tx);
      if (faults.length === 0) return;
      await kernel.ports.notices.addAlert(
        tx,
        {
          businessKey: `invoice.invariants:${dayOf(ctx.now)}`,
          title: '收款与退款核对发现异常',
          body: faults.join('；'),
          link: '/invoice',
          permission: may['refund.approve'].code,
        },
        ctx.now,
      );
    }),
});
