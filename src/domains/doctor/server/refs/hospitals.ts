import { sql } from 'kysely';
import { consumer, type Consumer } from '#kernel/server/outbox/consumer.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { departmentChanged, hospitalChanged, hospitalMerged, hospitalUnmerged } from '#events/institution.ts';
import { getDepartment, getHospital } from '#domains/institution/server/index.ts';
import { refreshCard } from '../cards/onDoctorChanged.ts';
import { ownTx } from '../database.ts';
import { publishDoctor } from '../doctors/practice/publish.ts';

/** Hospital and department of a doctor, with the names that lists show. */
async function place(ctx: Acting, doctorId: string, hospitalId: string, departmentId: string | null): Promise<void> {
  const hospital = await getHospital(ctx.tx, hospitalId);
  const department = departmentId === null ? null : await getDepartment(ctx.tx, departmentId);
  await ownTx(ctx.tx)
    .updateTable('doctorDoctor')
    .set((eb) => ({
      hospitalId,
      hospitalName: hospital?.name ?? null,
      adcode: hospital?.adcode ?? null,
      departmentId,
      departmentName: department?.name ?? null,
      standardDeptCode: department?.standardDeptCode ?? null,
      version: eb('version', '+', 1),
      updatedAt: ctx.now,
    }))
    .where('id', '=', doctorId)
    .execute();
  await refreshCard(ctx, doctorId);
  await publishDoctor(ctx, doctorId, ['hospitalId', 'hospitalName', 'departmentId', 'adcode']);
}

/** Places of practice follow; one that stands at both already keeps the survivor's, as main one where either was. */
async function movePractices(ctx: Acting, from: string, to: string): Promise<void> {
  const { rows } = await sql<{ doctorId: string; isMain: boolean }>`
    delete from doctor_practice l
      where l.hospital_id = ${from} and exists (select 1 from doctor_practice s where s.doctor_id = l.doctor_id and s.hospital_id = ${to})
      returning l.doctor_id, l.is_main`.execute(ctx.tx);
  const mains = rows.filter(({ isMain }) => isMain).map(({ doctorId }) => doctorId);
  if (mains.length > 0)
    await sql`
      update doctor_practice
        set is_main = true, updated_at = ${ctx.now}
        where hospital_id = ${to} and doctor_id = any(${mains}::bigint[])`.execute(ctx.tx);
  await sql`update doctor_practice l set hospital_id = ${to}, updated_at = ${ctx.now} where l.hospital_id = ${from}`.execute(ctx.tx);
}

interface Stood {
  doctorId: string;
  departmentId: string | null;
  /** His main place of practice; else a second one. */
  main: boolean;
}

/** Keeps what doctors had at both hospitals, so that the merge can be undone. */
async function remember(ctx: Acting, loserId: string, survivorId: string): Promise<Stood[]> {
  const there = sql`
    d.id in (
      select id
        from doctor_doctor
        where hospital_id = ${loserId}
      union
      select doctor_id
        from doctor_practice
        where hospital_id = ${loserId}
      union
      select doctor_id
        from doctor_cert
        where hospital_id = ${loserId}
    )`;
  await sql`select d.id from doctor_doctor d where ${there} order by d.id for update`.execute(ctx.tx);
  const { rows } = await sql<Stood>`
    insert into doctor_hospital_merge (loser_id, survivor_id, doctor_id, department_id, main, cert_ids, practices)
      select ${loserId}, ${survivorId}, d.id, case when d.hospital_id = ${loserId} then d.department_id end,
          coalesce(d.hospital_id = ${loserId}, false),
          array(select c.id from doctor_cert c where c.doctor_id = d.id and c.hospital_id = ${loserId} order by c.id),
          coalesce((
            select jsonb_agg(to_jsonb(p) - 'id')
              from doctor_practice p
              where p.doctor_id = d.id and p.hospital_id in (${loserId}, ${survivorId})
          ), '[]')
        from doctor_doctor d
        where ${there}
        order by d.id
        on conflict (loser_id, doctor_id) do nothing
        returning doctor_id, department_id, main`.execute(ctx.tx);
  return rows;
}

