import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { batchMachine, type ListTarget } from '../../contract/batchDictionaries.ts';
import { acceptBatchWarning, excludeInsuredBatchRow, modifyInsuredBatchRow } from '../../contract/calls/batches.ts';
import { own } from '../database.ts';
import { batchActionsOf, type BatchRecord, batchRecords, layoutOf } from './records.ts';
import { decideRows } from './parsing/decide.ts';
import { rowColumns, shownRow } from './list.ts';
import { makeLookups } from './parsing/lookups.ts';
import { makeMissing } from './parsing/newPolicies.ts';
import { readRow, type RawCells } from '../templates/readRow.ts';
import { noteSeqs, settle } from './settle.ts';
import { cellsOf, rewriteRow } from './parsing/writeRows.ts';

/** Rows of a list are corrected while it has errors or waits to be handed in. @throws Refusal SCM90031 */
async function openBatch(ctx: CommandContext, batchId: string, version: number): Promise<BatchRecord> {
  const batch = await batchRecords.lockVersion(ctx, batchId, version);
  if (batch.state !== 'HAS_ERROR' && batch.state !== 'PREVIEW')
    throw refuse(platformErrors.WRONG_STATE, { state: batchMachine.states[batch.state].label });
  ctx.target({ type: 'policy.batch', id: batch.id, no: batch.batchNo });
  return batch;
}

export const stateOf = (ctx: Pick<CommandContext, 'has' | 'staff'>, batch: BatchRecord) => ({
  id: batch.id,
  state: batch.state,
  version: batch.version,
  allowedActions: batchActionsOf(batch, ctx.has, ctx.staff.userId),
});
const countedOf = (ctx: CommandContext, batch: BatchRecord) => ({
  ...stateOf(ctx, batch),
  errorRows: batch.errorRows,
  warnRows: batch.warnRows,
});

interface Linked {
  policyId: string | null;
  personKey: string | null;
  idNoHash: string | null;
}

