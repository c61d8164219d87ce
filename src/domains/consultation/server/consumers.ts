import { sql } from 'kysely';
import { codeScanned } from '#events/channel.ts';
import * as doctorEvents from '#events/doctor.ts';
import { sessionEnded, userDisabled, userLeft } from '#events/identity.ts';
import * as patientEvents from '#events/patient.ts';
import { consumer, type Consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { userIdOf } from '../contract/im/ids.ts';
import { ownTx } from './database.ts';
import { systemDeed } from './deed.ts';
import { openDeskGroup } from './desks/open.ts';
import { keepAssistant, keepBind, dropBind, freeGroupsOf } from './people/keep.ts';
import { keepDoctor, keepOpening } from './people/copies.ts';
import { alarm } from './hearing/alarm.ts';
import { disableAccount, enableAccount, endSigns, ensureAccount } from './im/accounts/accounts.ts';
import { openInquiry } from './inquiries/open.ts';
import { onOrderClosed, onOrderRefunded } from './inquiries/onOrderChanged.ts';
import { closeGroupsOf } from './groups/close.ts';

const deed = (ctx: ConsumerContext) => systemDeed(ctx, ctx);
/** The assistant's chat account of a staff user; most users have none. */
const assistantOfUser = (ctx: ConsumerContext, userId: string) =>
  ownTx(ctx.tx)
    .selectFrom('consultationAssistantDuty')
    .select(['assistantId', 'operatorId'])
    .where('userId', '=', userId)
    .executeTakeFirst();

const onUserGone = async (payload: { userId: string }, ctx: ConsumerContext) => {
  const assistant = await assistantOfUser(ctx, payload.userId);
  if (assistant) await freeGroupsOf(deed(ctx), assistant.assistantId, '员工已离岗');
};

/** The newest open group of a patient. */
async function newestGroup(ctx: ConsumerContext, patientId: string): Promise<string | null> {
  const { rows } = await sql<{ groupId: string }>`
    select group_id
      from consultation_medical_group
      where patient_id = ${patientId} and archived_at is null
      order by (current_inquiry_id is not null) desc, last_message_at desc nulls last limit 1`.execute(ctx.tx);
  return rows[0]?.groupId ?? null;
}

export const consultationConsumers: readonly Consumer[] = [
  consumer('consultation', doctorEvents.consultOrderPaid, async ({ payload }, ctx) => void (await openInquiry(deed(ctx), payload))),
  consumer('consultation', doctorEvents.consultOrderClosed, ({ payload }, ctx) => onOrderClosed(deed(ctx), payload.orderId)),
  consumer('consultation', doctorEvents.consultOrderRefunded, ({ payload }, ctx) => onOrderRefunded(deed(ctx), payload)),
  consumer('consultation', doctorEvents.assistantChanged, ({ seq, payload }, ctx) => keepAssistant(deed(ctx), payload, seq)),
  consumer('consultation', doctorEvents.assistantBound, ({ payload }, ctx) => keepBind(deed(ctx), payload)),
  consumer('consultation', doctorEvents.assistantTransferred, ({ payload }, ctx) => keepBind(deed(ctx), payload)),
  consumer('consultation', doctorEvents.assistantUnbound, ({ payload }, ctx) => dropBind(deed(ctx), payload)),
  consumer('consultation', doctorEvents.doctorApproved, ({ seq, payload }, ctx) => keepDoctor(deed(ctx), payload, seq)),
  consumer('consultation', doctorEvents.doctorChanged, ({ seq, payload }, ctx) => keepDoctor(deed(ctx), payload, seq)),
  consumer('consultation', doctorEvents.openingChanged, ({ seq, payload }, ctx) => keepOpening(deed(ctx), payload, seq)),
  consumer('consultation', patientEvents.patientProfileChanged, async ({ payload }, ctx) => {
    if (payload.operatorId !== null)
      await ensureAccount(
        ctx.kernel,
        ctx,
        { kind: 'PATIENT', operatorId: payload.operatorId, refId: payload.patientId, nick: payload.nick, avatar: payload.avatarFileId },
        ctx.now,
      );
  }),
  consumer('consultation', patientEvents.patientFrozen, async ({ payload }, ctx) => {
    for (const id of payload.operatorIds) await disableAccount(ctx.kernel, ctx, userIdOf('PATIENT', id), ctx.now);
  }),
  consumer('consultation', patientEvents.patientUnfrozen, async ({ payload }, ctx) => {
    for (const id of payload.operatorIds) await enableAccount(ctx, userIdOf('PATIENT', id), ctx.now);
  }),
  consumer('consultation', patientEvents.patientCancelled, ({ payload }, ctx) => closeGroupsOf(deed(ctx), payload.patientId)),
  consumer('consultation', patientEvents.indicatorAlerted, async ({ payload }, ctx) => {
    const groupId = await newestGroup(ctx, payload.patientId);
    if (groupId) await alarm(deed(ctx), groupId, `${payload.code} ${payload.value}（危急值）`);
  }),
  consumer('consultation', codeScanned, async ({ payload }, ctx) => {
    if (payload.patientId !== null && payload.patientOperatorId !== null && payload.doctorId === null)
      await openDeskGroup(deed(ctx), { patientId: payload.patientId, operatorId: payload.patientOperatorId, source: payload.deskSource });
  }),
  consumer('consultation', sessionEnded, async ({ at, payload }, ctx) => {
    const assistant = await assistantOfUser(ctx, payload.userId);
    if (assistant) await endSigns(ctx.kernel, ctx, userIdOf('ASSISTANT', assistant.operatorId), 'userSigExpired', ctx.now, at);
  }),
  consumer('consultation', userLeft, ({ payload }, ctx) => onUserGone(payload, ctx)),
  consumer('consultation', userDisabled, ({ payload }, ctx) => onUserGone(payload, ctx)),
];
