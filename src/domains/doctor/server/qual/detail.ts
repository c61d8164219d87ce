import type { QueryContext, Tx, Db } from '#kernel/server/context.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { leaseOf, shownLease } from '#kernel/server/lease/lease.ts';
import { getDepartment, getHospitals } from '#domains/institution/server/index.ts';
import { type CertReading, type QualCert, type QualDetail, revealQualApply } from '../../contract/calls/qual.ts';
import { directFacts, qualFactLabels, shownFact } from '../../contract/qualFields.ts';
import { qualApplyMachine } from '../../contract/states.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { masked } from '../certs/number.ts';
import { own } from '../database.ts';
import { appliesSeen, applyRecords, sourcesOf, type QualPayload, type Reading, type StoredCert, type StoredFacts } from './payload.ts';
import { checksOf, presentChecks } from './checks/findings.ts';
import { APPLY_TARGET } from './submit.ts';
import { command } from '#kernel/server/handler.ts';

/** Other doctors who may be the same person: same identity or certificate number, same name and hospital, same name and birth date. */
async function similarDoctors(db: Db, doctorId: string, { facts, certs }: QualPayload): Promise<QualDetail['similar']> {
  const hashes = certs.flatMap(({ noHash }) => noHash ?? []);
  const me = await own(db).selectFrom('doctorDoctor').select(['birthDate']).where('id', '=', doctorId).executeTakeFirst();
  const rows = await own(db)
    .selectFrom('doctorDoctor as d')
    .select([
      'd.id as doctorId',
      'd.doctorNo',
      'd.name',
      'd.hospitalId',
      'd.hospitalName',
      'd.birthDate',
      'd.idNoHash',
      'd.qualState',
      'd.accountState',
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('doctorCert as c')
            .select('c.id')
            .whereRef('c.doctorId', '=', 'd.id')
            .where('c.noHash', 'in', hashes.length > 0 ? hashes : [''])
            .where('c.state', 'in', ['VALID', 'EXPIRED', 'REPLACED']),
        )
        .as('sameCert'),
    )
    .where('d.id', '<>', doctorId)
    .where((eb) =>
      eb.or([
        ...(facts.idNoHash === null ? [] : [eb('d.idNoHash', '=', facts.idNoHash)]),
        ...(facts.name === null ? [] : [eb('d.name', '=', facts.name)]),
        ...(hashes.length === 0
          ? []
          : [
              eb.exists(
                eb.selectFrom('doctorCert as c').select('c.id').whereRef('c.doctorId', '=', 'd.id').where('c.noHash', 'in', hashes),
              ),
            ]),
      ]),
    )
    .orderBy('d.id')
    .limit(20)
    .execute();
  return rows.flatMap(({ hospitalId, birthDate, idNoHash, sameCert, accountState, ...row }) => {
    const why = [
      ...(idNoHash !== null && idNoHash === facts.idNoHash ? ['身份证号相同'] : []),
      ...(sameCert ? ['证件编号相同'] : []),
      ...(row.name === facts.name && hospitalId !== null && hospitalId === facts.hospitalId ? ['同院同名'] : []),
      ...(row.name === facts.name && birthDate !== null && birthDate === me?.birthDate ? ['同名同生日'] : []),
    ];
    if (why.length === 0) return [];
    return [{ ...row, why: accountState === 'CANCELLED' ? [...why, '已注销'] : why }];
  });
}

const shown = (reading: Reading): CertReading => ({
  certNo: reading.certNo === undefined ? null : masked(reading.certNo),
  holderName: reading.holderName ?? null,
  hospitalName: reading.hospitalName ?? null,
  titleCode: reading.titleCode ?? null,
  validTo: reading.validTo ?? null,
});

/** The certificates in force, by kind; of further sites by hospital. */
const formerCerts = (db: QueryContext['db'] | Tx, doctorId: string, applyId: string) =>
  own(db)
    .selectFrom('doctorCert')
    .selectAll()
    .where('doctorId', '=', doctorId)
    .where('state', 'in', ['VALID', 'EXPIRED', 'REPLACED'])
    .where((eb) => eb.or([eb('qualApplyId', 'is', null), eb('qualApplyId', '<>', applyId)]))
    .orderBy('id', 'desc')
    .execute();
const formerOf = (formers: Awaited<ReturnType<typeof formerCerts>>, cert: StoredCert) =>
  formers.find(({ certType, hospitalId }) => certType === cert.certType && (certType !== 'MULTI_SITE' || hospitalId === cert.hospitalId));

function presentCert(kernel: Kernel, cert: StoredCert, formers: Awaited<ReturnType<typeof formerCerts>>): QualCert {
  const { typed, read, confirmed } = sourcesOf(kernel.secrets, cert);
  const former = formerOf(formers, cert);
  const verified = (former?.verified ?? {}) as Reading;
  return {
    id: cert.id,
    certType: cert.certType,
    hospitalName: cert.hospitalName,
    fileIds: cert.fileIds,
    issuer: cert.issuer,
    issuedOn: cert.issuedOn,
    validFrom: cert.validFrom,
    validTo: cert.validTo,
    typed: shown(typed),
    read: shown(read),
    confirmed: shown(confirmed),
    verifySource: cert.verifySource,
    verifyFileId: cert.verifyFileId,
    former: former
      ? {
          qualApplyId: former.qualApplyId,
          fileIds: former.fileIds.map(String),
          certNo: former.certNoMasked,
          holderName: verified.holderName ?? null,
          hospitalName: verified.hospitalName ?? null,
          titleCode: verified.titleCode ?? null,
          validTo: former.validTo,
          state: former.state,
        }
      : null,
  };
}

