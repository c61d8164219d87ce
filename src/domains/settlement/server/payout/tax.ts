import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { taxMethodOf, taxOf, type TaxedPayment, type TaxResult } from '../../contract/rules/tax.ts';
import { own } from '../database.ts';

/** What a payer paid doctors in a year, and withheld of it, by doctor. */
async function taxHistory(
  db: Db | Tx,
  payerEntityId: string,
  year: string,
  doctorIds: readonly string[],
): Promise<ReadonlyMap<string, TaxedPayment[]>> {
  if (doctorIds.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('settlementTaxRecord')
    .select(['doctorId', 'taxMonth', 'grossFen', 'taxFen'])
    .where('payerEntityId', '=', payerEntityId)
    .where('doctorId', 'in', [...doctorIds])
    .where('taxMonth', '>=', `${year}-01`)
    .where('taxMonth', '<=', `${year}-12`)
    .execute();
  return Map.groupBy(
    rows.map((row) => ({ ...row, grossFen: BigInt(row.grossFen), taxFen: BigInt(row.taxFen) })),
    ({ doctorId }) => doctorId,
  );
}

/** What is withheld of a doctor in a year is written by one at a time. */
export const lockTaxes = (tx: Tx, payerEntityId: string, taxMonth: string, payments: readonly { doctorId: string }[]) =>
  lockKeys(tx, 'settlement.tax', [...new Set(payments.map(({ doctorId }) => `${payerEntityId}:${doctorId}:${taxMonth.slice(0, 4)}`))]);

/** A company's method of withholding stays as it is while something is withheld by it. */
export const lockTaxMethod = (tx: Tx, payerEntityId: string) => lockKeys(tx, 'settlement.taxMethod', [payerEntityId]);

/** What is withheld of payments to doctors in a month, each by what he was paid before. */
export async function taxesOf(
  db: Db | Tx,
  payerEntityId: string,
  taxMonth: string,
  payments: readonly { doctorId: string; grossFen: string }[],
): Promise<ReadonlyMap<string, TaxResult>> {
  const payer = await own(db).selectFrom('settlementPayer').select('isPlatform').where('id', '=', payerEntityId).executeTakeFirstOrThrow();
  const history = await taxHistory(
    db,
    payerEntityId,
    taxMonth.slice(0, 4),
    payments.map(({ doctorId }) => doctorId),
  );
  return new Map(
    payments.map(({ doctorId, grossFen }) => [
      doctorId,
      taxOf(taxMethodOf(payer), taxMonth, BigInt(grossFen), history.get(doctorId) ?? []),
    ]),
  );
}
