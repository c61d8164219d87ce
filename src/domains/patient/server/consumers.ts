import { sql } from 'kysely';
import type { PayloadOf } from '#kernel/contract/event.ts';
import { consumer, type Consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { conversationClosed, conversationOpened, memberChanged, visitRecordCompleted } from '#events/consultation.ts';
import { corpusFormSubmitted } from '#events/corpus.ts';
import { assistantBound, assistantChanged, assistantTransferred, assistantUnbound } from '#events/doctor.ts';
import { applyApproved, contractActivated, contractExpired, contractTerminated } from '#events/enrolment.ts';
import { scanFinished } from '#events/files.ts';
import { fulfilmentShipped, orderCancelled, orderClosed, orderCompleted, orderPaid } from '#events/order.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { indicators } from '../contract/indicators.ts';
import { resolve } from './access.ts';
import { json, ownTx } from './database.ts';
import { addInsurer } from './persons/findOrCreate.ts';
import { publishRecordChanged } from './records/changed.ts';
import { keepOrder } from './records/keepOrder.ts';

type Conversation = PayloadOf<typeof conversationOpened>;

/** Older events of a conversation than the one seen last change nothing. */
const keepGroup = (ctx: ConsumerContext, seq: number, group: Conversation, closedAt: string | null) =>
  sql`
    insert into patient_care_group (
      conversation_id, group_id, kind, patient_id, sufferer_operator_id, doctor_id, assistant_operator_id, opened_at, closed_at, seq
    )
      values (
        ${group.conversationId}, ${group.groupId}, ${group.kind}, ${group.patientId}, ${group.suffererOperatorId}, ${group.doctorId},
        ${group.assistantOperatorId}, ${group.at}, ${closedAt}, ${seq}
      )
      on conflict (conversation_id) do update
      set patient_id = excluded.patient_id, doctor_id = excluded.doctor_id, assistant_operator_id = excluded.assistant_operator_id,
        closed_at = excluded.closed_at, seq = excluded.seq,
        opened_at = case when excluded.closed_at is null then excluded.opened_at else patient_care_group.opened_at end
      where patient_care_group.seq <= excluded.seq`.execute(ctx.tx);

/** Who is behind an operator id: also of an assistant of a desk or of single chats, whom no doctor has. */
const keepAssistant = ({ operatorId, userId }: { operatorId: string; userId: string }, ctx: ConsumerContext) =>
  ownTx(ctx.tx)
    .insertInto('patientAssistant')
    .values({ operatorId, userId })
    .onConflict((conflict) => conflict.column('operatorId').doUpdateSet({ userId }))
    .execute();

type Bind = PayloadOf<typeof assistantBound>;
const bindAssistant = async ({ payload }: { payload: Bind }, ctx: ConsumerContext) => {
  await keepAssistant(payload, ctx);
  await ownTx(ctx.tx)
    .insertInto('patientAssistantBind')
    .values({ doctorId: payload.doctorId, operatorId: payload.operatorId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

interface Cover {
  contractId: string;
  label: string;
}
async function changeCovers(ctx: ConsumerContext, patientId: string, change: (covers: Cover[]) => Cover[]): Promise<void> {
  const id = await resolve(ctx.tx, patientId);
  if (id === null) return;
  const row = await ownTx(ctx.tx).selectFrom('patientPatient').select('covers').where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
  await ownTx(ctx.tx)
    .updateTable('patientPatient')
    .set({ covers: json(change(row.covers as Cover[])) })
    .where('id', '=', id)
    .execute();
}
const dropCover = ({ payload }: { payload: { patientId: string; contractId: string } }, ctx: ConsumerContext) =>
  changeCovers(ctx, payload.patientId, (covers) => covers.filter(({ contractId }) => contractId !== payload.contractId));

/** A diagnosis that another domain established; the same source adds it once. */
async function addFound(
  ctx: ConsumerContext,
  found: {
    patientId: string;
    icd10: string;
    name: string;
    on: string;
    source: 'DOCTOR' | 'ENROL';
    ref: string;
    hospitalName?: string;
    main?: boolean;
  },
): Promise<void> {
  const id = await resolve(ctx.tx, found.patientId);
  if (id === null) return;
  const { rows } = await sql<{ known: boolean; primary: boolean }>`
    select exists (
      select from patient_diagnosis
        where patient_id in (select m.id from patient_patient m where m.id = ${id} or m.merged_into_id = ${id})
          and icd10 = ${found.icd10}
          and voided_at is null
          and state <> 'RESOLVED'
    ) as known,
      exists (
        select from patient_diagnosis
          where patient_id in (select m.id from patient_patient m where m.id = ${id} or m.merged_into_id = ${id})
            and is_primary
            and voided_at is null
      ) as primary`.execute(ctx.tx);
  if (rows[0]!.known) return;
  const added = await ownTx(ctx.tx)
    .insertInto('patientDiagnosis')
    .values({
      patientId: id,
      icd10: found.icd10,
      name: found.name,
      isPrimary: found.main === true && !rows[0]!.primary,
      diagnosedAt: found.on,
      hospitalName: found.hospitalName ?? '',
      state: 'CONFIRMED',
      source: found.source,
      sourceRef: found.ref,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) await publishRecordChanged(ctx, id, 'DIAGNOSIS', ctx.now);
}

const indicatorOfFact = new Map(indicators.flatMap(({ fact, code }) => (fact === null ? [] : [[fact, code] as const])));

export const patientConsumers: readonly Consumer[] = [
  consumer('patient', conversationOpened, ({ seq, payload }, ctx) => keepGroup(ctx, seq, payload, null).then(() => undefined)),
  consumer('patient', conversationClosed, ({ seq, payload }, ctx) => keepGroup(ctx, seq, payload, payload.at).then(() => undefined)),
  consumer('patient', memberChanged, async ({ seq, at, payload }, ctx) => {
    if (payload.userRole !== 'ASSISTANT') return;
    const leftAt = payload.change === 'LEAVE' ? at : null;
    await sql`
      insert into patient_care_member (conversation_id, operator_id, left_at, seq)
        values (${payload.conversationId}, ${payload.operatorId}, ${leftAt}, ${seq})
        on conflict (conversation_id, operator_id) do update
        set left_at = excluded.left_at, seq = excluded.seq
        where patient_care_member.seq <= excluded.seq`.execute(ctx.tx);
    if (payload.change === 'OWNER')
      await sql`
        update patient_care_group
          set assistant_operator_id = ${payload.operatorId}
          where conversation_id = ${payload.conversationId}`.execute(ctx.tx);
  }),
  consumer('patient', assistantChanged, ({ payload }, ctx) => keepAssistant(payload, ctx).then(() => undefined)),
  consumer('patient', assistantBound, bindAssistant),
  consumer('patient', assistantTransferred, bindAssistant),
  consumer('patient', assistantUnbound, async ({ payload }, ctx) => {
    await ownTx(ctx.tx)
      .deleteFrom('patientAssistantBind')
      .where('doctorId', '=', payload.doctorId)
      .where('operatorId', '=', payload.operatorId)
      .execute();
  }),
  consumer('patient', visitRecordCompleted, async ({ payload }, ctx) => {
    for (const { icd10, name, main } of payload.diagnoses)
      await addFound(ctx, {
        patientId: payload.patientId,
        icd10,
        name,
        on: dayOf(payload.at),
        source: 'DOCTOR',
        ref: `visit:${payload.visitRecordId}`,
        main,
      });
  }),
  consumer('patient', applyApproved, async ({ payload }, ctx) => {
    await addFound(ctx, {
      patientId: payload.patientId,
      icd10: payload.icd10,
      name: payload.diseaseName,
      on: payload.firstDiagnosedOn,
      source: 'ENROL',
      ref: `apply:${payload.applyId}`,
      hospitalName: payload.hospitalName,
      main: true,
    });
    const id = await resolve(ctx.tx, payload.patientId);
    if (id !== null && payload.insurerId !== null) await addInsurer(ctx, id, payload.insurerId, ctx.now);
  }),
  consumer('patient', contractActivated, ({ payload }, ctx) =>
    changeCovers(ctx, payload.patientId, (covers) => [
      ...covers.filter(({ contractId }) => contractId !== payload.contractId),
      { contractId: payload.contractId, label: payload.productName },
    ]),
  ),
  consumer('patient', contractTerminated, dropCover),
  consumer('patient', contractExpired, dropCover),
  consumer('patient', orderPaid, ({ payload }, ctx) => keepOrder(ctx, payload, 'PAID')),
  consumer('patient', fulfilmentShipped, ({ payload }, ctx) => keepOrder(ctx, payload, 'LIVE')),
  consumer('patient', orderCompleted, ({ payload }, ctx) => keepOrder(ctx, payload, 'LIVE')),
  consumer('patient', orderCancelled, ({ payload }, ctx) => keepOrder(ctx, payload, payload.paid ? 'DEAD' : 'NEVER_PAID')),
  consumer('patient', orderClosed, ({ payload }, ctx) => keepOrder(ctx, payload, 'DEAD')),
  consumer('patient', corpusFormSubmitted, async ({ at, payload }, ctx) => {
    const id = await resolve(ctx.tx, payload.patientId);
    const values = payload.values.flatMap(({ variableCode, value }) => {
      const code = indicatorOfFact.get(variableCode);
      return code && /^\d{1,9}(\.\d{1,3})?$/.test(value) ? [{ code, value }] : [];
    });
    if (id === null || values.length === 0) return;
    await ownTx(ctx.tx)
      .insertInto('patientReportedValue')
      .values(values.map((one) => ({ ...one, patientId: id, answerId: payload.answerId, at })))
      .onConflict((conflict) => conflict.columns(['answerId', 'code']).doNothing())
      .execute();
    await publishRecordChanged(ctx, id, 'INSPECTION', at);
  }),
  consumer('patient', scanFinished, async ({ payload }, ctx) => {
    if (!payload.clean) return;
    await ownTx(ctx.tx)
      .insertInto('patientFileFact')
      .values({ fileId: payload.fileId, sha256: payload.sha256 })
      .onConflict((conflict) => conflict.column('fileId').doNothing())
      .execute();
  }),
];