async function presentFacts(
  ctx: QueryContext,
  proposed: StoredFacts,
  inForce: StoredFacts,
  hospitalApplyName: string | null,
  first: boolean,
) {
  const hospitals = await getHospitals(
    ctx.db,
    [proposed.hospitalId, inForce.hospitalId].flatMap((id) => id ?? []),
  );
  const department = async (id: string | null) => (id === null ? '' : ((await getDepartment(ctx.db, id))?.name ?? ''));
  const names = new Map([
    [proposed.departmentId, await department(proposed.departmentId)],
    [inForce.departmentId, await department(inForce.departmentId)],
  ]);
  const hospital = (facts: StoredFacts) =>
    hospitals.find(({ id }) => id === facts.hospitalId)?.name ??
    (facts.hospitalApplyId === null ? '' : `${hospitalApplyName ?? ''}（申请中）`);
  const texts = (facts: StoredFacts): [key: string, label: string, value: string][] => [
    ['name', qualFactLabels.name, facts.name ?? ''],
    ['idNo', qualFactLabels.idNo, facts.idNoMasked ?? ''],
    ['hospitalId', qualFactLabels.hospitalId, hospital(facts)],
    ['departmentId', qualFactLabels.departmentId, names.get(facts.departmentId) ?? ''],
    ...directFacts.map((key): [string, string, string] => [key, qualFactLabels[key], shownFact(key, facts[key])]),
  ];
  // Nothing was in force before the first approval.
  const old = first ? texts(proposed).map(([key, label]) => [key, label, ''] as const) : texts(inForce);
  return texts(proposed).map(([key, label, value], index) => ({
    key,
    label,
    proposed: value,
    inForce: old[index]![2],
    changed: !first && (value !== old[index]![2] || (key === 'idNo' && proposed.idNoHash !== inForce.idNoHash)),
  }));
}

/** One application with everything that its auditor needs. */
export async function loadApply(kernel: Kernel, ctx: QueryContext, applyId: string): Promise<QualDetail> {
  const row = await appliesSeen(own(ctx.db), ctx.staff)
    .selectAll('q')
    .select(['d.doctorNo', 'd.name', 'd.avatarFileId'])
    .where('q.id', '=', applyId)
    .executeTakeFirst();
  if (!row) throw applyRecords.missing();
  const payload = row.payload as QualPayload;
  const formers = await formerCerts(ctx.db, row.doctorId, row.id);
  const lease = shownLease(await leaseOf(ctx.db, { type: APPLY_TARGET, id: row.id }, ctx.now), ctx.staff);
  const mine = row.enteredBy === ctx.staff.userId;
  return {
    id: row.id,
    applyNo: row.applyNo,
    applyType: row.applyType,
    doctorId: row.doctorId,
    doctorNo: row.doctorNo,
    name: row.name,
    avatarFileId: row.avatarFileId,
    source: row.source,
    state: row.state,
    round: row.round,
    submittedAt: row.submittedAt,
    dueAt: row.dueAt,
    facts: await presentFacts(ctx, payload.facts, row.before as StoredFacts, payload.hospitalApplyName, row.applyType === 'FIRST'),
    certs: payload.certs.map((cert) => presentCert(kernel, cert, formers)),
    checks: presentChecks(await checksOf(ctx.db, row)),
    similar: await similarDoctors(ctx.db, row.doctorId, payload),
    hospitalPending:
      payload.facts.hospitalApplyId === null
        ? null
        : { hospitalApplyId: payload.facts.hospitalApplyId, name: payload.hospitalApplyName ?? '' },
    lease: lease && { ...lease, token: lease.mine ? row.leaseToken : null },
    firstAuditor: row.firstAuditorName,
    recheckReason: row.recheckReason,
    rejectReasons: row.rejectReasons,
    returnItems: row.returnItems,
    doctorWording: row.doctorWording,
    internalNote: row.internalNote,
    mine,
    passedByMe: row.firstAuditorId === ctx.staff.userId,
    version: row.version,
    allowedActions: actionAnswer(ctx, qualApplyMachine, row).allowedActions,
    trail: await trailOf(ctx.db, APPLY_TARGET, row.id),
  };
}

/** Numbers in full; the look is logged with the application. */
export const reveal = (kernel: Kernel) =>
  command(revealQualApply, async ({ applyId }, ctx) => {
    const row = await appliesSeen(own(ctx.tx), ctx.staff)
      .select(['q.id', 'q.applyNo', 'q.doctorId', 'q.payload', 'q.before'])
      .where('q.id', '=', applyId)
      .executeTakeFirst();
    if (!row) throw applyRecords.missing();
    const plain = (cipher: string | null | undefined) => (cipher ? kernel.secrets.decrypt(cipher) : null);
    const { facts, certs } = row.payload as QualPayload;
    const formers = await formerCerts(ctx.tx, row.doctorId, row.id);
    ctx.target({ type: APPLY_TARGET, id: row.id, no: row.applyNo });
    return {
      idNo: plain(facts.idNoCipher),
      formerIdNo: plain((row.before as StoredFacts).idNoCipher),
      certs: certs.map((cert) => {
        const { typed, read, confirmed } = sourcesOf(kernel.secrets, cert);
        return {
          id: cert.id,
          typed: typed.certNo ?? null,
          read: read.certNo ?? null,
          confirmed: confirmed.certNo ?? null,
          former: plain(formerOf(formers, cert)?.certNoCipher),
        };
      }),
    };
  });
