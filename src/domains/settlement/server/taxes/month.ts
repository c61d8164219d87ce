import { sql } from 'kysely';
import { yuan } from '#kernel/contract/money.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';
import type { JobDeclaration } from '#kernel/server/kernel.ts';
import { taxMonthMachine } from '../../contract/taxStates.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { payerRecords, taxMonthRecords, type TaxMonthRecord } from '../access.ts';
import { own } from '../database.ts';

/** What stands in the records of a month. */
export interface MonthSums {
  taxFen: bigint;
  grossFen: bigint;
  /** Payments of the month that the bank has not answered. */
  openCount: number;
}
export async function sumsOf(tx: Db | Tx, { payerEntityId, taxMonth }: Pick<TaxMonthRecord, 'payerEntityId' | 'taxMonth'>) {
  const { rows } = await sql<{ tax: string; gross: string; open: number }>`
    select coalesce(sum(r.tax_fen), 0)::text as tax, coalesce(sum(r.gross_fen), 0)::text as gross,
        (
          select count(*)::int
            from settlement_payout_item i
            join settlement_payout_batch b on b.id = i.batch_id
            where b.payer_entity_id = ${payerEntityId} and b.tax_month = ${taxMonth} and i.status in ('PENDING', 'UNKNOWN')
        ) as open
      from settlement_tax_record r
      where r.payer_entity_id = ${payerEntityId} and r.tax_month = ${taxMonth}`.execute(tx);
  const { tax: taxFen, gross, open } = rows[0]!;
  return { taxFen: BigInt(taxFen), grossFen: BigInt(gross), openCount: open } satisfies MonthSums;
}

const correctionJob: JobKind<{ id: string; month: string }> = {
  name: 'settlement.tellCorrection',
  label: '提醒更正个税申报',
  retryLimit: 8,
  subject: ({ month }) => month,
};
/** Of the to-do; one for each time that a declared month must be corrected. */
export const correctionKey = ({ id, declareCount }: Pick<TaxMonthRecord, 'id' | 'declareCount'>): string =>
  `settlement:taxMonth:${id}:${declareCount}`;

/** A month whose records change is locked before the accounts; one that was declared must be corrected. */
export async function noteTaxChange(ctx: Acting, payerEntityId: string, taxMonth: string): Promise<void> {
  await own(ctx.tx)
    .insertInto('settlementTaxMonth')
    .values({ payerEntityId, taxMonth, createdAt: ctx.now, updatedAt: ctx.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const month = await own(ctx.tx)
    .selectFrom('settlementTaxMonth')
    .selectAll()
    .where('payerEntityId', '=', payerEntityId)
    .where('taxMonth', '=', taxMonth)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (month.status !== 'DECLARED') return;
  const status = await moveState(ctx, taxMonthMachine, {
    targetType: taxMonthRecords.type,
    targetId: month.id,
    targetNo: taxMonth,
    action: 'reopen',
    from: month.status,
  });
  await own(ctx.tx)
    .updateTable('settlementTaxMonth')
    .set((eb) => ({ status, version: eb('version', '+', 1), updatedAt: ctx.now, updatedBy: null }))
    .where('id', '=', month.id)
    .execute();
  await ctx.enqueue(correctionJob, { id: month.id, month: taxMonth });
}

/** Whoever declares is told of a month that must be corrected, unless that was done meanwhile. */
export const correctionReminder: JobDeclaration<{ id: string; month: string }> = {
  ...correctionJob,
  run: ({ id }, ctx) =>
    ctx.transaction(async ({ tx }) => {
      const month = await taxMonthRecords.lock(tx, taxMonthRecords.everyone, id);
      if (month.status !== 'CORRECTING') return;
      const payer = await payerRecords.get(tx, payerRecords.everyone, month.payerEntityId);
      const { taxFen } = await sumsOf(tx, month);
      await ctx.kernel.ports.notices.addTodo(
        tx,
        {
          businessKey: correctionKey(month),
          title: `${month.taxMonth}个税需更正申报`,
          body: `${payer.entityName}申报后扣税记录由${yuan(month.declaredFen, true)}元变为${yuan(taxFen, true)}元，请更正申报。`,
          link: '/incomeSettle?tab=declare',
          permission: may['tax.declare'].code,
        },
        ctx.now,
      );
    }),
};
