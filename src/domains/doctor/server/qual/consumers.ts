import type { NotNull } from 'kysely';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { noLease } from '#kernel/server/desk/caseDesk.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { workCalendarChanged } from '#events/identity.ts';
import { hospitalApplyRejected, hospitalApproved } from '#events/institution.ts';
import { addWorkingMinutes } from '#domains/identity/server/index.ts';
import { getHospital } from '#domains/institution/server/index.ts';
import { qualApplyMachine } from '../../contract/states.ts';
import { json, ownTx } from '../database.ts';
import { publishDoctor } from '../doctors/practice/publish.ts';
import { desk } from './desk.ts';
import { notifyOutcome } from './notify.ts';
import type { QualPayload } from './payload.ts';
import { APPLY_TARGET, auditTodo, DUE_MINUTES, moveDoctor, recheckTodo } from './submit.ts';

/** The hospital that doctors waited for is there: they, and what they proposed, name it from now on. */
const onApproved = consumer('doctor', hospitalApproved, async ({ payload: { applyId, hospitalId } }, ctx) => {
  const acting = asSystem(ctx, ctx);
  const tx = ownTx(ctx.tx);
  const hospital = await getHospital(ctx.tx, hospitalId);
  if (!hospital) return;
  const waiting = await tx
    .updateTable('doctorDoctor')
    .set((eb) => ({
      hospitalId: hospital.hospitalId,
      hospitalApplyId: null,
      hospitalName: hospital.name,
      adcode: hospital.adcode,
      version: eb('version', '+', 1),
      updatedAt: ctx.now,
    }))
    .where('hospitalApplyId', '=', applyId)
    .returning('id')
    .execute();
  const applies = await tx
    .selectFrom('doctorQualApply')
    .selectAll()
    .where('hospitalApplyId', '=', applyId)
    .where('state', 'in', ['PENDING', 'REVIEWING', 'RECHECK', 'RETURNED'])
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const row of applies) {
    const payload = row.payload as QualPayload;
    const settled: QualPayload = {
      ...payload,
      hospitalApplyName: null,
      facts: { ...payload.facts, hospitalId: hospital.hospitalId, hospitalApplyId: null },
    };
    await tx
      .updateTable('doctorQualApply')
      .set({ payload: json(settled), hospitalApplyId: null, updatedAt: ctx.now })
      .where('id', '=', row.id)
      .execute();
  }
  for (const { id } of waiting) await publishDoctor(acting, id, ['hospitalId', 'hospitalName', 'adcode']);
});

/** Without its hospital an application cannot be decided: the doctor names another one. */
const onRejected = consumer('doctor', hospitalApplyRejected, async ({ payload: { applyId, opinion } }, ctx) => {
  const acting = asSystem(ctx, ctx);
  const tx = ownTx(ctx.tx);
  const applies = await tx
    .selectFrom('doctorQualApply')
    .selectAll()
    .where('hospitalApplyId', '=', applyId)
    .where('state', 'in', ['PENDING', 'REVIEWING', 'RECHECK'])
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const row of applies) {
    const words = `执业机构申请未通过：${opinion}`;
    const state = await moveState(acting, qualApplyMachine, {
      targetType: APPLY_TARGET,
      targetId: row.id,
      targetNo: row.applyNo,
      action: 'returnByHospital',
      from: row.state,
      opinion: words,
    });
    await desk.drop(ctx.tx, row.id);
    await tx
      .updateTable('doctorQualApply')
      .set((eb) => ({
        ...noLease,
        state,
        returnItems: ['hospitalId'],
        doctorWording: words.slice(0, 500),
        returnedAt: ctx.now,
        version: eb('version', '+', 1),
        ...updatedColumns(acting),
      }))
      .where('id', '=', row.id)
      .execute();
    const doctor = await tx
      .selectFrom('doctorDoctor')
      .select(['id', 'doctorNo', 'name', 'qualState'])
      .where('id', '=', row.doctorId)
      .executeTakeFirstOrThrow();
    await moveDoctor(acting, doctor, 'return', words);
    for (const key of [auditTodo(row.id), recheckTodo(row.id)]) await ctx.kernel.ports.notices.closeTodo(ctx.tx, key, ctx.now);
    await notifyOutcome(ctx.kernel, acting, { ...row, name: doctor.name }, state, { staff: words, doctor: words });
  }
});

/** Applications are due after so many working minutes: what waits is reckoned anew when a day became one of rest, or of work. */
const onCalendar = consumer('doctor', workCalendarChanged, async (_event, ctx) => {
  const tx = ownTx(ctx.tx);
  const waiting = await tx
    .selectFrom('doctorQualApply')
    .select(['id', 'submittedAt', 'dueAt'])
    .where('state', 'in', ['PENDING', 'REVIEWING', 'RECHECK'])
    .where('submittedAt', 'is not', null)
    .$narrowType<{ submittedAt: NotNull }>()
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id, submittedAt, dueAt: before } of waiting) {
    const dueAt = await addWorkingMinutes(ctx.tx, submittedAt, DUE_MINUTES);
    if (dueAt !== before) await tx.updateTable('doctorQualApply').set({ dueAt, updatedAt: ctx.now }).where('id', '=', id).execute();
  }
});

export const qualConsumers = [onApproved, onRejected, onCalendar];
