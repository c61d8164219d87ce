import { sql } from 'kysely';
import { consumer, type Consumer } from '../../../../kernel/server/outbox/consumer.ts';
import { asSystem, type Acting } from '../../../../kernel/server/command/acting.ts';
import { departmentChanged, hospitalChanged, hospitalMerged, hospitalUnmerged } from '../../../../events/institution.ts';
import { getDepartment, getHospital } from '../../../institution/server/index.ts';
import { refreshCard } from '../cards/follow.ts';
import { ownTx } from '../database.ts';
import { publishDoctor } from '../doctors/publish.ts';

/** Hospital and department of a doctor, with the names that lists show. */
async function place(ctx: Acting, doctorId: string, hospitalId: string, departmentId: string | null): Promise<void> {
  const hospital = await getHospital(ctx.tx, hospitalId);
  const department = departmentId === null ? null : await getDepartment(ctx.tx, departmentId);
  await ownTx(ctx.tx)
    .updateTable('doctorDoctor')
    .set((eb) => ({
      hospitalId, hospitalName: hospital?.name ?? null, adcode: hospital?.adcode ?? null, departmentId, departmentName: department?.name ?? null, standardDeptCode: department?.standardDeptCode ?? null, version: eb('version', '+', 1), updatedAt: ctx.now,
    }))
    .where('id', '=', doctorId)
    .execute();
  await refreshCard(ctx, doctorId);
  await publishDoctor(ctx, doctorId, ['hospitalId', 'hospitalName', 'departmentId', 'adcode']);
}

/** Places of practice follow; one that stands at both already keeps the survivor's, as main one where either was. */
async function movePractices(ctx: Acting, from: string, to: string, doctorIds?: readonly string[]): Promise<void> {
  const which = doctorIds === undefined ? sql`true` : sql`l.doctor_id = any(${[...doctorIds]}::bigint[])`;
  const { rows } = await sql<{ doctorId: string; isMain: boolean }>`
    delete from doctor_practice l where l.hospital_id = ${from} and ${which} and exists (select 1 from doctor_practice s where s.doctor_id = l.doctor_id and s.hospital_id = ${to}) returning l.doctor_id, l.is_main`.execute(ctx.tx);
  const mains = rows.filter(({ isMain }) => isMain).map(({ doctorId }) => doctorId);
  if (mains.length > 0) await sql`update doctor_practice set is_main = true, updated_at = ${ctx.now} where hospital_id = ${to} and doctor_id = any(${mains}::bigint[])`.execute(ctx.tx);
  await sql`update doctor_practice l set hospital_id = ${to}, updated_at = ${ctx.now} where l.hospital_id = ${from} and ${which}`.execute(ctx.tx);
}

/** Doctors of the loser show the survivor at once; who they were is kept for an undo. */
const onMerged = consumer('doctor', hospitalMerged, async ({ payload: { loserId, survivorId, deptMap } }, ctx) => {
  const acting = asSystem(ctx, ctx);
  const tx = ownTx(ctx.tx);
  const doctors = await tx.selectFrom('doctorDoctor').select(['id', 'departmentId']).where('hospitalId', '=', loserId).orderBy('id').forUpdate().execute();
  if (doctors.length > 0) {
    await tx.insertInto('doctorHospitalMerge').values(doctors.map(({ id, departmentId }) => ({ loserId, survivorId, doctorId: id, departmentId }))).onConflict((conflict) => conflict.doNothing()).execute();
  }
  await movePractices(acting, loserId, survivorId);
  await tx.updateTable('doctorCert').set({ hospitalId: survivorId, updatedAt: ctx.now }).where('hospitalId', '=', loserId).execute();
  for (const { id, departmentId } of doctors) await place(acting, id, survivorId, deptMap.find(({ fromDeptId }) => fromDeptId === departmentId)?.toDeptId ?? departmentId);
});

/** Doctors who came by the merge and did not move since go back. */
const onUnmerged = consumer('doctor', hospitalUnmerged, async ({ payload: { loserId, survivorId } }, ctx) => {
  const acting = asSystem(ctx, ctx);
  const tx = ownTx(ctx.tx);
  const back = await tx
    .selectFrom('doctorHospitalMerge as m')
    .innerJoin('doctorDoctor as d', 'd.id', 'm.doctorId')
    .select(['d.id', 'm.departmentId'])
    .where('m.loserId', '=', loserId)
    .where('m.survivorId', '=', survivorId)
    .where('d.hospitalId', '=', survivorId)
    .orderBy('d.id')
    .forUpdate('d')
    .execute();
  if (back.length > 0) await movePractices(acting, survivorId, loserId, back.map(({ id }) => id));
  for (const { id, departmentId } of back) await place(acting, id, loserId, departmentId);
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
