import { sql } from 'kysely';
import { consumer, type Consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import type { PayloadOf } from '#kernel/contract/event.ts';
import {
  assistantChanged,
  attributionChanged,
  consultOrderPaid,
  consultOrderRefunded,
  doctorApproved,
  doctorChanged,
  doctorDisabled,
  openingChanged,
} from '#events/doctor.ts';
import { consentChanged, patientRegistered } from '#events/patient.ts';
import { corpusSceneChanged } from '#events/corpus.ts';
import { userChanged } from '#events/identity.ts';
import { hospitalChanged } from '#events/institution.ts';
import { agentChanged, agentHandedOver, agentLeft } from '#events/pharma.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { convert, refund } from '../scans/conversions.ts';
import { applyHandovers, keepHandover } from './handover.ts';
import { keepCopy, retireCopy } from './copies.ts';
import { loseStaff } from '../wecom/members.ts';

/** Attributed doctors and patients per channel. */
async function countAttribution(ctx: ConsumerContext, channelId: string | null, subjectType: string, change: 1 | -1): Promise<void> {
  if (channelId === null) return;
  const column = sql.ref(subjectType === 'DOCTOR' ? 'doctor_count' : 'patient_count');
  await sql`update channel_channel set ${column} = greatest(0, ${column} + ${change}) where id = ${channelId}`.execute(ctx.tx);
}

const keepDoctor = (delivered: { seq: number; payload: PayloadOf<typeof doctorChanged> }, ctx: ConsumerContext) => {
  const { doctorId, doctorNo, name, hospitalName, practiceOk } = delivered.payload;
  return keepCopy(
    ctx.tx,
    { kind: 'DOCTOR', refId: doctorId, name, usable: practiceOk, facts: { no: doctorNo, hospitalName } },
    delivered.seq,
    ctx.now,
  );
};

export const channelConsumers: readonly Consumer[] = [
  consumer('channel', corpusSceneChanged, ({ seq, payload }, ctx) =>
    keepCopy(
      ctx.tx,
      {
        kind: 'SCENE',
        refId: payload.sceneId,
        name: payload.sceneName,
        usable: payload.state !== 'DELETED' && payload.state !== 'OFFLINE',
        facts: { diseaseId: payload.diseaseId, diseaseName: payload.diseaseName, chatFlag: payload.chatFlag, state: payload.state },
      },
      seq,
      ctx.now,
    ),
  ),
  consumer('channel', userChanged, async ({ seq, payload }, ctx) => {
    // A member bound to somebody who is gone no longer speaks for him.
    if (payload.state !== 'ENABLED') await loseStaff(ctx, payload.userId);
    await keepCopy(
      ctx.tx,
      {
        kind: 'USER',
        refId: payload.userId,
        name: payload.displayName,
        usable: payload.state === 'ENABLED',
        facts: { no: payload.opNo, state: payload.state },
      },
      seq,
      ctx.now,
    );
  }),
  consumer('channel', doctorApproved, keepDoctor),
  consumer('channel', doctorChanged, keepDoctor),
  consumer('channel', doctorDisabled, ({ seq, payload }, ctx) => retireCopy(ctx.tx, 'DOCTOR', payload.doctorId, seq, ctx.now)),
  consumer('channel', assistantChanged, ({ seq, payload }, ctx) =>
    keepCopy(
      ctx.tx,
      {
        kind: 'ASSISTANT',
        refId: payload.assistantId,
        name: payload.name,
        usable: payload.state !== 'DISABLED',
        facts: { userId: payload.userId },
      },
      seq,
      ctx.now,
    ),
  ),
  consumer('channel', openingChanged, ({ payload }, ctx) =>
    // Several openings name one item; the last one heard of names it.
    keepCopy(
      ctx.tx,
      { kind: 'ITEM', refId: payload.itemId, name: payload.itemName, usable: true, facts: { priceFen: String(payload.priceFen) } },
      0,
      ctx.now,
    ),
  ),
  consumer('channel', agentChanged, ({ seq, payload }, ctx) =>
    keepCopy(
      ctx.tx,
      {
        kind: 'AGENT',
        refId: payload.agentId,
        name: payload.name,
        usable: payload.state === 'ACTIVE' && payload.filingOk,
        facts: { no: payload.agentNo, companyId: payload.companyId, companyName: payload.companyName, state: payload.state },
      },
      seq,
      ctx.now,
    ),
  ),
  consumer('channel', agentLeft, ({ seq, payload }, ctx) => retireCopy(ctx.tx, 'AGENT', payload.agentId, seq, ctx.now)),
  consumer('channel', agentHandedOver, async ({ payload }, ctx) => {
    await keepHandover(ctx, payload);
    if (payload.effectiveOn <= dayOf(ctx.now)) await applyHandovers(ctx, ctx.now);
  }),
  consumer('channel', hospitalChanged, ({ seq, payload }, ctx) =>
    keepCopy(
      ctx.tx,
      { kind: 'HOSPITAL', refId: payload.hospitalId, name: payload.name, usable: payload.state === 'ENABLED', facts: {} },
      seq,
      ctx.now,
    ),
  ),
  consumer('channel', patientRegistered, ({ payload }, ctx) =>
    convert(ctx, { kind: 'REGISTER_PATIENT', subjectKey: payload.patientId, scanToken: payload.scanToken, at: ctx.now }),
  ),
  consumer('channel', consultOrderPaid, async ({ payload }, ctx) => {
    const paid = { scanId: payload.scanId, channelId: payload.channelId, amountFen: String(payload.payFen), at: payload.at };
    await convert(ctx, { kind: 'ORDER', subjectKey: payload.orderId, ...paid });
    await convert(ctx, { kind: 'FIRST_ORDER', subjectKey: payload.patientId, ...paid });
  }),
  consumer('channel', attributionChanged, async ({ payload }, ctx) => {
    await countAttribution(ctx, payload.fromChannelId, payload.subjectType, -1);
    await countAttribution(ctx, payload.toChannelId, payload.subjectType, 1);
    if (payload.subjectType === 'DOCTOR' && payload.fromChannelId === null)
      await convert(ctx, { kind: 'REGISTER_DOCTOR', subjectKey: payload.subjectId, channelId: payload.toChannelId, at: ctx.now });
  }),
  consumer('channel', consentChanged, async ({ payload }, ctx) => {
    if (payload.consentType !== 'MARKETING') return;
    await sql`
      update channel_wecom_contact
        set touch_stopped = ${payload.state !== 'VALID'}, updated_at = ${ctx.now}
        where patient_id = ${payload.patientId}`.execute(ctx.tx);
  }),
  consumer('channel', consultOrderRefunded, ({ payload }, ctx) => refund(ctx, payload.orderId, String(payload.refundFen))),
];
