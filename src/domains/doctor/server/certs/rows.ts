import { daysBetween, type Day } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { getHospitals } from '#domains/institution/server/index.ts';
import type { DoctorDetail } from '../../contract/calls/doctorDetail.ts';
import { own } from '../database.ts';

type Cert = DoctorDetail['certs'][number];

/** All certificates of a doctor, newest first. */
export async function certsOf(db: Db, doctorId: string, today: Day): Promise<Cert[]> {
  const rows = await own(db)
    .selectFrom('doctorCert')
    .select([
      'id',
      'certType',
      'certNoMasked',
      'fileIds',
      'hospitalId',
      'issuer',
      'issuedOn',
      'validFrom',
      'validTo',
      'verifySource',
      'verifyFileId',
      'verifiedBy',
      'state',
      'createdAt',
    ])
    .where('doctorId', '=', doctorId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  const hospitals = await getHospitals(
    db,
    rows.flatMap(({ hospitalId }) => hospitalId ?? []),
  );
  const users = await userBrief(
    db,
    rows.flatMap(({ verifiedBy }) => verifiedBy ?? []),
  );
  return rows.map(({ id, certNoMasked, hospitalId, ...row }) => ({
    certId: id,
    certNo: certNoMasked,
    ...row,
    fileIds: row.fileIds.map(String),
    hospitalName: hospitals.find((hospital) => hospital.id === hospitalId)?.name ?? null,
    verifiedBy: users.find(({ userId }) => userId === row.verifiedBy)?.displayName ?? null,
    daysLeft: row.validTo === null || (row.state !== 'VALID' && row.state !== 'EXPIRED') ? null : daysBetween(today, row.validTo),
  }));
}
