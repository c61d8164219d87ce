import type { Day } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { getDepartment, getHospital, hospitalNameMatches } from '#domains/institution/server/index.ts';
import { certTypes } from '../../../contract/dictionaries.ts';
import { ownTx } from '../../database.ts';
import { bestReading, type QualPayload, type StoredCert } from '../payload.ts';
import { plainName } from './checks.ts';
import type { CertFacts, CheckFacts } from './facts.ts';

const UNIQUE: readonly string[] = ['ID_CARD', 'QUALIFICATION', 'PRACTICE'];

/** Live doctors that hold one of these certificates or the identity number. */
export async function holdersOf(tx: Tx, doctorId: string, payload: QualPayload): Promise<{ what: string; doctorNo: string }[]> {
  const own = ownTx(tx);
  const numbers = payload.certs.filter(({ certType, noHash }) => UNIQUE.includes(certType) && noHash !== null);
  const held =
    numbers.length === 0
      ? []
      : await own
          .selectFrom('doctorCert as c')
          .innerJoin('doctorDoctor as d', 'd.id', 'c.doctorId')
          .select(['c.certType', 'c.noHash', 'd.doctorNo'])
          .where(
            'c.noHash',
            'in',
            numbers.map(({ noHash }) => noHash!),
          )
          .where('c.state', 'in', ['VALID', 'EXPIRED'])
          .where('c.doctorId', '<>', doctorId)
          .where('d.accountState', '<>', 'CANCELLED')
          .orderBy('d.doctorNo')
          .execute();
  const found = held
    .filter((row) => numbers.some(({ certType, noHash }) => certType === row.certType && noHash === row.noHash))
    .map(({ certType, doctorNo }) => ({ what: certTypes.label(certType), doctorNo }));
  const { idNoHash } = payload.facts;
  const same =
    idNoHash === null
      ? []
      : await own
          .selectFrom('doctorDoctor')
          .select('doctorNo')
          .where('idNoHash', '=', idNoHash)
          .where('id', '<>', doctorId)
          .where('accountState', '<>', 'CANCELLED')
          .execute();
  return [...found, ...same.map(({ doctorNo }) => ({ what: '身份证号', doctorNo }))];
}

/** Live doctors of the same name in the same hospital. */
export async function namesakesOf(tx: Tx, doctorId: string, { facts }: QualPayload): Promise<string[]> {
  if (facts.hospitalId === null || facts.name === null) return [];
  const rows = await ownTx(tx)
    .selectFrom('doctorDoctor')
    .select('doctorNo')
    .where('name', '=', facts.name)
    .where('hospitalId', '=', facts.hospitalId)
    .where('id', '<>', doctorId)
    .where('accountState', '<>', 'CANCELLED')
    .orderBy('doctorNo')
    .limit(5)
    .execute();
  return rows.map(({ doctorNo }) => doctorNo);
}

const factsOfCert = (kernel: Kernel, cert: StoredCert): CertFacts => {
  const best = bestReading(kernel.secrets, cert);
  return {
    certType: cert.certType,
    certNo: best.certNo ?? null,
    holderName: best.holderName ?? null,
    hospitalName: best.hospitalName ?? null,
    titleCode: best.titleCode ?? null,
    validTo: best.validTo ?? null,
  };
};

/** Certificates in force of the kinds that the application does not replace. */
async function kept(kernel: Kernel, tx: Tx, doctorId: string, certs: readonly StoredCert[]): Promise<CertFacts[]> {
  const rows = await ownTx(tx)
    .selectFrom('doctorCert as c')
    .innerJoin('doctorDoctor as d', 'd.id', 'c.doctorId')
    .selectAll('c')
    .select('d.hospitalName as inForce')
    .where('c.doctorId', '=', doctorId)
    .where('c.state', 'in', ['VALID', 'EXPIRED'])
    .execute();
  const replaced = new Set<string>(certs.filter(({ certType }) => certType !== 'MULTI_SITE').map(({ certType }) => certType));
  return rows
    .filter(({ certType }) => !replaced.has(certType))
    .map((row) => {
      // What an approved practice certificate names is where the doctor practises.
      const verified = row.verified as Partial<Record<'holderName' | 'hospitalName' | 'titleCode', string>>;
      return {
        certType: row.certType,
        certNo: row.certNoCipher === null ? null : kernel.secrets.decrypt(row.certNoCipher),
        holderName: verified.holderName ?? null,
        hospitalName: verified.hospitalName ?? (row.certType === 'PRACTICE' ? row.inForce : null),
        titleCode: verified.titleCode ?? null,
        validTo: row.validTo,
      };
    });
}

async function hospitalOf(tx: Tx, payload: QualPayload, certs: readonly CertFacts[], sites: readonly string[]) {
  const printed = [
    ...new Set(
      certs.flatMap(({ certType, hospitalName }) =>
        (certType === 'PRACTICE' || certType === 'MULTI_SITE') && hospitalName !== null ? [hospitalName] : [],
      ),
    ),
  ];
  const { hospitalId } = payload.facts;
  if (hospitalId === null) {
    // Still in audit at institution: only the very name that was applied for fits.
    const applied = payload.hospitalApplyName;
    return {
      hospitalName: applied,
      matchingHospitalNames: applied === null ? [] : printed.filter((name) => plainName(name) === plainName(applied)),
    };
  }
  const hospital = await getHospital(tx, hospitalId);
  const matching: string[] = [];
  for (const name of printed) if (await hospitalNameMatches(tx, hospitalId, name)) matching.push(name);
  // A registration for this very hospital counts whatever is printed on it.
  if (sites.includes(hospitalId) && matching.length === 0) matching.push(...printed);
  return { hospitalName: hospital?.name ?? null, matchingHospitalNames: matching };
}

/** What the checks look at, as it stands now. */
export async function collectFacts(
  kernel: Kernel,
  tx: Tx,
  doctorId: string,
  payload: QualPayload,
  today: Day,
  faces: number | null,
): Promise<CheckFacts> {
  const certs = [...payload.certs.map((cert) => factsOfCert(kernel, cert)), ...(await kept(kernel, tx, doctorId, payload.certs))];
  const { facts } = payload;
  const department = facts.departmentId === null ? null : await getDepartment(tx, facts.departmentId);
  const sites = payload.certs.flatMap(({ certType, hospitalId }) => (certType === 'MULTI_SITE' && hospitalId !== null ? [hospitalId] : []));
  return {
    today,
    name: facts.name ?? '',
    idNo: facts.idNoCipher === null ? null : kernel.secrets.decrypt(facts.idNoCipher),
    titleCode: facts.titleCode,
    practiceScope: facts.practiceScope,
    standardDeptCode: department?.standardDeptCode ?? null,
    certs,
    ...(await hospitalOf(tx, payload, certs, sites)),
    usedBy: await holdersOf(tx, doctorId, payload),
    faces,
    namesakes: await namesakesOf(tx, doctorId, payload),
  };
}
