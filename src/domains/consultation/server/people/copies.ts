import type { PayloadOf } from '#kernel/contract/event.ts';
import type { doctorChanged, openingChanged } from '#events/doctor.ts';
import { json, ownTx } from '../database.ts';
import type { Deed } from '../deed.ts';
import { doctorAccount } from '../groups/people.ts';

async function keepCopy(ctx: Deed, kind: 'DOCTOR' | 'OPENING', refId: string, name: string, facts: object, seq: number): Promise<boolean> {
  const row = { kind, refId, name, facts: json(facts), seq, updatedAt: ctx.now };
  const kept = await ownTx(ctx.tx)
    .insertInto('consultationRefCopy')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'refId']).doUpdateSet(row).where('consultationRefCopy.seq', '<', seq))
    .returning('refId')
    .executeTakeFirst();
  return kept !== undefined;
}

/** What cards and banners show of a doctor; his name in the chat follows. */
export async function keepDoctor(ctx: Deed, doctor: PayloadOf<typeof doctorChanged>, seq: number): Promise<void> {
  const { doctorId, operatorId, name, avatarFileId, titleCode, hospitalName, practiceOk, acceptState, offUntil } = doctor;
  if (!(await keepCopy(ctx, 'DOCTOR', doctorId, name, { operatorId, titleCode, hospitalName, practiceOk, acceptState, offUntil }, seq)))
    return;
  await doctorAccount(ctx, { doctorId, operatorId, name, avatarFileId });
}

/** Openings in doctors' cards. */
export async function keepOpening(
  ctx: Deed,
  { openingId, doctorId, itemId, itemName, priceFen, state }: PayloadOf<typeof openingChanged>,
  seq: number,
): Promise<void> {
  await keepCopy(ctx, 'OPENING', openingId, itemName, { doctorId, itemId, priceFen, state }, seq);
}
