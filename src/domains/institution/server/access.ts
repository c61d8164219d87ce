import { scopeFilter, scopedResource, unscoped } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own, type InstitutionDb } from './database.ts';

/** Data scope: region by adcode, own = created by; insurers and channels do not limit institutions. */
const scoped = (alias: string) =>
  scopedResource({ region: { column: `${alias}.adcode` }, insurer: 'free', channel: 'free', own: { columns: [`${alias}.createdBy`] } });
export const hospitalScope = scoped('h');
export const storeScope = scoped('s');
const applyScope = scoped('p');

export type Seer = Viewer;
/** Jobs, consumers and other domains see everything. */
export { everyone } from '#kernel/server/auth/viewer.ts';
export const hospitalRecords = recordOf((db) => own(db).selectFrom('institutionHospital as h').selectAll('h')).with({
  noun: '医院',
  type: 'institution.hospital',
  id: 'h.id',
  scope: hospitalScope,
});
export type HospitalRecord = Awaited<ReturnType<typeof hospitalRecords.get>>;

export const storeRecords = recordOf((db) => own(db).selectFrom('institutionDrugstore as s').selectAll('s')).with({
  noun: '药店',
  type: 'institution.drugstore',
  id: 's.id',
  scope: storeScope,
});
export type StoreRecord = Awaited<ReturnType<typeof storeRecords.get>>;

export const applyRecords = recordOf((db) => own(db).selectFrom('institutionHospitalApply as p').selectAll('p')).with({
  noun: '申请',
  type: 'institution.hospitalApply',
  id: 'p.id',
  scope: applyScope,
});
export type ApplyRecord = Awaited<ReturnType<typeof applyRecords.get>>;

export const chainRecords = recordOf((db) => own(db).selectFrom('institutionChain as c').selectAll('c')).with({
  noun: '连锁总部',
  type: 'institution.chain',
  id: 'c.id',
  scope: unscoped,
});

export const hospitalsSeen = (db: InstitutionDb, seer: Seer) =>
  db.selectFrom('institutionHospital as h').where(scopeFilter(hospitalScope, seer));
export const storesSeen = (db: InstitutionDb, seer: Seer) =>
  db.selectFrom('institutionDrugstore as s').where(scopeFilter(storeScope, seer));
export const appliesSeen = (db: InstitutionDb, seer: Seer) =>
  db.selectFrom('institutionHospitalApply as p').where(scopeFilter(applyScope, seer));
