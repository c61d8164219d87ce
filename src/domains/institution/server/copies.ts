import { sql } from 'kysely';
import type { PayloadOf } from '#kernel/contract/event.ts';
import type { Tx } from '#kernel/server/context.ts';
import { consumer, type Consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { doctorApproved, doctorChanged } from '#events/doctor.ts';
import { medicineChanged } from '#events/pharma.ts';
import { ownTx } from './database.ts';

/** Counts the doctors of hospitals and departments anew; a merged one's count for what it was merged into. */
async function recount(tx: Tx, hospitalIds: readonly string[], departmentIds: readonly string[]): Promise<void> {
  await sql`
    update institution_hospital h
      set doctor_count = (
        select count(*)
          from institution_doctor_copy c
          join institution_hospital w on w.id = c.hospital_id
          where coalesce(w.merged_into_id, w.id) = h.id
      )
      where h.id in (select coalesce(merged_into_id, id) from institution_hospital where id = any(${[...hospitalIds]}::bigint[]))`.execute(
    tx,
  );
  await sql`
    update institution_department d
      set doctor_count = (
        select count(*)
          from institution_doctor_copy c
          join institution_department w on w.id = c.department_id
          where coalesce(w.merged_into_id, w.id) = d.id
      )
      where d.id in (
        select coalesce(merged_into_id, id) from institution_department where id = any(${[...departmentIds]}::bigint[])
      )`.execute(tx);
}

const present = (ids: readonly (string | null | undefined)[]) => [...new Set(ids.filter((id) => id !== null && id !== undefined))];

async function keepDoctor(
  { payload, seq }: { payload: PayloadOf<typeof doctorChanged>; seq: number },
  { tx }: ConsumerContext,
): Promise<void> {
  const own = ownTx(tx);
  const before = await own
    .selectFrom('institutionDoctorCopy')
    .selectAll()
    .where('doctorId', '=', payload.doctorId)
    .forUpdate()
    .executeTakeFirst();
  if (before && Number(before.seq) >= seq) return;
  const gone = payload.accountState === 'CANCELLED';
  const row = {
    doctorId: payload.doctorId,
    hospitalId: gone ? null : payload.hospitalId,
    departmentId: gone ? null : payload.departmentId,
    seq: String(seq),
  };
  await own
    .insertInto('institutionDoctorCopy')
    .values(row)
    .onConflict((conflict) => conflict.column('doctorId').doUpdateSet(row))
    .execute();
  await recount(tx, present([before?.hospitalId, row.hospitalId]), present([before?.departmentId, row.departmentId]));
}

/** What this domain keeps of goods and doctors; an older event than the one seen changes nothing. */
export const institutionConsumers: readonly Consumer[] = [
  consumer('institution', doctorApproved, keepDoctor),
  consumer('institution', doctorChanged, keepDoctor),
  consumer('institution', medicineChanged, async ({ payload, seq }, { tx, now }) => {
    if (payload.goods.length === 0) return;
    const name = payload.brandName ? `${payload.genericName}（${payload.brandName}）` : payload.genericName;
    await ownTx(tx)
      .insertInto('institutionGoodsCopy')
      .values(
        payload.goods.map(({ goodsCode, packSpec, state }) => ({
          goodsCode,
          medicineId: payload.medicineId,
          goodsName: name,
          spec: packSpec,
          state: payload.state === 'ON' ? state : 'OFF',
          seq: String(seq),
          updatedAt: now,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .column('goodsCode')
          .doUpdateSet((eb) => ({
            medicineId: eb.ref('excluded.medicineId'),
            goodsName: eb.ref('excluded.goodsName'),
            spec: eb.ref('excluded.spec'),
            state: eb.ref('excluded.state'),
            seq: eb.ref('excluded.seq'),
            updatedAt: eb.ref('excluded.updatedAt'),
          }))
          .where('institutionGoodsCopy.seq', '<', String(seq)),
      )
      .execute();
  }),
];
