import { seesRegion } from '#kernel/server/auth/scope.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { getHospitals, type HospitalBrief } from '#domains/institution/server/index.ts';
import { levelRanks } from '#domains/institution/contract/dictionaries.ts';
import { own } from './database.ts';

/** Where somebody was treated or bought. */
interface Place {
  hospitalId?: string | null;
  drugstoreId?: string | null;
  /** Of the hospital or the store. */
  adcode: string;
}
type OutOf = 'HOSPITAL' | 'DRUGSTORE' | 'REGION';

const isGrade2 = (hospital: HospitalBrief | undefined): boolean => hospital !== undefined && hospital.levelRank >= levelRanks.L2N;

/**
 * Whether a place is one where a version pays: its hospital by grade or name, its store by name where stores are named, its region. A
 * hospital that was merged counts as the one that it became, on both sides.
 * @returns what it is out of, nothing where it is in scope; null where there is no such version
 */
export async function inScope(
  db: Db | Tx,
  productVersionId: string,
  { hospitalId, drugstoreId, adcode }: Place,
): Promise<{ inScope: boolean; outOf: OutOf[] } | null> {
  const version = await own(db)
    .selectFrom('insuranceProductVersion')
    .select(['hospitalScope', 'hospitalIds', 'drugstoreIds', 'regionsAllowed'])
    .where('id', '=', productVersionId)
    .executeTakeFirst();
  if (!version) return null;
  const outOf: OutOf[] = [];
  if (hospitalId && version.hospitalScope !== 'ANY') {
    const [hospital] = await getHospitals(db, [hospitalId]);
    const isIn =
      version.hospitalScope === 'LIST'
        ? version.hospitalIds.includes(hospitalId) ||
          (hospital !== undefined &&
            (await getHospitals(db, version.hospitalIds)).some((named) => named.hospitalId === hospital.hospitalId))
        : isGrade2(hospital) && (version.hospitalScope === 'GRADE2' || hospital?.ownership === 'PUBLIC');
    if (!isIn) outOf.push('HOSPITAL');
  }
  if (drugstoreId && version.hospitalScope === 'LIST' && !version.drugstoreIds.includes(drugstoreId)) outOf.push('DRUGSTORE');
  if (version.regionsAllowed.length > 0 && !seesRegion({ region: version.regionsAllowed }, adcode)) outOf.push('REGION');
  return { inScope: outOf.length === 0, outOf };
}
