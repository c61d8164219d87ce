import { createHash } from 'node:crypto';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { requireRegion } from '#kernel/server/auth/scope.ts';
import { machineOf, machineViewer } from '#kernel/server/auth/viewer.ts';
import { command, procedure, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { completeFor, presign } from '#domains/files/server/index.ts';
import { requestHospital, seenHospitals } from '#domains/institution/server/index.ts';
import { completeDoctorFile, registerDoctor, requestDoctorFiles, submitDoctorQualification } from '../../contract/calls/register.ts';
import { attributeDoctor } from '../attribution/attribute.ts';
import { doctorsSeen } from '../access.ts';
import { lockKeys, own, ownTx } from '../database.ts';
import { createDoctor } from '../doctors/entry/create.ts';
import { mobileHashOf } from '../doctors/entry/person.ts';
import { CERT_PURPOSE } from './files.ts';
import { submitQualApply } from './submit.ts';

const sorted = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([key, one]) => [key, sorted(one)]),
      )
    : value;
const hashOf = (body: object) =>
  createHash('sha256')
    .update(JSON.stringify(sorted(body)))
    .digest('hex');

/** The app of doctors: registration and certificates. */
export const registerHandlers = (kernel: Kernel): readonly Handler[] => [
  command(registerDoctor, async (request, ctx) => {
    const { mobile, name, idNo, hospitalId, hospital, departmentId, specialty, intro, invited, scanToken } = request;
    const tx = ownTx(ctx.tx);
    const mobileHash = mobileHashOf(kernel.secrets, mobile);
    // Keyed, so that the stored hash tells nothing of what was sent.
    const bodyHash = kernel.secrets.blindIndex('doctor.registration', hashOf(request));
    const machine = machineViewer(ctx);
    if (hospital) requireRegion(machine, hospital.adcode, 'hospital.adcode');
    if (hospitalId !== null && (await seenHospitals(ctx.tx, machine, [hospitalId])).length === 0)
      throw refuse(platformErrors.NOT_FOUND, { message: '执业机构不存在或已删除' });
    await lockKeys(ctx.tx, [mobileHash]);
    const answer = async (doctorId: string) => {
      const { doctorNo, operatorId, hospitalApplyId } = await tx
        .selectFrom('doctorDoctor')
        .select(['doctorNo', 'operatorId', 'hospitalApplyId'])
        .where('id', '=', doctorId)
        .executeTakeFirstOrThrow();
      ctx.target({ type: 'doctor.doctor', id: doctorId, no: doctorNo });
      return { doctorId, doctorNo, operatorId, hospitalApplyId };
    };
    const earlier = await tx
      .selectFrom('doctorRegistration as r')
      .innerJoin('doctorDoctor as d', 'd.id', 'r.doctorId')
      .select(['r.doctorId', 'r.bodyHash'])
      .where('r.mobileHash', '=', mobileHash)
      .where('d.accountState', '<>', 'CANCELLED')
      .executeTakeFirst();
    if (earlier?.bodyHash === bodyHash) return answer(earlier.doctorId);
    if (earlier) throw refuse(platformErrors.DUPLICATE_REQUEST);
    const applied =
      hospital === null
        ? null
        : await requestHospital(kernel, ctx, hospital, { type: 'DOCTOR', id: mobileHash.slice(0, 40), name, mobile });
    const source = scanToken !== undefined ? 'SCAN' : 'INVITE';
    const { id } = await createDoctor(
      ctx,
      kernel.secrets,
      { name, mobile, idNo, hospitalId, hospitalApplyId: applied?.id ?? null, departmentId, specialty, intro },
      invited ? 'INVITE' : source,
    );
    await tx.insertInto('doctorRegistration').values({ mobileHash, bodyHash, doctorId: id, at: ctx.now }).execute();
    await attributeDoctor(kernel, ctx, { doctorId: id, ...(scanToken === undefined ? {} : { scanToken }) });
    return answer(id);
  }),
  command(submitDoctorQualification, async ({ doctorId, applyType, facts, certs }, ctx) => {
    const doctor = await doctorsSeen(own(ctx.tx), machineViewer(ctx))
      .select(['d.operatorId', 'd.sourceType', 'd.qualState'])
      .where('d.id', '=', doctorId)
      .where('d.accountState', '<>', 'CANCELLED')
      .executeTakeFirst();
    if (!doctor) throw refuse(platformErrors.NOT_FOUND, { message: '医生不存在或已注销' });
    const never = doctor.qualState === 'NONE' || doctor.qualState === 'REJECTED';
    if (never !== (applyType === 'FIRST') && doctor.qualState !== 'RETURNED')
      throw refuseField('applyType', never ? '请先提交首次认证' : '医生已认证，请选择变更类型');
    const { applyId, applyNo, state } = await submitQualApply(kernel, ctx, {
      doctorId,
      applyType,
      facts,
      certs,
      source: doctor.sourceType,
      uploaderId: machineViewer(ctx).userId,
    });
    return { doctorId, operatorId: doctor.operatorId, applyId, applyNo, state };
  }),
  command(requestDoctorFiles, async ({ files }, ctx) => {
    const uploads = await presign(
      kernel,
      ctx,
      { userId: machineViewer(ctx).userId, name: machineOf(ctx).name, sessionId: null },
      CERT_PURPOSE,
      files,
      ctx.now,
    );
    for (const { fileId } of uploads) ctx.target({ type: 'files.fileObject', id: fileId });
    return uploads.map(({ fileId, url, headers, parts, expiresAt }) => ({ fileId, url, headers, parts, expiresAt }));
  }),
  procedure(completeDoctorFile, async ({ fileId }, ctx) => {
    ctx.target({ type: 'files.fileObject', id: fileId });
    const { state } = await completeFor(kernel, machineViewer(ctx).userId, fileId, (work) => ctx.transaction(work), ctx.now);
    return { fileId, state };
  }),
];
