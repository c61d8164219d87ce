import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { authorColumns, createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { addWorkingMinutes } from '#domains/identity/server/index.ts';
import { getHospitalApply } from '#domains/institution/server/index.ts';
import { certTypes, type CertType, type QualApplyType, type SourceType } from '../../contract/dictionaries.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import type { CertInput, QualFacts } from '../../contract/qualFields.ts';
import { qualApplyMachine, qualMachine, type QualApplyState } from '../../contract/states.ts';
import { requireFreeNumbers } from '../certs/number.ts';
import { json, ownTx } from '../database.ts';
import { requireUnknownPerson } from '../doctors/entry/person.ts';
import { publishDoctor } from '../doctors/practice/publish.ts';
import { attachCerts } from './files.ts';
import { findAgain } from './checks/findings.ts';
import { factsInForce, proposedFacts, storedCert, type DoctorRow, type QualPayload } from './payload.ts';
import { readCertsJob } from './checks/reading.ts';

/** R2: one working day of eight hours. */
export const DUE_MINUTES = 480;
export const APPLY_TARGET = 'doctor.qualApply';
const OPEN: readonly QualApplyState[] = ['PENDING', 'REVIEWING', 'RECHECK', 'RETURNED'];
export const auditTodo = (applyId: string) => `doctor.qual:${applyId}`;
export const recheckTodo = (applyId: string) => `doctor.qualRecheck:${applyId}`;

export interface QualRequest {
  doctorId: string;
  applyType: QualApplyType;
  /** Facts that change; absent ones stay as they are in force. */
  facts: Partial<QualFacts>;
  certs: readonly CertInput[];
  source: SourceType;
  /** Who uploaded the files, where it is nobody with a session. */
  uploaderId?: string;
}

const requiredCerts: Readonly<Record<QualApplyType, readonly CertType[]>> = {
  FIRST: ['ID_CARD', 'QUALIFICATION', 'PRACTICE'],
  UPDATE: [],
  RENEW: [],
  TITLE: ['TITLE'],
  HOSPITAL: ['PRACTICE'],
};

/** @throws Refusal SCM07021 naming the first certificate that is missing. */
function requireCerts({ applyType, certs }: Pick<QualRequest, 'applyType'> & { certs: readonly { certType: string }[] }): void {
  const missing = requiredCerts[applyType].find((certType) => !certs.some((cert) => cert.certType === certType));
  if (missing !== undefined) throw refuse(doctorErrors.CERT_MISSING, { certName: certTypes.label(missing) });
  if (applyType === 'RENEW' && certs.length === 0) throw refuse(doctorErrors.CERT_MISSING, { certName: '更新后的证件' });
}

/** @throws Refusal SCM07022 naming the doctor who holds a certificate or the identity number. */
export async function requireUnused(ctx: Pick<Acting, 'tx'>, doctorId: string, payload: QualPayload): Promise<void> {
  await requireUnknownPerson(ctx.tx, { mobileHash: null, idNoHash: payload.facts.idNoHash }, doctorId);
  await requireFreeNumbers(ctx.tx, doctorId, payload.certs);
}

/** What is proposed; an application for a hospital that was decided meanwhile is answered with its hospital. */
async function payloadOf(
  kernel: Kernel,
  ctx: Acting,
  doctor: DoctorRow,
  request: QualRequest,
  kept: QualPayload | null,
): Promise<QualPayload> {
  const facts = proposedFacts(kernel.secrets, kept?.facts ?? factsInForce(doctor), request.facts);
  let hospitalApplyName: string | null = null;
  if (facts.hospitalApplyId !== null) {
    const applied = await getHospitalApply(ctx.tx, facts.hospitalApplyId);
    if (!applied || applied.state === 'REJECTED' || applied.state === 'WITHDRAWN')
      throw refuseField('hospitalApplyId', '医院申请不存在或未通过，请重新选择执业机构');
    if (applied.resultHospitalId !== null) Object.assign(facts, { hospitalId: applied.resultHospitalId, hospitalApplyId: null });
    else hospitalApplyName = applied.name;
  }
  const fresh = request.certs.map((cert, index) => storedCert(kernel.secrets, cert, String(index + 1)));
  // What was handed in before and is not replaced now stays.
  const old = (kept?.certs ?? []).filter(({ certType }) => !fresh.some((cert) => cert.certType === certType));
  return { facts, certs: [...old, ...fresh].map((cert, index) => ({ ...cert, id: String(index + 1) })), hospitalApplyName };
}

/** The doctor follows his first application; one who is qualified stays so while a change is looked at. */
export async function moveDoctor(
  ctx: Acting,
  doctor: Pick<DoctorRow, 'id' | 'doctorNo' | 'qualState'>,
  action: 'submit' | 'return' | 'reject' | 'withdraw',
  opinion = '',
): Promise<void> {
  const from = doctor.qualState;
  if (!qualMachine.canStart(action, from)) return;
  const qualState = await moveState(ctx, qualMachine, {
    targetType: 'doctor.doctor',
    targetId: doctor.id,
    targetNo: doctor.doctorNo,
    action,
    from,
    opinion,
  });
  await ownTx(ctx.tx)
    .updateTable('doctorDoctor')
    .set((eb) => ({
      qualState,
      qualReason: opinion || null,
      ...(action === 'submit' ? { submittedAt: ctx.now } : {}),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', doctor.id)
    .execute();
  await publishDoctor(ctx, doctor.id, ['qualState']);
}

/**
 * Hands in facts and certificates of a doctor for audit: a new application, or the returned one again.
 * @throws Refusal SCM07020 while another application is open, SCM07021, SCM07022, SCM90020.
 */
export async function submitQualApply(
  kernel: Kernel,
  ctx: Acting,
  request: QualRequest,
): Promise<{ applyId: string; applyNo: string; state: QualApplyState; version: number }> {
  const own = ownTx(ctx.tx);
  const doctor = await own.selectFrom('doctorDoctor').selectAll().where('id', '=', request.doctorId).forUpdate().executeTakeFirstOrThrow();
  if (doctor.accountState === 'CANCELLED') throw refuseField('doctorId', '医生已注销');
  const open = await own
    .selectFrom('doctorQualApply')
    .selectAll()
    .where('doctorId', '=', doctor.id)
    .where('state', 'in', OPEN)
    .executeTakeFirst();
  if (open && open.state !== 'RETURNED') throw refuse(doctorErrors.APPLY_OPEN, { applyNo: open.applyNo });
  const applyType = open?.applyType ?? request.applyType;
  const payload = await payloadOf(kernel, ctx, doctor, request, open ? (open.payload as QualPayload) : null);
  requireCerts({ applyType, certs: payload.certs });
  await requireUnused(ctx, doctor.id, payload);
  const userId = ctx.staffOrNull?.userId ?? null;
  const applyNo = open?.applyNo ?? (await nextNumber(ctx.tx, 'ZZ', ctx.today));
  const facts = {
    payload: json(payload),
    before: json(factsInForce(doctor)),
    state: 'PENDING' as const,
    submittedAt: ctx.now,
    dueAt: await addWorkingMinutes(ctx.tx, ctx.now, DUE_MINUTES),
    enteredBy: userId,
    hospitalApplyId: payload.facts.hospitalApplyId,
    firstAuditorId: null,
    firstAuditorName: null,
    recheckReason: null,
    rejectReasons: [],
    returnItems: [],
    returnedAt: null,
    ...updatedColumns({ now: ctx.now, userId }),
  };
  const row = open
    ? await own
        .updateTable('doctorQualApply')
        .set((eb) => ({ ...facts, round: eb('round', '+', 1), version: eb('version', '+', 1) }))
        .where('id', '=', open.id)
        .returningAll()
        .executeTakeFirstOrThrow()
    : await own
        .insertInto('doctorQualApply')
        .values({ ...facts, applyNo, doctorId: doctor.id, applyType, source: request.source, ...authorColumns({ now: ctx.now, userId }) })
        .returningAll()
        .executeTakeFirstOrThrow();
  await moveState(ctx, qualApplyMachine, {
    targetType: APPLY_TARGET,
    targetId: row.id,
    targetNo: applyNo,
    action: open ? 'resubmit' : 'submit',
    from: open ? 'RETURNED' : 'PENDING',
  });
  await moveDoctor(ctx, doctor, 'submit');
  await attachCerts(ctx, row.id, request.certs, userId ?? request.uploaderId ?? '0');
  await findAgain(kernel, ctx, { ...row, payload });
  if (kernel.ocr.available) await ctx.enqueue(readCertsJob, { applyId: row.id, round: row.round });
  await kernel.ports.notices.addTodo(
    ctx.tx,
    {
      businessKey: auditTodo(row.id),
      title: `医生资质待审核：${payload.facts.name ?? ''}（${applyNo}）`,
      link: `/doctorManagement?tab=audit&applyId=${row.id}`,
      permission: doctorPermissions['qual.audit'].code,
    },
    ctx.now,
  );
  return { applyId: row.id, applyNo, state: 'PENDING', version: row.version };
}

/** An application that waits for its certificates (imported doctors): handed in later as a returned one is. */
export async function draftQualApply(
  kernel: Kernel,
  ctx: Acting,
  request: Omit<QualRequest, 'certs' | 'applyType'>,
): Promise<{ applyId: string; applyNo: string }> {
  const own = ownTx(ctx.tx);
  const doctor = await own.selectFrom('doctorDoctor').selectAll().where('id', '=', request.doctorId).executeTakeFirstOrThrow();
  const payload = await payloadOf(kernel, ctx, doctor, { ...request, applyType: 'FIRST', certs: [] }, null);
  const applyNo = await nextNumber(ctx.tx, 'ZZ', ctx.today);
  const { id } = await own
    .insertInto('doctorQualApply')
    .values({
      applyNo,
      doctorId: doctor.id,
      applyType: 'FIRST',
      payload: json(payload),
      before: json(factsInForce(doctor)),
      source: request.source,
      state: 'RETURNED',
      hospitalApplyId: payload.facts.hospitalApplyId,
      returnItems: [...requiredCerts.FIRST],
      doctorWording: '请上传证件',
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { applyId: id, applyNo };
}
