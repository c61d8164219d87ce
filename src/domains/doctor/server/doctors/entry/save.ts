import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { QualApplyType } from '../../../contract/dictionaries.ts';
import { addDoctorInfo, modifyDoctorInfo } from '../../../contract/calls/doctors.ts';
import type { CertInput, QualFacts } from '../../../contract/qualFields.ts';
import { accountMachine } from '../../../contract/states.ts';
import { doctorRecords, type DoctorRecord } from '../../access.ts';
import { attributeDoctor } from '../../attribution/attribute.ts';
import { refreshCard } from '../../cards/onDoctorChanged.ts';
import { ownTx } from '../../database.ts';
import type { QualPayload, StoredFacts } from '../../qual/payload.ts';
import { submitQualApply } from '../../qual/submit.ts';
import { createDoctor } from './create.ts';
import { DOCTOR_TARGET, useAvatar } from './files.ts';
import { requireUnknownPerson, idNoHashOf, mobileColumns } from './person.ts';
import { publishDoctor } from '../practice/publish.ts';

/** @throws Refusal SCM90020 for a disease that is not in the corpus. */
async function requireDiseases(ctx: Pick<CommandContext, 'tx'>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = await ownTx(ctx.tx)
    .selectFrom('doctorRefCopy')
    .select('refId')
    .where('kind', '=', 'DISEASE')
    .where('refId', 'in', [...ids])
    .execute();
  if (known.length < new Set(ids).size) throw refuseField('diseaseIds', '病种不存在或已删除');
}

export const addition = (kernel: Kernel): Handler =>
  command(addDoctorInfo, async ({ mobile, avatarFileId, specialty, intro, diseaseIds, certs, ...facts }, ctx) => {
    await requireDiseases(ctx, diseaseIds);
    const doctor = await createDoctor(ctx, kernel.secrets, { ...facts, mobile, specialty, intro, diseaseIds, avatarFileId }, 'STAFF');
    await useAvatar(ctx, doctor.id, null, avatarFileId);
    await attributeDoctor(kernel, ctx, { doctorId: doctor.id });
    const apply = await submitQualApply(kernel, ctx, { doctorId: doctor.id, applyType: 'FIRST', facts, certs, source: 'STAFF' });
    await publishDoctor(ctx, doctor.id, ['name']);
    const { version } = await ownTx(ctx.tx)
      .selectFrom('doctorDoctor')
      .select('version')
      .where('id', '=', doctor.id)
      .executeTakeFirstOrThrow();
    return { doctorId: doctor.id, doctorNo: doctor.doctorNo, applyId: apply.applyId, applyNo: apply.applyNo, version };
  });

type Modified = CheckedInputOf<typeof modifyDoctorInfo>;
const plainLabels = { mobileMasked: '手机号', avatarFileId: '头像', specialty: '擅长', intro: '简介', diseaseIds: '病种' };

/** Qualification facts that are not what is in force, or not what the returned application says. */
function changedFacts(
  kernel: Kernel,
  inForce: StoredFacts | DoctorRecord,
  wish: Omit<QualFacts, 'idNo'> & { idNo?: string | undefined },
): Partial<QualFacts> {
  const { idNo, ...facts } = wish;
  const now: Readonly<Record<string, unknown>> = { ...inForce };
  const moved = Object.entries(facts).filter(([key, value]) => (value ?? null) !== (now[key] ?? null));
  return { ...Object.fromEntries(moved), ...(idNo !== undefined && idNoHashOf(kernel.secrets, idNo) !== inForce.idNoHash ? { idNo } : {}) };
}

/** What kind of application a change is; the doctor's first one stays the first until it passed. */
function applyTypeOf(doctor: DoctorRecord, facts: Partial<QualFacts>, certs: readonly CertInput[]): QualApplyType {
  if (doctor.qualState !== 'APPROVED' && doctor.qualState !== 'EXPIRED') return 'FIRST';
  if (facts.hospitalId !== undefined || facts.hospitalApplyId !== undefined) return 'HOSPITAL';
  if (facts.titleCode !== undefined) return 'TITLE';
  return Object.keys(facts).length === 0 && certs.length > 0 ? 'RENEW' : 'UPDATE';
}

