import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import { own } from '../database.ts';

type Brief = Awaited<ReturnType<typeof getDoctors>>[number];

/**
 * What this domain keeps of a doctor who earns, and his account, from his first income on.
 * @throws Refusal SCM90040 where there is no such doctor
 */
export async function keepDoctor(tx: Tx, doctorId: string, now: Instant): Promise<Brief> {
  const [doctor] = await getDoctors(tx, [doctorId]);
  if (!doctor) throw refuse(platformErrors.NOT_FOUND, { message: '医生不存在或已删除' });
  const facts = {
    doctorNo: doctor.doctorNo,
    name: doctor.name,
    titleCode: doctor.titleCode,
    hospitalId: doctor.hospitalId,
    hospitalName: doctor.hospitalName,
    channelId: doctor.channelId,
    accountState: doctor.accountState,
    updatedAt: now,
  };
  await own(tx)
    .insertInto('settlementDoctor')
    .values({ doctorId, ...facts })
    .onConflict((conflict) => conflict.column('doctorId').doUpdateSet(facts))
    .execute();
  await own(tx)
    .insertInto('settlementAccount')
    .values({ doctorId, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return doctor;
}
