import { accountFrozen, accountUnfrozen } from '#events/ledger.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { ConsumerContext, Kernel } from '#kernel/server/kernel.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { clawbackOf, payableOf, pendingOf } from '../chart.ts';
import { own } from '../database.ts';

/** With which company a doctor has this account of the books; null: the account is none of ours. */
async function payerOf(kernel: Kernel, ctx: ConsumerContext, doctorId: string, accountNo: string): Promise<string | null> {
  const known = await own(ctx.tx).selectFrom('settlementDoctor').select('doctorId').where('doctorId', '=', doctorId).executeTakeFirst();
  if (!known) return null;
  const payers = await own(ctx.tx).selectFrom('settlementPayer').select('id').orderBy('id').execute();
  const places = payers.flatMap(({ id }) => [pendingOf, payableOf, clawbackOf].map((of) => ({ id, ref: of(doctorId, id) })));
  const found = await ledgerOf(kernel).balancesIfAny(
    ctx.tx,
    places.map(({ ref }) => ref),
    ctx.now,
  );
  return places[found.findIndex((balance) => balance?.accountNo === accountNo)]?.id ?? null;
}

/** An account of the books that somebody froze stops what its company pays the doctor, and nothing of others. */
export const freezeConsumers = (kernel: Kernel) => [
  consumer('settlement', accountFrozen, async ({ payload: { ownerType, ownerId, accountNo, reason } }, ctx) => {
    const payerEntityId = ownerType === 'doctor' ? await payerOf(kernel, ctx, ownerId, accountNo) : null;
    if (payerEntityId === null) return;
    await own(ctx.tx)
      .insertInto('settlementAccountFreeze')
      .values({ accountNo, doctorId: ownerId, payerEntityId, reason, frozenAt: ctx.now })
      .onConflict((conflict) => conflict.column('accountNo').doUpdateSet({ reason }))
      .execute();
  }),
  consumer('settlement', accountUnfrozen, async ({ payload: { accountNo } }, ctx) => {
    await own(ctx.tx).deleteFrom('settlementAccountFreeze').where('accountNo', '=', accountNo).execute();
  }),
];

/** Of these doctors those whose account with this company is frozen. */
export async function frozenWith(db: Db | Tx, payerEntityId: string, doctorIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (doctorIds.length === 0) return new Set();
  const rows = await own(db)
    .selectFrom('settlementAccountFreeze')
    .select('doctorId')
    .where('payerEntityId', '=', payerEntityId)
    .where('doctorId', 'in', [...doctorIds])
    .execute();
  return new Set(rows.map(({ doctorId }) => doctorId));
}
