import type { Selectable } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import { unsealed, type Readings } from '#kernel/server/review/readings.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { CertType } from '../../contract/dictionaries.ts';
import { directOf, type CertInput, type DirectFact, type QualFacts } from '../../contract/qualFields.ts';
import { certNumber } from '../certs/number.ts';
import { type DoctorTables, own, type DoctorDb } from '../database.ts';
import { idNoColumns } from '../doctors/entry/person.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { seesDoctor } from '../access.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';

/** What was read from or confirmed on a certificate, by field of the comparison. */
export type Reading = Readings<ReadField>;
export const readFields = ['certNo', 'holderName', 'hospitalName', 'titleCode', 'validTo'] as const;
type ReadField = (typeof readFields)[number];

/** A proposed certificate as the application keeps it; its number only encrypted. */
export interface StoredCert {
  /** Names it within the application. */
  id: string;
  certType: CertType;
  certNoCipher: string | null;
  noHash: string | null;
  certNoMasked: string | null;
  fileIds: string[];
  holderName: string | null;
  hospitalName: string | null;
  titleCode: string | null;
  hospitalId: string | null;
  issuer: string;
  issuedOn: Day | null;
  validFrom: Day | null;
  validTo: Day | null;
  /** By machine. Numbers in it are encrypted as a whole. */
  readCipher: string | null;
  /** By the auditor, over the machine's. */
  confirmedCipher: string | null;
  verifySource: 'MANUAL' | 'NHC' | null;
  verifyFileId: string | null;
  verifiedBy: string | null;
}

export type StoredFacts = { [K in Exclude<keyof QualFacts, 'idNo'>]: QualFacts[K] | null } & {
  idNoCipher: string | null;
  idNoHash: string | null;
  idNoMasked: string | null;
};

export interface QualPayload {
  facts: StoredFacts;
  certs: StoredCert[];
  /** Name of the hospital that was applied for, while it is not decided. */
  hospitalApplyName: string | null;
}

export type DoctorRow = Selectable<DoctorTables['doctorDoctor']>;

/** The doctor's facts in force. */
export const factsInForce = (doctor: DoctorRow): StoredFacts => ({
  name: doctor.name,
  idNoCipher: doctor.idNoCipher,
  idNoHash: doctor.idNoHash,
  idNoMasked: doctor.idNoMasked,
  hospitalId: doctor.hospitalId,
  hospitalApplyId: doctor.hospitalApplyId,
  departmentId: doctor.departmentId,
  // CHECK constraints of the table hold the codes to their dictionaries.
  ...(directOf(doctor) as Pick<StoredFacts, DirectFact>),
});

/** The facts in force with what the application changes. */
export function proposedFacts(secrets: Secrets, inForce: StoredFacts, wish: Partial<QualFacts>): StoredFacts {
  const { idNo, ...rest } = wish;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as Partial<Omit<QualFacts, 'idNo'>>;
  const hospital =
    given.hospitalId || given.hospitalApplyId
      ? { hospitalId: given.hospitalId ?? null, hospitalApplyId: given.hospitalId ? null : (given.hospitalApplyId ?? null) }
      : { hospitalId: inForce.hospitalId, hospitalApplyId: inForce.hospitalApplyId };
  if (idNo === undefined) return { ...inForce, ...given, ...hospital };
  const { idNoCipher, idNoHash, idNoMasked } = idNoColumns(secrets, idNo);
  return { ...inForce, ...given, ...hospital, idNoCipher, idNoHash, idNoMasked };
}

export const storedCert = (secrets: Secrets, cert: CertInput, id: string): StoredCert => {
  const { certNo, fileIds, ...facts } = cert;
  return {
    id,
    ...facts,
    fileIds: [...fileIds],
    ...certNumber(secrets, certNo),
    readCipher: null,
    confirmedCipher: null,
    verifySource: null,
    verifyFileId: null,
    verifiedBy: null,
  };
};

/** The three sources of a certificate's facts. */
export function sourcesOf(secrets: Secrets, cert: StoredCert): { typed: Reading; read: Reading; confirmed: Reading } {
  const typed: Reading = {};
  for (const field of readFields) {
    const value = field === 'certNo' ? (cert.certNoCipher === null ? null : secrets.decrypt(cert.certNoCipher)) : cert[field];
    if (value !== null && value !== '') typed[field] = value;
  }
  return { typed, read: unsealed(secrets, cert.readCipher), confirmed: unsealed(secrets, cert.confirmedCipher) };
}

/** Confirmed before read before typed. */
export function bestReading(secrets: Secrets, cert: StoredCert): Reading {
  const { typed, read, confirmed } = sourcesOf(secrets, cert);
  return { ...typed, ...read, ...confirmed };
}

/** An application is seen by who sees its doctor. */
export const appliesSeen = (db: DoctorDb, viewer: Viewer) =>
  db.selectFrom('doctorQualApply as q').innerJoin('doctorDoctor as d', 'd.id', 'q.doctorId').where(seesDoctor(viewer));

/** A lock holds the doctor with it. */
export const applyRecords = recordOf((db) =>
  own(db).selectFrom('doctorQualApply as q').innerJoin('doctorDoctor as d', 'd.id', 'q.doctorId').selectAll('q'),
)
  .as((row) => ({ ...row, payload: row.payload as QualPayload }))
  .with({ noun: '资质审核单', type: 'doctor.qualApply', id: 'q.id', scope: seesDoctor, locks: ['d', 'q'] });
export type ApplyRecord = Awaited<ReturnType<typeof applyRecords.get>>;
