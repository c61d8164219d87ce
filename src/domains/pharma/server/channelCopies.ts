import type { Acting } from '#kernel/server/command/acting.ts';
import { ownTx } from './database.ts';
import { recountOf } from './handover/runHandover.ts';

export interface ChannelFacts {
  channelId: string;
  channelNo: string;
  name: string;
  channelType: string;
  agentId: string | null;
  state: string;
  scans30: number;
}

/** Keeps the copy of a channel and brings the hand-over of its former representative up to date. */
export async function applyChannel(ctx: Acting, channel: ChannelFacts, seq: number): Promise<void> {
  const tx = ownTx(ctx.tx);
  const before = await tx
    .selectFrom('pharmaAgentChannel')
    .select(['agentId', 'seq'])
    .where('channelId', '=', channel.channelId)
    .forUpdate()
    .executeTakeFirst();
  if (before && Number(before.seq) >= seq) return;
  const { channelId, channelNo, name, channelType, agentId, state, scans30 } = channel;
  const row = { channelId, channelNo, name, channelType, agentId, state, scans30, seq: String(seq) };
  await tx
    .insertInto('pharmaAgentChannel')
    .values(row)
    .onConflict((conflict) => conflict.column('channelId').doUpdateSet(row))
    .execute();
  if (before && before.agentId !== channel.agentId) await recountOf(ctx, before.agentId);
}

export interface DoctorFacts {
  doctorId: string;
  name: string;
  hospitalName: string;
  titleCode: string | null;
  qualState: string | null;
}

/** Keeps the copy of a doctor, also where it stands beside a representative. */
export async function applyDoctor(ctx: Acting, doctor: DoctorFacts, seq: number): Promise<void> {
  const tx = ownTx(ctx.tx);
  const row = { ...doctor, seq: String(seq) };
  const written = await tx
    .insertInto('pharmaDoctorCopy')
    .values(row)
    .onConflict((conflict) => conflict.column('doctorId').doUpdateSet(row).where('pharmaDoctorCopy.seq', '<', String(seq)))
    .returning('doctorId')
    .executeTakeFirst();
  if (!written) return;
  await tx
    .updateTable('pharmaAgentDoctor')
    .set({ doctorName: doctor.name, hospitalName: doctor.hospitalName, titleCode: doctor.titleCode, qualState: doctor.qualState })
    .where('doctorId', '=', doctor.doctorId)
    .execute();
}