/** Rows that the decision of these depends on, or that depend on theirs: of the same person, and dependants of him. */
async function linkedRows({ tx }: CommandContext, batchId: string, of: readonly Linked[]): Promise<string[]> {
  const keys = of.flatMap(({ personKey }) => personKey ?? []);
  const hashes = of.flatMap(({ idNoHash }) => idNoHash ?? []);
  const { rows } = await sql<{ id: string }>`
    select id from policy_insured_batch_row where batch_id = ${batchId} and result <> 'EXCLUDED'
      and (person_key = any(${keys}::text[]) or main_id_no_hash = any(${hashes}::text[])) order by row_no`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Decides rows anew from their cells, as everything stands now. */
async function decideAgain({ secrets }: Kernel, ctx: CommandContext, batch: BatchRecord, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const layout = layoutOf(batch);
  const rows = await own(ctx.tx)
    .selectFrom('policyInsuredBatchRow')
    .select(['id', 'rowNo', 'rawCipher', 'correctedCipher', 'hidden'])
    .where('id', 'in', [...ids])
    .where('fromSheet', '=', true)
    .orderBy('rowNo')
    .execute();
  const lookups = makeLookups(
    batch,
    layout.columns.some(({ target }) => target === 'policyNo'),
    ctx.today,
  );
  const read = rows.map((row) => {
    const { raw, corrected } = cellsOf(secrets, row);
    const now = { ...raw, ...corrected };
    return { rowNo: row.rowNo, raw: now, hidden: row.hidden, ...readRow(layout, now, ctx.today) };
  });
  await makeMissing({ acting: ctx, secrets, batch, layout, lookups }, read);
  const decided = await decideRows(
    { tx: ctx.tx, secrets, batch, layout, lookups, today: ctx.today, besides: rows.map(({ id }) => id) },
    read,
  );
  for (const [at, row] of rows.entries()) await rewriteRow(ctx.tx, row.id, decided[at]!, row.correctedCipher);
  // a row that was corrected may belong to a policy of which none was read before
  await noteSeqs(ctx.tx, batch, lookups.seqsOf(read.map(({ facts }) => facts.policyNo)));
}

export const modifyRow = (kernel: Kernel) =>
  command(modifyInsuredBatchRow, async ({ batchId, version, rowId, values }, ctx) => {
    const batch = await openBatch(ctx, batchId, version);
    const stored = await own(ctx.tx)
      .selectFrom('policyInsuredBatchRow')
      .select(['id', 'rawCipher', 'correctedCipher', 'policyId', 'personKey', 'idNoHash', 'fromSheet', 'result', 'rowNo'])
      .where('batchId', '=', batch.id)
      .where('id', '=', rowId)
      .executeTakeFirst();
    if (!stored) throw refuse(platformErrors.NOT_FOUND, { message: '清单行不存在' });
    if (!stored.fromSheet) throw refuseField('rowId', '该行不来自清单，不能更正，可以剔除');
    const columns = new Set(layoutOf(batch).columns.map(({ target }) => target));
    const unknown = (Object.keys(values) as ListTarget[]).find((target) => !columns.has(target));
    if (unknown !== undefined) throw refuseField(`values.${unknown}`, '该列不在清单中');
    const { raw, corrected } = cellsOf(kernel.secrets, stored);
    const merged: RawCells = { ...corrected, ...values };
    const kept = Object.fromEntries(Object.entries(merged).filter(([target, value]) => raw[target as ListTarget] !== value));
    await own(ctx.tx)
      .updateTable('policyInsuredBatchRow')
      .set({ correctedCipher: Object.keys(kept).length === 0 ? null : kernel.secrets.encrypt(JSON.stringify(kept)) })
      .where('id', '=', rowId)
      .execute();
    await decideAgain(kernel, ctx, batch, [rowId]);
    const now = await own(ctx.tx)
      .selectFrom('policyInsuredBatchRow')
      .select(['policyId', 'personKey', 'idNoHash'])
      .where('id', '=', rowId)
      .executeTakeFirstOrThrow();
    const linked = [...new Set([...(await linkedRows(ctx, batch.id, [stored, now])), rowId])];
    await decideAgain(kernel, ctx, batch, linked);
    const settled = await settle(ctx, batch, linked);
    const row = await own(ctx.tx)
      .selectFrom('policyInsuredBatchRow as r')
      .leftJoin('policyPolicy as p', 'p.id', 'r.policyId')
      .select(rowColumns)
      .where('r.id', '=', rowId)
      .executeTakeFirstOrThrow();
    ctx.changed([{ path: 'row', label: '更正行', before: null, after: `第${stored.rowNo}行` }]);
    return { ...countedOf(ctx, settled), row: shownRow(kernel.secrets, row, true) };
  });

export const excludeRows = (kernel: Kernel) =>
  command(excludeInsuredBatchRow, async ({ batchId, version, rowIds, code, note }, ctx) => {
    const batch = await openBatch(ctx, batchId, version);
    if (!rowIds && !code) throw refuseField('rowIds', '请选择行或错误码');
    const { rows } = await sql<Linked & { id: string }>`
      update policy_insured_batch_row r set result = 'EXCLUDED', note = ${note}, warn_accepted = false, premium_fen = 0
      where r.batch_id = ${batch.id} and r.result <> 'EXCLUDED' and ${
        rowIds ? sql`r.id = any(${rowIds}::bigint[])` : sql`r.errors @> ${JSON.stringify([{ code }])}::jsonb`
      }
      returning r.id, r.policy_id, r.person_key, r.id_no_hash`.execute(ctx.tx);
    if (rows.length === 0) throw refuseField('rowIds', '没有可剔除的行');
    const linked = await linkedRows(ctx, batch.id, rows);
    await decideAgain(kernel, ctx, batch, linked);
    ctx.changed([{ path: 'rows', label: '剔除行数', before: null, after: rows.length }]);
    return countedOf(ctx, await settle(ctx, batch, linked));
  });

export const acceptWarnings = command(acceptBatchWarning, async ({ batchId, version, what, rowIds, code }, ctx) => {
  const batch = await openBatch(ctx, batchId, version);
  if (what === 'FAULT') {
    if (batch.fault === null) throw refuseField('what', '该批次没有需要确认的整批问题');
    await own(ctx.tx).updateTable('policyInsuredBatch').set({ faultAcceptedBy: ctx.staff.userId }).where('id', '=', batch.id).execute();
    ctx.changed([{ path: 'fault', label: '整批问题', before: batch.fault, after: '已确认' }]);
    return countedOf(ctx, await settle(ctx, batch, []));
  }
  if (what === 'ROWS' && !rowIds) throw refuseField('rowIds', '请选择行');
  if (what === 'CODE' && !code) throw refuseField('code', '请选择提示码');
  const done = await sql`
    update policy_insured_batch_row r set warn_accepted = true
    where r.batch_id = ${batch.id} and r.warnings <> '[]' and not r.warn_accepted and ${
      what === 'ROWS' ? sql`r.id = any(${rowIds ?? []}::bigint[])` : sql`r.warnings @> ${JSON.stringify([{ code }])}::jsonb`
    }`.execute(ctx.tx);
  ctx.changed([{ path: 'warnings', label: '确认提示行数', before: null, after: Number(done.numAffectedRows ?? 0n) }]);
  return countedOf(ctx, await settle(ctx, batch, []));
});
