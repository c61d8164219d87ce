import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { batchTransferAssistant, type TransferResult } from '../../contract/calls/assistants.ts';
import { json, ownTx } from '../database.ts';
import { ASSISTANT_TARGET, assistantRecords } from './access.ts';
import { endBind, liveBinds, lockDoctors, startBind, type LiveBind } from './binds.ts';
import { publishBind } from './events.ts';
import { moveInquiries } from './load.ts';
import { planTransfer, type TransferPlan, type TransferWish } from './plan.ts';

export const TRANSFER_TARGET = 'doctor.assistantTransfer';

/** All assistants of a transfer, in one order, so that crossing transfers wait and do not lock each other out. */
async function lockPeople(ctx: CommandContext, wish: TransferWish): Promise<void> {
  for (const id of [...new Set([wish.fromAssistantId, ...wish.toAssistantIds])].toSorted((a, b) => Number(a) - Number(b)))
    await assistantRecords.lock(ctx.tx, ctx.staff, id);
}

/** Hands one doctor over: role as it was; who is bound already keeps or gains the higher one. */
async function handOver(
  ctx: CommandContext,
  plan: TransferPlan,
  row: TransferResult,
  binds: readonly LiveBind[],
  how: { transferId: string; withInquiries: boolean; reason: string },
): Promise<string> {
  const { doctorId, role } = row;
  const to = plan.successors.get(row.toAssistantId!)!;
  const there = binds.find((bind) => bind.doctorId === doctorId && bind.assistantId === to.id);
  await endBind(ctx, plan.bindIds.get(doctorId)!, how.reason);
  await publishBind(ctx, 'unbound', { doctorId, assistant: plan.from, role });
  if (there && role === 'PRIMARY') await endBind(ctx, there.id, '转为主医助');
  if (!there || role === 'PRIMARY') await startBind(ctx, { doctorId, assistantId: to.id, role, transferId: how.transferId });
  const moved = how.withInquiries ? await moveInquiries(ctx, { doctorId, from: plan.from.id, to: to.id }) : 0;
  await publishBind(
    ctx,
    'transferred',
    { doctorId, assistant: to, role: there && role === 'BACKUP' ? there.role : role },
    how.withInquiries,
  );
  return moved > 0 ? `已转移，含${moved}单进行中问诊` : '已转移';
}

/** Doctors of a former transfer that were refused then. */
async function refusedOf(ctx: CommandContext, id: string, fromAssistantId: string) {
  const row = await ownTx(ctx.tx)
    .selectFrom('doctorAssistantTransfer')
    .selectAll()
    .where('id', '=', id)
    .where('fromAssistantId', '=', fromAssistantId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return { ...row, known: row.results as TransferResult[] };
}

/** Moves doctors to successors: what the preview shows under the same circumstances. A doctor who is no longer bound is left alone. */
export const transfer = command(batchTransferAssistant, async ({ reason, retryOf, withInquiries, ...wish }, ctx) => {
  await lockPeople(ctx, wish);
  const former = retryOf === null ? null : await refusedOf(ctx, retryOf, wish.fromAssistantId);
  const open = former?.known.filter(({ ok }) => !ok).map(({ doctorId }) => doctorId);
  const asked: TransferWish = open ? { ...wish, scope: 'DOCTORS', doctorIds: open } : wish;
  await lockDoctors(ctx, ['0', ...(await planTransfer(ctx.tx, ctx.staff, asked)).rows.map(({ doctorId }) => doctorId)]);
  // Under the locks: a doctor who left meanwhile is no longer bound.
  const plan = await planTransfer(ctx.tx, ctx.staff, asked);
  if (plan.rows.length === 0 && !former) throw refuseField('doctorIds', '所选医生已不在该医助名下，没有可转移的医生');
  const binds = await liveBinds(
    ctx,
    plan.rows.map(({ doctorId }) => doctorId),
  );
  const head =
    former ??
    (await ownTx(ctx.tx)
      .insertInto('doctorAssistantTransfer')
      .values({
        transferNo: await nextNumber(ctx.tx, 'ZY', ctx.today),
        ...wish,
        doctorIds: sql`${[...wish.doctorIds]}::bigint[]`,
        toAssistantIds: sql`${[...wish.toAssistantIds]}::bigint[]`,
        withInquiries,
        reason,
        state: 'RUNNING',
        ...authorColumns(ctx),
        updatedAt: ctx.now,
      })
      .returning(['id', 'transferNo'])
      .executeTakeFirstOrThrow());
  const done: TransferResult[] = [];
  for (const row of plan.rows)
    done.push(row.ok ? { ...row, message: await handOver(ctx, plan, row, binds, { transferId: head.id, withInquiries, reason }) } : row);
  const gone = (open ?? (wish.scope === 'DOCTORS' ? wish.doctorIds : [])).filter((id) => !plan.bindIds.has(id));
  // Who was handed over by somebody else meanwhile is no failure of this one.
  const kept = (former?.known ?? []).map(
    (row) =>
      done.find(({ doctorId }) => doctorId === row.doctorId) ??
      (gone.includes(row.doctorId) ? { ...row, ok: true, message: '已不在原医助名下' } : row),
  );
  const rows = former ? kept : done;
  const state: 'DONE' | 'PARTIAL' = rows.every(({ ok }) => ok) ? 'DONE' : 'PARTIAL';
  await ownTx(ctx.tx)
    .updateTable('doctorAssistantTransfer')
    .set((eb) => ({ results: json(rows), state, version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', head.id)
    .execute();
  ctx.target({ type: TRANSFER_TARGET, id: head.id, no: head.transferNo });
  ctx.target({ type: ASSISTANT_TARGET, id: plan.from.id, no: plan.from.assistantNo });
  return { id: head.id, transferNo: head.transferNo, state, rows, loads: plan.loads };
});