async function savePlain(
  kernel: Kernel,
  ctx: CommandContext,
  before: DoctorRecord,
  wish: Pick<Modified, 'mobile' | 'avatarFileId' | 'specialty' | 'intro' | 'diseaseIds'>,
): Promise<string[]> {
  const diseaseIds = [...new Set(wish.diseaseIds)];
  const mobile = wish.mobile === undefined ? null : mobileColumns(kernel.secrets, wish.mobile);
  if (mobile && mobile.mobileHash !== before.mobileHash)
    await requireUnknownPerson(ctx.tx, { mobileHash: mobile.mobileHash, idNoHash: null }, before.id);
  const after = { ...mobile, avatarFileId: wish.avatarFileId, specialty: wish.specialty, intro: wish.intro, diseaseIds };
  const differences = differencesOf({ ...before, diseaseIds: before.diseaseIds.map(String) }, after, plainLabels);
  if (differences.length === 0) return [];
  await useAvatar(ctx, before.id, before.avatarFileId, wish.avatarFileId);
  await moveState(ctx, accountMachine, {
    targetType: DOCTOR_TARGET,
    targetId: before.id,
    targetNo: before.doctorNo,
    action: 'modify',
    from: before.accountState,
    differences,
  });
  await ownTx(ctx.tx)
    .updateTable('doctorDoctor')
    .set((eb) => ({ ...after, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', before.id)
    .execute();
  return differences.map(({ path }) => path.replace('mobileMasked', 'mobile'));
}

export const modification = (kernel: Kernel): Handler =>
  command(modifyDoctorInfo, async ({ doctorId, version, mobile, avatarFileId, specialty, intro, diseaseIds, certs, ...facts }, ctx) => {
    const before = await doctorRecords.lockVersion(ctx, doctorId, version, (seen) => ({
      avatarFileId: seen.avatarFileId,
      specialty: seen.specialty,
      intro: seen.intro,
      diseaseIds: seen.diseaseIds.map(String),
    }));
    if (before.accountState === 'CANCELLED') throw refuse(platformErrors.WRONG_STATE, { state: accountMachine.states.CANCELLED.label });
    await requireDiseases(
      ctx,
      diseaseIds.filter((id) => !before.diseaseIds.map(String).includes(id)),
    );
    const changed = await savePlain(kernel, ctx, before, { mobile, avatarFileId, specialty, intro, diseaseIds });
    const returned = await ownTx(ctx.tx)
      .selectFrom('doctorQualApply')
      .select('payload')
      .where('doctorId', '=', doctorId)
      .where('state', '=', 'RETURNED')
      .executeTakeFirst();
    // What was returned is the ground that the form goes on from; a new portrait may be all that was asked for.
    const moved = changedFacts(kernel, returned ? (returned.payload as QualPayload).facts : before, facts);
    const answered = Object.keys(moved).length > 0 || certs.length > 0 || (returned !== undefined && changed.includes('avatarFileId'));
    const first = ['NONE', 'RETURNED', 'REJECTED'].includes(before.qualState);
    const apply = answered
      ? await submitQualApply(kernel, ctx, {
          doctorId,
          applyType: applyTypeOf(before, moved, certs), // A fact that was put back must not stay as the returned application had it.
          facts: first || returned ? facts : moved,
          certs,
          source: 'STAFF',
        })
      : null;
    if (changed.length > 0) {
      await refreshCard(ctx, doctorId);
      await publishDoctor(ctx, doctorId, changed);
    }
    const row = await ownTx(ctx.tx)
      .selectFrom('doctorDoctor')
      .select(['doctorNo', 'version'])
      .where('id', '=', doctorId)
      .executeTakeFirstOrThrow();
    return { doctorId, ...row, applyId: apply?.applyId ?? null, applyNo: apply?.applyNo ?? null };
  });
