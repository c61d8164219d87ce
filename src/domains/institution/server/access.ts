import { platformErrors, refuse } from '../../../kernel/contract/errors.ts';
import { scopeFilter, scopedResource } from '../../../kernel/server/auth/scope.ts';
import type { Db, Scope, Staff, Tx } from '../../../kernel/server/context.ts';
import { ownDb, ownTx, type InstitutionDb } from './database.ts';

/** Data scope: region by adcode, own = created by; insurers and channels do not limit institutions. */
const scoped = (alias: string) =>
  scopedResource({ region: { column: `${alias}.adcode` }, insurer: 'free', channel: 'free', own: { columns: [`${alias}.createdBy`] } });
export const hospitalScope = scoped('h');
export const storeScope = scoped('s');
export const applyScope = scoped('p');

export type Seer = { userId: string; scope: Scope };
/** Jobs, consumers and other domains see everything. */
export { everyone } from '../../../kernel/server/auth/viewer.ts';
export const seerOf = (staff: Staff): Seer => staff;

const missing = (what: string) => refuse(platformErrors.NOT_FOUND, { message: `${what}不存在或已删除` });

export const hospitalsSeen = (db: InstitutionDb, seer: Seer) =>
  db.selectFrom('institutionHospital as h').where(scopeFilter(hospitalScope, seer));
export const storesSeen = (db: InstitutionDb, seer: Seer) =>
  db.selectFrom('institutionDrugstore as s').where(scopeFilter(storeScope, seer));
export const appliesSeen = (db: InstitutionDb, seer: Seer) =>
  db.selectFrom('institutionHospitalApply as p').where(scopeFilter(applyScope, seer));

export async function accessHospital(db: Db, seer: Seer, id: string) {
  const row = await hospitalsSeen(ownDb(db), seer).selectAll('h').where('h.id', '=', id).executeTakeFirst();
  if (!row) throw missing('医院');
  return row;
}
export type HospitalRecord = Awaited<ReturnType<typeof accessHospital>>;

/** Locked until the transaction ends. */
export async function lockHospital(tx: Tx, seer: Seer, id: string): Promise<HospitalRecord> {
  const row = await hospitalsSeen(ownTx(tx), seer).selectAll('h').where('h.id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw missing('医院');
  return row;
}

export async function accessStore(db: Db, seer: Seer, id: string) {
  const row = await storesSeen(ownDb(db), seer).selectAll('s').where('s.id', '=', id).executeTakeFirst();
  if (!row) throw missing('药店');
  return row;
}
export type StoreRecord = Awaited<ReturnType<typeof accessStore>>;

export async function lockStore(tx: Tx, seer: Seer, id: string): Promise<StoreRecord> {
  const row = await storesSeen(ownTx(tx), seer).selectAll('s').where('s.id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw missing('药店');
  return row;
}

export async function lockApply(tx: Tx, seer: Seer, id: string) {
  const row = await appliesSeen(ownTx(tx), seer).selectAll('p').where('p.id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw missing('申请');
  return row;
}
export type ApplyRecord = Awaited<ReturnType<typeof lockApply>>;