/** Doctors of the loser show the survivor at once; who they were is kept for an undo. */
const onMerged = consumer('doctor', hospitalMerged, async ({ payload: { loserId, survivorId, deptMap } }, ctx) => {
  const acting = asSystem(ctx, ctx);
  const doctors = await remember(acting, loserId, survivorId);
  await movePractices(acting, loserId, survivorId);
  await ownTx(ctx.tx)
    .updateTable('doctorCert')
    .set({ hospitalId: survivorId, updatedAt: ctx.now })
    .where('hospitalId', '=', loserId)
    .execute();
  for (const { doctorId, departmentId, main } of doctors)
    if (main)
      await place(acting, doctorId, survivorId, deptMap.find(({ fromDeptId }) => fromDeptId === departmentId)?.toDeptId ?? departmentId);
});

/** Doctors who came by the merge and did not move since go back; so do second places and their registrations. */
const onUnmerged = consumer('doctor', hospitalUnmerged, async ({ payload: { loserId, survivorId } }, ctx) => {
  const acting = asSystem(ctx, ctx);
  const tx = ownTx(ctx.tx);
  const rows = await tx
    .selectFrom('doctorHospitalMerge as m')
    .innerJoin('doctorDoctor as d', 'd.id', 'm.doctorId')
    .select(['m.doctorId', 'm.departmentId', 'm.main', 'm.certIds', 'm.practices', 'd.hospitalId'])
    .where('m.loserId', '=', loserId)
    .where('m.survivorId', '=', survivorId)
    .orderBy('d.id')
    .forUpdate('d')
    .execute();
  for (const { doctorId, departmentId, main, certIds, practices, hospitalId } of rows) {
    if (certIds.length > 0)
      await tx
        .updateTable('doctorCert')
        .set({ hospitalId: loserId, updatedAt: ctx.now })
        .where('id', 'in', certIds)
        .where('hospitalId', '=', survivorId)
        .execute();
    if ((hospitalId === survivorId) !== main) continue;
    await tx.deleteFrom('doctorPractice').where('doctorId', '=', doctorId).where('hospitalId', 'in', [loserId, survivorId]).execute();
    await sql`
      insert into doctor_practice (doctor_id, hospital_id, is_main, valid_from, valid_to, cert_id, created_at, created_by, updated_at)
        select doctor_id, hospital_id, is_main, valid_from, valid_to, cert_id, created_at, created_by, ${ctx.now}::timestamptz
          from jsonb_populate_recordset(null::doctor_practice, ${JSON.stringify(practices)}::jsonb)`.execute(ctx.tx);
    if (main) await place(acting, doctorId, loserId, departmentId);
  }
  await tx.deleteFrom('doctorHospitalMerge').where('loserId', '=', loserId).execute();
});

const onChanged = consumer('doctor', hospitalChanged, async ({ payload: { hospitalId, name, adcode } }, ctx) => {
  const acting = asSystem(ctx, ctx);
  const moved = await ownTx(ctx.tx)
    .updateTable('doctorDoctor')
    .set({ hospitalName: name, adcode, updatedAt: ctx.now })
    .where('hospitalId', '=', hospitalId)
    .where((eb) => eb.or([eb('hospitalName', 'is distinct from', name), eb('adcode', 'is distinct from', adcode)]))
    .returning('id')
    .execute();
  for (const { id } of moved) {
    await refreshCard(acting, id);
    await publishDoctor(acting, id, ['hospitalName', 'adcode']);
  }
});

/** Doctors are shown under the department's name of now. */
const onDepartmentChanged = consumer('doctor', departmentChanged, async ({ payload: { departmentId, name, standardDeptCode } }, ctx) => {
  const acting = asSystem(ctx, ctx);
  const renamed = await ownTx(ctx.tx)
    .updateTable('doctorDoctor')
    .set({ departmentName: name, standardDeptCode, updatedAt: ctx.now })
    .where('departmentId', '=', departmentId)
    .where((eb) => eb.or([eb('departmentName', 'is distinct from', name), eb('standardDeptCode', 'is distinct from', standardDeptCode)]))
    .returning('id')
    .execute();
  for (const { id } of renamed) {
    await refreshCard(acting, id);
    await publishDoctor(acting, id, ['departmentName', 'standardDeptCode']);
  }
});

export const hospitalConsumers: readonly Consumer[] = [onMerged, onUnmerged, onChanged, onDepartmentChanged];
