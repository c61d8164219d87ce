import type { PayloadOf } from '#kernel/contract/event.ts';
import type { doctorChanged } from '#events/doctor.ts';
import type { ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { ownTx } from '../database.ts';

/** Keeps where a doctor works: the scope and the filters of visit records ask it without asking doctor for every row. */
export async function keepPlace(ctx: ConsumerContext, doctor: PayloadOf<typeof doctorChanged>, seq: number): Promise<void> {
  const { doctorId, name: doctorName, hospitalId, hospitalName, departmentId, adcode, channelId } = doctor;
  const row = { doctorId, doctorName, hospitalId, hospitalName, departmentId, adcode, channelId, seq, updatedAt: ctx.now };
  await ownTx(ctx.tx)
    .insertInto('consultationDoctorPlace')
    .values(row)
    .onConflict((conflict) => conflict.column('doctorId').doUpdateSet(row).where('consultationDoctorPlace.seq', '<', seq))
    .execute();
}
