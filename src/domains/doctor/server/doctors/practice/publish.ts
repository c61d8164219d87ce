import type { Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { doctorApproved, doctorChanged, doctorDisabled } from '#events/doctor.ts';
import { getHospital } from '#domains/institution/server/index.ts';
import { ownTx } from '../../database.ts';

/** Tells the other domains what they keep of a doctor; `changed` names the fields that moved. */
export async function publishDoctor(
  ctx: Writing & { now: Instant },
  doctorId: string,
  changed: readonly string[],
  kind: 'approved' | 'changed' = 'changed',
): Promise<void> {
  const row = await ownTx(ctx.tx).selectFrom('doctorDoctor').selectAll().where('id', '=', doctorId).executeTakeFirstOrThrow();
  const hospital = row.hospitalId === null ? null : await getHospital(ctx.tx, row.hospitalId);
  await ctx.publish(kind === 'approved' ? doctorApproved : doctorChanged, doctorId, {
    doctorId,
    doctorNo: row.doctorNo,
    operatorId: row.operatorId,
    name: row.name,
    avatarFileId: row.avatarFileId,
    titleCode: row.titleCode,
    hospitalId: row.hospitalId,
    hospitalName: hospital?.name ?? null,
    departmentId: row.departmentId,
    adcode: row.adcode,
    // CHECK constraints of the table hold the codes to the machines.
    accountState: row.accountState,
    qualState: row.qualState,
    acceptState: row.acceptState,
    practiceOk: row.practiceOk,
    offUntil: row.offUntil,
    channelId: row.channelId,
    agentId: row.agentId,
    changed: [...changed],
  });
}

export const publishDisabled = (ctx: Writing, doctorId: string, reason: 'FROZEN' | 'CANCELLED' | 'QUAL_EXPIRED'): Promise<void> =>
  ctx.publish(doctorDisabled, doctorId, { doctorId, reason });

/** Channel and representative of the live attribution, as lists and scopes read them. */
export async function setDoctorChannel(
  ctx: Writing & { now: Instant },
  doctorId: string,
  attribution: { channelId: string | null; agentId: string | null },
): Promise<void> {
  const moved = await ownTx(ctx.tx)
    .updateTable('doctorDoctor')
    .set({ channelId: attribution.channelId, agentId: attribution.agentId })
    .where('id', '=', doctorId)
    .where((eb) =>
      eb.or([eb('channelId', 'is distinct from', attribution.channelId), eb('agentId', 'is distinct from', attribution.agentId)]),
    )
    .returning('id')
    .executeTakeFirst();
  if (moved) await publishDoctor(ctx, doctorId, ['channelId', 'agentId']);
}
