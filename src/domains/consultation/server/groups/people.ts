import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Deed } from '../deed.ts';
import { ensureAccount } from '../im/accounts/accounts.ts';
import { ownTx } from '../database.ts';

export interface DoctorSide {
  doctorId: string;
  operatorId: string;
  name: string;
  avatarFileId: string | null;
}
export interface PatientSide {
  patientId: string;
  operatorId: string;
  name: string;
}

/** Chat accounts of those who speak in a group, made or brought up to date. @returns their user ids. */
export const doctorAccount = (ctx: Deed, doctor: DoctorSide): Promise<string> =>
  ensureAccount(
    ctx.kernel,
    ctx,
    { kind: 'DOCTOR', operatorId: doctor.operatorId, refId: doctor.doctorId, nick: doctor.name, avatar: doctor.avatarFileId },
    ctx.now,
  );
export const patientAccount = (ctx: Deed, patient: PatientSide): Promise<string> =>
  ensureAccount(
    ctx.kernel,
    ctx,
    { kind: 'PATIENT', operatorId: patient.operatorId, refId: patient.patientId, nick: patient.name, avatar: null },
    ctx.now,
  );
export async function assistantAccount(ctx: Deed, assistantId: string): Promise<string> {
  const duty = await ownTx(ctx.tx)
    .selectFrom('consultationAssistantDuty')
    .selectAll()
    .where('assistantId', '=', assistantId)
    .executeTakeFirst();
  if (!duty) throw refuse(platformErrors.NOT_FOUND);
  return ensureAccount(
    ctx.kernel,
    ctx,
    { kind: 'ASSISTANT', operatorId: duty.operatorId, refId: assistantId, nick: duty.name, avatar: duty.avatarFileId },
    ctx.now,
  );
}
