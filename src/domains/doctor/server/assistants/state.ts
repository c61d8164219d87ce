import { sql } from 'kysely';
import { firstCharacters } from '#kernel/contract/plainText.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf, type Day } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { changeAssistantState as changeCall } from '../../contract/calls/assistants.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { assistantMachine, type AssistantState } from '../../contract/staffStates.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { ownTx } from '../database.ts';
import { ASSISTANT_TARGET, assistantRecords, type AssistantRecord } from './access.ts';
import { endBinds } from './choose.ts';
import { publishAssistant } from './events.ts';

type Action = keyof typeof assistantMachine.transitions & string;
const NAMED = 5;

/** @throws Refusal SCM07060 while doctors are bound to him. */
async function requireUnbound(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql<{
    n: number;
  }>`select count(distinct doctor_id)::int as n from doctor_assistant_bind where assistant_id = ${id} and ended_at is null`.execute(tx);
  if (rows[0]!.n > 0) throw refuse(doctorErrors.ASSISTANT_BOUND, { n: rows[0]!.n });
}

/** @throws Refusal SCM07061 naming the doctors who would have nobody while he is away. */
async function requireBackups(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select d.name from doctor_assistant_bind b join doctor_doctor d on d.id = b.doctor_id
    where b.assistant_id = ${id} and b.role = 'PRIMARY' and b.ended_at is null and not exists (
      select from doctor_assistant_bind o join doctor_assistant a on a.id = o.assistant_id
      where o.doctor_id = b.doctor_id and o.role = 'BACKUP' and o.ended_at is null and a.state not in ('LEAVE', 'DISABLED'))
    order by d.doctor_no`.execute(tx);
  if (rows.length === 0) return;
  const names =
    rows
      .slice(0, NAMED)
      .map(({ name }) => name)
      .join('、') + (rows.length > NAMED ? `等${rows.length}位` : '');
  throw refuse(doctorErrors.NO_BACKUP, { names });
}

/** Writes the new state, with trail and event. */
async function moveAssistant(
  ctx: Acting,
  row: AssistantRecord,
  action: Action,
  change: { opinion?: string | undefined; leaveUntil?: Day | null; userId: string | null },
): Promise<AssistantState> {
  const state = await moveState(ctx, assistantMachine, {
    targetType: ASSISTANT_TARGET,
    targetId: row.id,
    targetNo: row.assistantNo,
    action,
    from: row.state,
    opinion: change.opinion,
  });
  await ownTx(ctx.tx)
    .updateTable('doctorAssistant')
    .set((eb) => ({
      state,
      leaveUntil: change.leaveUntil ?? null,
      version: eb('version', '+', 1),
      updatedAt: ctx.now,
      ...(change.userId !== null && { updatedBy: change.userId }),
    }))
    .where('id', '=', row.id)
    .execute();
  await publishAssistant(ctx, row.id);
  return state;
}

/** 上岗, 离岗, 请假, 销假, 停用, 启用. */
export const change = command(changeCall, async ({ id, version, action, leaveUntil, opinion }, ctx) => {
  const row = await assistantRecords.lockVersion(ctx, id, version, (seen) => ({ state: seen.state, leaveUntil: seen.leaveUntil }));
  if (assistantMachine.canStart(action, row.state)) {
    if (action === 'disable') await requireUnbound(ctx.tx, id);
    if (action === 'leave') {
      if (leaveUntil! < ctx.today) throw refuseField('leaveUntil', '请假截止日期不能早于今天');
      await requireBackups(ctx.tx, id);
    }
    if (action === 'enable') {
      const [user] = await userBrief(ctx.tx, [row.userId]);
      if (user?.state !== 'ENABLED') throw refuseField('id', '关联员工已停用，不能启用');
    }
  }
  const state = await moveAssistant(ctx, row, action, {
    opinion,
    leaveUntil: action === 'leave' ? leaveUntil! : null,
    userId: ctx.staff.userId,
  });
  return actionAnswer(ctx, assistantMachine, { id, state, version: row.version + 1 });
});

/** The person's own switch in the workbench. Nothing happens when he stands there already; somebody on leave or disabled is refused. */
export async function changeAssistantState(
  ctx: Acting,
  { assistantId, onDuty }: { assistantId: string; onDuty: boolean },
): Promise<AssistantState> {
  const row = await ownTx(ctx.tx)
    .selectFrom('doctorAssistant')
    .selectAll()
    .where('id', '=', assistantId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (row.state === (onDuty ? 'ON_DUTY' : 'OFF_DUTY')) return row.state;
  return moveAssistant(ctx, row, onDuty ? 'goOnSelf' : 'goOffSelf', { userId: row.userId });
}

/** Leaves whose last day is past. */
export async function endLeaves(ctx: Acting): Promise<void> {
  const due = await ownTx(ctx.tx)
    .selectFrom('doctorAssistant')
    .selectAll()
    .where('state', '=', 'LEAVE')
    .where('leaveUntil', '<', dayOf(ctx.now))
    .forUpdate()
    .execute();
  for (const row of due) await moveAssistant(ctx, row, 'returnInTime', { userId: null });
}

/** A staff user changed: his name follows; when he is gone, so is the assistant, and his doctors wait for another. */
export async function onStaffUserChanged(
  kernel: Kernel,
  ctx: Acting,
  user: { userId: string; displayName: string; state: string },
): Promise<void> {
  const row = await ownTx(ctx.tx)
    .selectFrom('doctorAssistant')
    .selectAll()
    .where('userId', '=', user.userId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const name = firstCharacters(user.displayName, 30);
  if (row.name !== name) {
    await ownTx(ctx.tx).updateTable('doctorAssistant').set({ name, updatedAt: ctx.now }).where('id', '=', row.id).execute();
    if (user.state === 'ENABLED') await publishAssistant(ctx, row.id);
  }
  if (user.state === 'ENABLED' || row.state === 'DISABLED') return;
  const ended = await endBinds(ctx, { assistantId: row.id }, '员工已停用');
  await moveAssistant(ctx, row, 'disableBySystem', { opinion: '员工已停用', userId: null });
  if (ended === 0) return;
  await kernel.ports.notices.addTodo(
    ctx.tx,
    {
      businessKey: `doctor.assistantGone:${row.id}`,
      title: `医助${name}已停用，${ended}位医生需重新绑定医助`,
      link: '/helpDoctorManage?unbound=1',
      permission: doctorPermissions['assistant.bind'].code,
    },
    ctx.now,
  );
}
