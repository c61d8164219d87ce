import type { MedicineFacts } from '../../contract/calls/medicines.ts';
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
  id: row.id,
  medicineNo: row.medicineNo,
  genericName: row.genericName,
  brandName: row.brandName,
  englishName: row.englishName,
  genericPinyin: row.genericPinyin,
  brandPinyin: row.brandPinyin,
  medicineKind: row.medicineKind,
  rxClass: row.rxClass,
  dosageForm: row.dosageForm,
  strength: row.strength,
  approvalNo: row.approvalNo,
  approvalKind: row.approvalKind,
  indications: row.indications as MedicineFacts['indications'],
  defaultDose: row.defaultDose as MedicineFacts['defaultDose'],
  approvalValidTo: row.approvalValidTo,
  baseCode: row.baseCode,
  nhsaCode: row.nhsaCode,
  holderId: row.holderId,
  holderName: row.holderName,
  makerId: row.makerId,
  makerName: row.makerName,
  importerId: row.importerId,
  importerName: row.importerName,
  categoryId: row.categoryId,
  categoryName: row.categoryName,
  atcCode: row.atcCode,
  // Both columns are written by this domain alone, in the shape of its contract.
  usageText: row.usageText,
  contraindication: row.contraindication,
  adverseReaction: row.adverseReaction,
  labelFileId: row.labelFileId,
  imageFileIds: row.imageFileIds,
  storage: row.storage,
  lightproof: row.lightproof,
  coldChain: row.coldChain ?? false,
  controlClass: row.controlClass,
  taxCode: row.taxCode,
  taxRateBp: row.taxRateBp,
  taxScheme: row.taxScheme,
  rxRequired: row.rxRequired ?? false,
  sort: row.sort,
  firstOnAt: row.firstOnAt,
  state: row.state,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  version: row.version,
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
