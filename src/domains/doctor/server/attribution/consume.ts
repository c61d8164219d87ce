import { sql } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import { consumer, type Consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { codeScanned } from '#events/channel.ts';
import { patientMerged, patientRegistered, patientUnmerged, realNameChanged } from '#events/patient.ts';
import { agentHandedOver } from '#events/pharma.ts';
import { labels } from '#domains/patient/server/index.ts';
import { ownTx } from '../database.ts';
import { setDoctorChannel } from '../doctors/practice/publish.ts';
import { keepCopy } from '../refs/copies.ts';
import { attributePatient, onPatientAttributed } from './attribute.ts';
import { rememberNames } from './names.ts';

/** Representatives' doctors and channels go to their successors on the day; channels stay what they are. */
export async function applyHandovers(ctx: Acting): Promise<void> {
  const due = await ownTx(ctx.tx)
    .selectFrom('doctorAgentHandover')
    .selectAll()
    .where('appliedAt', 'is', null)
    .where('effectiveOn', '<=', ctx.today)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const row of due) {
    await rememberNames(ctx, { channelId: null, agentId: row.toAgentId });
    const moved = await ownTx(ctx.tx)
      .updateTable('doctorAttribution')
      .set({ agentId: row.toAgentId, updatedAt: ctx.now })
      .where('endedAt', 'is', null)
      .where('agentId', '=', row.fromAgentId)
      .where((eb) =>
        eb.or([
          eb.and([eb('subjectType', '=', 'DOCTOR'), eb('subjectId', 'in', [...row.doctorIds.map(String), '0'])]),
          eb('channelId', 'in', [...row.channelIds.map(String), '0']),
        ]),
      )
      .returning(['subjectType', 'subjectId', 'channelId', 'agentId'])
      .execute();
    for (const { subjectType, subjectId, channelId, agentId } of moved)
      if (subjectType === 'DOCTOR') await setDoctorChannel(ctx, subjectId, { channelId, agentId });
    await ownTx(ctx.tx).updateTable('doctorAgentHandover').set({ appliedAt: ctx.now }).where('id', '=', row.id).execute();
  }
}

/** Everything of the merged patient follows the one that stays; what it was before is kept, so that it can be undone. */
async function merge(ctx: ConsumerContext, fromId: string, intoId: string): Promise<void> {
  await sql`
    update doctor_consult_order o
      set patient_origin_id = coalesce(patient_origin_id, patient_id), patient_id = ${intoId}, updated_at = ${ctx.now}
      where patient_id = ${fromId}
        and not (
          o.state in ('WAIT_PAY', 'PAID', 'SERVING', 'REFUNDING')
          and o.ended_at is null
          and exists (
            select 1
              from doctor_consult_order x
              where x.patient_id = ${intoId}
                and x.opening_id = o.opening_id
                and x.state in ('WAIT_PAY', 'PAID', 'SERVING', 'REFUNDING')
                and x.ended_at is null
          )
        )`.execute(ctx.tx);
  await sql`
    update doctor_patient p set patient_origin_id = coalesce(patient_origin_id, patient_id), patient_id = ${intoId}, updated_at = ${ctx.now}
    where patient_id = ${fromId}
      and not exists (select 1 from doctor_patient x where x.patient_id = ${intoId} and x.doctor_id = p.doctor_id)`.execute(ctx.tx);
  await sql`
    update doctor_attribution
      set ended_at = greatest(${ctx.now}, started_at), merged_into = ${intoId}, updated_at = ${ctx.now}
      where subject_type = 'PATIENT' and subject_id = ${fromId} and ended_at is null`.execute(ctx.tx);
}

async function unmerge(ctx: ConsumerContext, fromId: string, intoId: string): Promise<void> {
  await sql`
    update doctor_consult_order
      set patient_id = ${fromId}, patient_origin_id = null, updated_at = ${ctx.now}
      where patient_id = ${intoId} and patient_origin_id = ${fromId}`.execute(ctx.tx);
  await sql`
    update doctor_patient
      set patient_id = ${fromId}, patient_origin_id = null, updated_at = ${ctx.now}
      where patient_id = ${intoId} and patient_origin_id = ${fromId}`.execute(ctx.tx);
  await sql`
    update doctor_attribution
      set ended_at = null, merged_into = null, updated_at = ${ctx.now}
      where subject_type = 'PATIENT' and subject_id = ${fromId} and merged_into = ${intoId}`.execute(ctx.tx);
}

export const attributionConsumers: readonly Consumer[] = [
  consumer('doctor', patientRegistered, async ({ payload, seq }, ctx) => {
    const { patientId, name, mobileMasked, scanToken } = payload;
    await keepCopy(ctx.tx, { kind: 'PATIENT', refId: patientId, name, state: 'NORMAL', facts: { mobileMasked } }, seq, ctx.now);
    await attributePatient(ctx.kernel, asSystem(ctx, ctx), { patientId, name, mobileMasked, scanToken });
  }),
  // The funnel counts who has proven who he is.
  consumer('doctor', realNameChanged, async ({ payload: { patientId, state }, seq }, ctx) => {
    const [known] = await labels(ctx.tx, [patientId]);
    await keepCopy(
      ctx.tx,
      { kind: 'PATIENT', refId: patientId, name: known?.name ?? '', state: 'NORMAL', facts: { realName: state } },
      seq,
      ctx.now,
    );
  }),
  consumer('doctor', patientMerged, ({ payload }, ctx) => merge(ctx, payload.fromId, payload.intoId)),
  consumer('doctor', patientUnmerged, ({ payload }, ctx) => unmerge(ctx, payload.fromId, payload.intoId)),
  consumer('doctor', codeScanned, async ({ payload }, ctx) => {
    if (payload.patientId === null || payload.doctorId === null) return;
    const doctor = await ownTx(ctx.tx).selectFrom('doctorDoctor').select('id').where('id', '=', payload.doctorId).executeTakeFirst();
    if (doctor)
      await onPatientAttributed(ctx, {
        doctorId: doctor.id,
        patientId: payload.patientId,
        source: payload.sceneCodeId === null ? 'CARD' : 'SCENE_CODE',
        orders: 0,
      });
  }),
  consumer('doctor', agentHandedOver, async ({ payload }, ctx) => {
    await ownTx(ctx.tx)
      .insertInto('doctorAgentHandover')
      .values({
        handoverNo: payload.handoverNo,
        fromAgentId: payload.fromAgentId,
        toAgentId: payload.toAgentId,
        doctorIds: [...payload.doctorIds],
        channelIds: [...payload.channelIds],
        effectiveOn: payload.effectiveOn,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    if (payload.effectiveOn <= dayOf(ctx.now)) await applyHandovers(asSystem(ctx, ctx));
  }),
];
