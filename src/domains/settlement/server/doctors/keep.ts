import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import { own } from '../database.ts';

type Brief = Awaited<ReturnType<typeof getDoctors>>[number];

/** What this domain keeps of doctors, brought up to date. Unknown ones are left out. */
export async function keepDoctors(tx: Tx, doctorIds: readonly string[], now: Instant): Promise<Brief[]> {
  const doctors = await getDoctors(tx, [...new Set(doctorIds)]);
  if (doctors.length === 0) return [];
  await own(tx)
    .insertInto('settlementDoctor')
    .values(
      doctors.map((doctor) => ({
        doctorId: doctor.doctorId,
        doctorNo: doctor.doctorNo,
        name: doctor.name,
        titleCode: doctor.titleCode,
        hospitalId: doctor.hospitalId,
        hospitalName: doctor.hospitalName,
        channelId: doctor.channelId,
        accountState: doctor.accountState,
        updatedAt: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('doctorId').doUpdateSet((eb) => ({
        doctorNo: eb.ref('excluded.doctorNo'),
        name: eb.ref('excluded.name'),
        titleCode: eb.ref('excluded.titleCode'),
        hospitalId: eb.ref('excluded.hospitalId'),
        hospitalName: eb.ref('excluded.hospitalName'),
        channelId: eb.ref('excluded.channelId'),
        accountState: eb.ref('excluded.accountState'),
        updatedAt: now,
      })),
    )
    .execute();
  return doctors;
}

/**
 * The same of one who earns, and his account, from his first income on.
 * @throws Refusal SCM90040 where there is no such doctor
 */
export async function keepDoctor(tx: Tx, doctorId: string, now: Instant): Promise<Brief> {
  const [doctor] = await keepDoctors(tx, [doctorId], now);
  if (!doctor) throw refuse(platformErrors.NOT_FOUND, { message: '医生不存在或已删除' });
  await own(tx)
    .insertInto('settlementAccount')
    .values({ doctorId, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return doctor;
}
