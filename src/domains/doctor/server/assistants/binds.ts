import { sql } from 'kysely';
import { fillText, platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { bindAssistant, unbindAssistant } from '../../contract/calls/assistants.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { seesDoctor } from '../access.ts';
import { ownTx } from '../database.ts';
import { ASSISTANT_TARGET, assistantRecords } from './access.ts';
import { publishBind } from './events.ts';

export const MOST_BACKUPS = 3;

export interface LockedDoctor {
  id: string;
  doctorNo: string;
  name: string;
  accountState: string;
}

/** Doctors of the scope, locked in one order. */
export async function lockDoctors(ctx: Pick<CommandContext, 'tx' | 'staff'>, ids: readonly string[]): Promise<Map<string, LockedDoctor>> {
  const rows = await ownTx(ctx.tx)
    .selectFrom('doctorDoctor as d')
    .select(['d.id', 'd.doctorNo', 'd.name', 'd.accountState'])
    .where('d.id', 'in', [...new Set(ids)])
    .where(seesDoctor(ctx.staff))
    .orderBy('d.id')
    .forUpdate('d')
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export interface LiveBind {
  id: string;
  doctorId: string;
  assistantId: string;
  name: string;
  role: 'PRIMARY' | 'BACKUP';
}

/** Live binds of doctors, with the assistants' names. */
export async function liveBinds(ctx: Pick<CommandContext, 'tx'>, doctorIds: readonly string[]): Promise<LiveBind[]> {
  if (doctorIds.length === 0) return [];
  return (
    await sql<LiveBind>`
    select b.id, b.doctor_id, b.assistant_id, a.name, b.role from doctor_assistant_bind b join doctor_assistant a on a.id = b.assistant_id
    where b.ended_at is null and b.doctor_id = any(${[...doctorIds]}::bigint[]) order by b.id`.execute(ctx.tx)
  ).rows;
}

export const endBind = (ctx: Pick<CommandContext, 'tx' | 'now' | 'staff'>, id: string, reason: string) =>
  ownTx(ctx.tx)
    .updateTable('doctorAssistantBind')
    .set({ endedAt: ctx.now, endedBy: ctx.staff.userId, endReason: reason })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute();

export const startBind = (
  ctx: Pick<CommandContext, 'tx' | 'now' | 'staff'>,
  bind: { doctorId: string; assistantId: string; role: 'PRIMARY' | 'BACKUP'; transferId?: string },
) =>
  ownTx(ctx.tx)
    .insertInto('doctorAssistantBind')
    .values({ ...bind, startedAt: ctx.now, startedBy: ctx.staff.userId })
    .execute();

/** Why this assistant cannot be bound in this role; null when he can. */
function refusalOf(binds: readonly LiveBind[], assistantId: string, role: 'PRIMARY' | 'BACKUP'): string | null {
  const same = binds.find((bind) => bind.assistantId === assistantId);
  if (same?.role === role) return role === 'PRIMARY' ? '已是该医生的主医助' : '已是该医生的备岗医助';
  const primary = binds.find((bind) => bind.role === 'PRIMARY');
  if (role === 'PRIMARY' && primary) return fillText(doctorErrors.PRIMARY_EXISTS.text, { name: primary.name });
  if (role === 'BACKUP' && binds.filter((bind) => bind.role === 'BACKUP').length >= MOST_BACKUPS) return doctorErrors.BACKUP_LIMIT.text;
  return null;
}

/** Doctor by doctor: one that cannot be bound says why and stops nobody else. A backup may become primary, a primary backup. */
export const bind = command(bindAssistant, async ({ doctorIds, assistantId, role }, ctx) => {
  const assistant = await assistantRecords.lock(ctx.tx, ctx.staff, assistantId);
  if (assistant.state === 'DISABLED') throw refuse(doctorErrors.ASSISTANT_DISABLED);
  const doctors = await lockDoctors(ctx, doctorIds);
  if (doctors.size === 0) throw refuse(platformErrors.NOT_FOUND);
  const binds = Map.groupBy(await liveBinds(ctx, [...doctors.keys()]), ({ doctorId }) => doctorId);
  const results: { id: string; name: string; ok: boolean; message: string }[] = [];
  for (const id of new Set(doctorIds)) {
    const doctor = doctors.get(id);
    const there = binds.get(id) ?? [];
    const refusal = !doctor
      ? platformErrors.NOT_FOUND.text
      : doctor.accountState === 'CANCELLED'
        ? '医生已注销'
        : refusalOf(there, assistantId, role);
    if (!doctor || refusal !== null) {
      results.push({ id, name: doctor?.name ?? '', ok: false, message: refusal ?? platformErrors.NOT_FOUND.text });
      continue;
    }
    const other = there.find((one) => one.assistantId === assistantId);
    if (other) await endBind(ctx, other.id, role === 'PRIMARY' ? '转为主医助' : '转为备岗');
    await startBind(ctx, { doctorId: id, assistantId, role });
    await publishBind(ctx, 'bound', { doctorId: id, assistant, role });
    ctx.target({ type: 'doctor.doctor', id, no: doctor.doctorNo });
    results.push({ id, name: doctor.name, ok: true, message: '绑定成功' });
  }
  ctx.target({ type: ASSISTANT_TARGET, id: assistantId, no: assistant.assistantNo });
  return results;
});

/** Open inquiries stay with whoever has them. */
export const unbind = command(unbindAssistant, async ({ doctorIds, assistantId, reason }, ctx) => {
  const assistant = await assistantRecords.lock(ctx.tx, ctx.staff, assistantId);
  const doctors = await lockDoctors(ctx, doctorIds);
  if (doctors.size === 0) throw refuse(platformErrors.NOT_FOUND);
  const binds = await liveBinds(ctx, [...doctors.keys()]);
  const results: { id: string; name: string; ok: boolean; message: string }[] = [];
  for (const id of new Set(doctorIds)) {
    const doctor = doctors.get(id);
    const there = binds.find((one) => one.doctorId === id && one.assistantId === assistantId);
    if (!doctor || !there) {
      results.push({ id, name: doctor?.name ?? '', ok: false, message: doctor ? '未绑定该医助' : platformErrors.NOT_FOUND.text });
      continue;
    }
    await endBind(ctx, there.id, reason);
    await publishBind(ctx, 'unbound', { doctorId: id, assistant, role: there.role });
    ctx.target({ type: 'doctor.doctor', id, no: doctor.doctorNo });
    results.push({ id, name: doctor.name, ok: true, message: '已解绑' });
  }
  ctx.target({ type: ASSISTANT_TARGET, id: assistantId, no: assistant.assistantNo });
  return results;
});
