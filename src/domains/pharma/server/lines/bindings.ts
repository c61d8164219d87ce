import { authorColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { bindLineAgent, bindLineMedicine, unbindLineMedicine } from '../../contract/calls/lines.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { lineMachine } from '../../contract/states.ts';
import { lineRecords } from '../access.ts';
import { publishAgent } from '../agents/agentEvents.ts';
import { ownTx, type PharmaTx } from '../database.ts';
import { lineById } from './lineRows.ts';

/** @throws Refusal SCM05016 naming a medicine that another line has on a day of the range */
export async function requireUnbound(
  tx: PharmaTx,
  medicineIds: readonly string[],
  range: { from: Day; to: Day },
  exceptLineId: string,
): Promise<void> {
  const taken = await tx
    .selectFrom('pharmaProductLineMedicine as b')
    .innerJoin('pharmaMedicine as m', 'm.id', 'b.medicineId')
    .innerJoin('pharmaProductLine as l', 'l.id', 'b.lineId')
    .select(['m.genericName', 'l.name'])
    .where('b.medicineId', 'in', medicineIds)
    .where('b.lineId', '<>', exceptLineId)
    .where(sql<boolean>`daterange(b.start_date, b.end_date, '[]') && daterange(${range.from}::date, ${range.to}::date, '[]')`)
    .orderBy('m.id')
    .executeTakeFirst();
  if (taken) throw refuse(pharmaErrors.MEDICINE_IN_LINE, { name: taken.genericName, line: taken.name });
}

/** Bindings of a line end yesterday; those that had not begun before today never were. */
export async function endBindings(tx: Tx, lineId: string, today: Day, medicineIds?: readonly string[]): Promise<void> {
  const yesterday = plusDays(today, -1);
  const own = ownTx(tx);
  let gone = own.deleteFrom('pharmaProductLineMedicine').where('lineId', '=', lineId).where('startDate', '>', yesterday);
  let ended = own
    .updateTable('pharmaProductLineMedicine')
    .set({ endDate: yesterday })
    .where('lineId', '=', lineId)
    .where((eb) => eb.or([eb('endDate', 'is', null), eb('endDate', '>', yesterday)]));
  if (medicineIds) {
    gone = gone.where('medicineId', 'in', medicineIds);
    ended = ended.where('medicineId', 'in', medicineIds);
  }
  await gone.execute();
  await ended.execute();
}

async function openLine(ctx: CommandContext, id: string, version: number) {
  const stored = await lineRecords.lockVersion(ctx, id, version, async () => (await lineById(ctx.tx, id, ctx.today))!);
  if (stored.state === 'STOPPED' || stored.state === 'EXPIRED')
    throw refuse(platformErrors.WRONG_STATE, { state: lineMachine.dictionary.label(stored.state) });
  return stored;
}

async function noteChange(
  ctx: CommandContext,
  line: Awaited<ReturnType<typeof openLine>>,
  difference: { path: string; label: string; before: unknown; after: unknown },
) {
  await ownTx(ctx.tx)
    .updateTable('pharmaProductLine')
    .set({ version: line.version + 1, ...updatedColumns(ctx) })
    .where('id', '=', line.id)
    .execute();
  await moveState(ctx, lineMachine, {
    targetType: 'pharma.productLine',
    targetId: line.id,
    targetNo: line.lineNo,
    action: 'modify',
    from: line.state,
    differences: [difference],
  });
  return (await lineById(ctx.tx, line.id, ctx.today))!;
}

const medicineNames = async (tx: PharmaTx, ids: readonly string[]) => {
  const rows = await tx
    .selectFrom('pharmaMedicine')
    .select(['id', 'genericName'])
    .where('id', 'in', ids)
    .where('state', '<>', 'VOID')
    .orderBy('id')
    .forUpdate()
    .execute();
  if (rows.length < new Set(ids).size) throw refuse(platformErrors.NOT_FOUND);
  return rows.map((row) => row.genericName).join('、');
};

export const bindMedicines = command(bindLineMedicine, async ({ id, version, medicineIds }, ctx) => {
  const tx = ownTx(ctx.tx);
  const line = await openLine(ctx, id, version);
  const names = await medicineNames(tx, medicineIds);
  const from = line.startDate > ctx.today ? line.startDate : ctx.today;
  await requireUnbound(tx, medicineIds, { from, to: line.endDate }, id);
  await tx
    .insertInto('pharmaProductLineMedicine')
    .values(
      [...new Set(medicineIds)].map((medicineId) => ({
        lineId: id,
        medicineId,
        startDate: from,
        endDate: line.endDate,
        ...authorColumns(ctx),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['lineId', 'medicineId']).doUpdateSet({
        startDate: sql`case
          when pharma_product_line_medicine.end_date >= ${ctx.today}::date then pharma_product_line_medicine.start_date
          else ${from}::date
        end`,
        endDate: line.endDate,
      }),
    )
    .execute();
  return noteChange(ctx, line, { path: 'medicines', label: '绑定药品', before: null, after: names });
});

export const unbindMedicines = command(unbindLineMedicine, async ({ id, version, medicineIds }, ctx) => {
  const line = await openLine(ctx, id, version);
  const names = await medicineNames(ownTx(ctx.tx), medicineIds);
  await endBindings(ctx.tx, id, ctx.today, medicineIds);
  return noteChange(ctx, line, { path: 'medicines', label: '解绑药品', before: names, after: null });
});

export const bindAgents = command(bindLineAgent, async ({ id, version, agentIds }, ctx) => {
  const tx = ownTx(ctx.tx);
  const line = await openLine(ctx, id, version);
  const wanted = [...new Set(agentIds)];
  const agents =
    wanted.length === 0
      ? []
      : await tx
          .selectFrom('pharmaAgent')
          .select(['id', 'name', 'companyId', 'state'])
          .where('id', 'in', wanted)
          .orderBy('id')
          .forUpdate()
          .execute();
  if (agents.length < wanted.length || agents.some((agent) => agent.companyId !== line.companyId || agent.state === 'LEFT'))
    throw refuse(platformErrors.NOT_FOUND);
  const before = await tx.selectFrom('pharmaAgentLine').select('agentId').where('lineId', '=', id).execute();
  const had = new Set(before.map((row) => row.agentId));
  const added = wanted.filter((agentId) => !had.has(agentId));
  const removed = [...had].filter((agentId) => !wanted.includes(agentId));
  if (removed.length > 0) await tx.deleteFrom('pharmaAgentLine').where('lineId', '=', id).where('agentId', 'in', removed).execute();
  if (added.length > 0)
    await tx
      .insertInto('pharmaAgentLine')
      .values(added.map((agentId) => ({ agentId, lineId: id, createdAt: ctx.now })))
      .execute();
  for (const agentId of [...added, ...removed]) await publishAgent(ctx, agentId, ctx.today);
  return noteChange(ctx, line, { path: 'agents', label: '服务代表数', before: had.size, after: wanted.length });
});
