import { allOf } from '#kernel/contract/field.ts';
import type { MedicineFacts } from '../../contract/calls/medicines.ts';
import { medicineFieldKeys } from '../../contract/rules/medicineFields.ts';
import type { PharmaDb } from '../database.ts';

const facts = (db: PharmaDb) =>
  db
    .selectFrom('pharmaMedicine as m')
    .leftJoin('pharmaCompany as h', 'h.id', 'm.holderId')
    .leftJoin('pharmaCompany as k', 'k.id', 'm.makerId')
    .leftJoin('pharmaCompany as i', 'i.id', 'm.importerId')
    .leftJoin('pharmaCategory as c', 'c.id', 'm.categoryId')
    .selectAll('m')
    .select(['h.name as holderName', 'k.name as makerName', 'i.name as importerName', 'c.name as categoryName', 'c.code as categoryCode']);

export type StoredFacts = Awaited<ReturnType<ReturnType<typeof facts>['executeTakeFirstOrThrow']>>;

const present = (row: StoredFacts): MedicineFacts => ({
  ...allOf(row, medicineFieldKeys),
  ...allOf(row, ['id', 'medicineNo', 'approvalKind', 'holderName', 'makerName', 'importerName', 'categoryName', 'firstOnAt', 'state']),
  ...allOf(row, ['createdAt', 'updatedAt', 'version']),
  // Both columns are written by this domain alone, in the shape of its contract.
  indications: row.indications as MedicineFacts['indications'],
  defaultDose: row.defaultDose as MedicineFacts['defaultDose'],
  coldChain: row.coldChain ?? false,
  rxRequired: row.rxRequired ?? false,
});

/** One medicine with the names of its companies and category; null when there is none. */
export async function medicineById(db: PharmaDb, id: string): Promise<MedicineFacts | null> {
  const row = await facts(db).where('m.id', '=', id).executeTakeFirst();
  return row ? present(row) : null;
}

/** The same for several, with the category's code. */
export async function medicinesByIds(db: PharmaDb, ids: readonly string[]): Promise<(MedicineFacts & { categoryCode: string | null })[]> {
  if (ids.length === 0) return [];
  const rows = await facts(db).where('m.id', 'in', ids).orderBy('m.id').execute();
  return rows.map((row) => ({ ...present(row), categoryCode: row.categoryCode }));
}
