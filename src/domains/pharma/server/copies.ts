import { sql } from 'kysely';
import type { Kernel } from '#kernel/server/kernel.ts';
import { consumer, type Consumer } from '#kernel/server/outbox/consumer.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { corpusAdverseEventReported, corpusDiseaseChanged } from '#events/corpus.ts';
import { markBound, markUnbound, promotionTagChanged } from '#events/content.ts';
import { perfChanged } from '#events/settlement.ts';
import { channelChanged } from '#events/channel.ts';
import { doctorApproved, doctorChanged } from '#events/doctor.ts';
import { userChanged } from '#events/identity.ts';
import { receiveReport } from './adverse/receiveReport.ts';
import { applyChannel, applyDoctor, type DoctorFacts } from './channelCopies.ts';
import { ownTx } from './database.ts';
import { recountOf } from './handover/runHandover.ts';

const MEDICINE = 'MEDICINE';

const doctorFacts = (doctor: Omit<DoctorFacts, 'hospitalName'> & { hospitalName: string | null }): DoctorFacts => ({
  doctorId: doctor.doctorId,
  name: doctor.name,
  hospitalName: doctor.hospitalName ?? '',
  titleCode: doctor.titleCode,
  qualState: doctor.qualState,
});

/** Read-only copies of what other domains own; an older event than the one seen changes nothing. */
export const pharmaConsumers = (kernel: Kernel): readonly Consumer[] => [
  consumer('pharma', corpusDiseaseChanged, async ({ payload, seq }, { tx }) => {
    const row = {
      diseaseId: payload.diseaseId,
      diseaseCode: payload.diseaseCode,
      diseaseName: payload.diseaseName,
      available: payload.available === 1,
      seq: String(seq),
    };
    await ownTx(tx)
      .insertInto('pharmaDiseaseCopy')
      .values(row)
      .onConflict((conflict) => conflict.column('diseaseId').doUpdateSet(row).where('pharmaDiseaseCopy.seq', '<', String(seq)))
      .execute();
  }),
  consumer('pharma', channelChanged, ({ payload, seq }, ctx) => {
    const { channelId, channelNo, name, channelType, agentId, state, scans30 } = payload;
    return applyChannel(
      asSystem(ctx, ctx),
      { channelId, channelNo, name, channelType, agentId: state === 'DELETED' ? null : agentId, state, scans30 },
      seq,
    );
  }),
  consumer('pharma', doctorApproved, ({ payload, seq }, ctx) => applyDoctor(asSystem(ctx, ctx), doctorFacts(payload), seq)),
  consumer('pharma', doctorChanged, ({ payload, seq }, ctx) => applyDoctor(asSystem(ctx, ctx), doctorFacts(payload), seq)),
  consumer('pharma', userChanged, async ({ payload, seq }, { tx }) => {
    const row = { userId: payload.userId, displayName: payload.displayName, state: payload.state, seq: String(seq) };
    await ownTx(tx)
      .insertInto('pharmaStaffCopy')
      .values(row)
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(row).where('pharmaStaffCopy.seq', '<', String(seq)))
      .execute();
    // A business manager who left keeps no lines.
    if (payload.state === 'LEFT')
      await ownTx(tx).updateTable('pharmaProductLine').set({ ownerUserId: null }).where('ownerUserId', '=', payload.userId).execute();
  }),
  consumer('pharma', promotionTagChanged, async ({ payload, seq }, { tx }) => {
    const row = { ...payload, seq: String(seq) };
    await ownTx(tx)
      .insertInto('pharmaPromotionTag')
      .values(row)
      .onConflict((conflict) => conflict.column('tagId').doUpdateSet(row).where('pharmaPromotionTag.seq', '<', String(seq)))
      .execute();
  }),
  consumer('pharma', markBound, async ({ payload, seq }, { tx }) => {
    if (payload.objectType !== MEDICINE) return;
    await ownTx(tx)
      .insertInto('pharmaMedicineTag')
      .values({ medicineId: payload.objectId, tagId: payload.markId, seq: String(seq) })
      .onConflict((conflict) =>
        conflict.columns(['medicineId', 'tagId']).doUpdateSet({ seq: sql`greatest(pharma_medicine_tag.seq, excluded.seq)` }),
      )
      .execute();
  }),
  consumer('pharma', markUnbound, async ({ payload, seq }, { tx }) => {
    if (payload.objectType !== MEDICINE) return;
    await ownTx(tx)
      .deleteFrom('pharmaMedicineTag')
      .where('medicineId', '=', payload.objectId)
      .where('tagId', '=', payload.markId)
      .where('seq', '<', String(seq))
      .execute();
  }),
  consumer('pharma', corpusAdverseEventReported, async ({ payload }, ctx) => {
    const { at: _, ...reaction } = payload;
    await receiveReport(asSystem(ctx, ctx), kernel, reaction);
  }),
  consumer('pharma', perfChanged, async ({ payload }, ctx) => {
    const tx = ownTx(ctx.tx);
    const { doctorId, productLineId, fromAgentId, toAgentId, effectiveDate } = payload;
    const doctor = await tx.selectFrom('pharmaDoctorCopy').selectAll().where('doctorId', '=', doctorId).executeTakeFirst();
    const former = await tx
      .selectFrom('pharmaAgentDoctor')
      .selectAll()
      .where('doctorId', '=', doctorId)
      .where('productLineId', '=', productLineId)
      .where('until', 'is', null)
      .executeTakeFirst();
    await tx
      .updateTable('pharmaAgentDoctor')
      .set({ until: effectiveDate })
      .where('doctorId', '=', doctorId)
      .where('productLineId', '=', productLineId)
      .where('until', 'is', null)
      .execute();
    if (toAgentId !== null) {
      const facts = {
        doctorName: doctor?.name ?? former?.doctorName ?? '',
        hospitalName: doctor?.hospitalName ?? former?.hospitalName ?? '',
        titleCode: doctor?.titleCode ?? former?.titleCode ?? null,
        qualState: doctor?.qualState ?? former?.qualState ?? null,
        since: effectiveDate,
        until: null,
      };
      await tx
        .insertInto('pharmaAgentDoctor')
        .values({ agentId: toAgentId, doctorId, productLineId, ...facts })
        .onConflict((conflict) => conflict.columns(['agentId', 'doctorId', 'productLineId']).doUpdateSet(facts))
        .execute();
    }
    await recountOf(asSystem(ctx, ctx), fromAgentId);
  }),
];
