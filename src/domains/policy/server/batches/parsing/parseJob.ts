import { setImmediate as breathe } from 'node:timers/promises';
import { Refusal } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { job, type JobContext, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { placesOf } from '../../../contract/rules/template.ts';
import { own } from '../../database.ts';
import { decideRows } from './decide.ts';
import { makeLookups, type Lookups } from './lookups.ts';
import { proposeMissing } from './missing.ts';
import { makeMissing } from './newPolicies.ts';
import { openList, readWholeList } from '../../templates/readFile.ts';
import { rawOf, readRow, type RawCells } from '../../templates/readRow.ts';
import { layoutOf, type BatchRecord } from '../records.ts';
import { renewedRows } from './renewedRows.ts';
import { reverseRows } from './reverse.ts';
import { lockedBatch, moveBatch, noteSeqs, setBatch, settle } from '../settle.ts';
import { insertRows } from './writeRows.ts';

/**
 * Rows of one transaction: who begins again after a break finds how many stand and goes on. So few that whoever works beside it is
 * answered in between; `npm run bench policy` reads lists of others meanwhile.
 */
const CHUNK = 25;

interface RawRow {
  rowNo: number;
  raw: RawCells;
  hidden?: boolean;
}
type Run = <T>(work: (acting: Acting) => Promise<T>) => Promise<T>;

/** Decides and writes some rows; false: somebody else went on with the list, or took it back. */
async function writeChunk(
  kernel: Kernel,
  run: Run,
  batch: BatchRecord,
  lookups: Lookups,
  rows: readonly RawRow[],
  before: number,
): Promise<boolean> {
  const { secrets } = kernel;
  const layout = layoutOf(batch);
  return run(async (acting) => {
    const now = await lockedBatch(acting.tx, batch.id);
    if (now.state !== 'PARSING' || now.parsedRows !== before) return false;
    const read = rows.map(({ rowNo, raw, hidden = false }) => ({ rowNo, raw, hidden, ...readRow(layout, raw, acting.today) }));
    await makeMissing({ acting, secrets, batch, layout, lookups }, read);
    await breathe();
    const decided = await decideRows({ tx: acting.tx, secrets, batch, layout, lookups, today: acting.today }, read);
    await breathe();
    await insertRows(
      acting.tx,
      secrets,
      batch.id,
      read.map(({ rowNo, raw, hidden }, at) => ({ rowNo, raw, hidden, decided: decided[at]! })),
      true,
    );
    await noteSeqs(acting.tx, now, lookups.seqsOf(read.map(({ facts }) => facts.policyNo)));
    await own(acting.tx)
      .updateTable('policyInsuredBatch')
      .set({ parsedRows: before + rows.length })
      .where('id', '=', batch.id)
      .execute();
    return true;
  });
}

/** Rows of the file, behind a header that names what has to be there. @throws Refusal what is wrong with the file */
async function* fileRows(kernel: Kernel, { db }: JobContext, run: Run, batch: BatchRecord): AsyncGenerator<RawRow> {
  const layout = layoutOf(batch);
  const { headers, rows } = await readWholeList(await openList(kernel, db, batch.fileId ?? ''), layout);
  const places = placesOf(layout, headers);
  await run((acting) => setBatch(acting, batch.id, { unknownHeaders: places.unknown.slice(0, 50) }));
  for await (const { rowNo, cells, hidden } of rows) yield { rowNo, raw: rawOf(places, cells), hidden };
}

/** Decides and writes all rows from behind those that stand; false: somebody else went on with the list. */
async function readList(kernel: Kernel, ctx: JobContext, run: Run, batch: BatchRecord): Promise<boolean> {
  const lookups = makeLookups(
    batch,
    layoutOf(batch).columns.some(({ target }) => target === 'policyNo'),
    dayOf(ctx.now),
  );
  let seen = 0;
  let written = batch.parsedRows;
  let rows: RawRow[] = [];
  for await (const row of batch.renewsPolicyId === null ? fileRows(kernel, ctx, run, batch) : renewedRows(ctx.db, kernel.secrets, batch)) {
    seen += 1;
    if (seen <= batch.parsedRows) continue;
    rows.push(row);
    if (rows.length < CHUNK) continue;
    if (ctx.signal.aborted || !(await writeChunk(kernel, run, batch, lookups, rows, written))) return false;
    written += rows.length;
    rows = [];
  }
  return rows.length === 0 || writeChunk(kernel, run, batch, lookups, rows, written);
}

/** Reads a list, decides what each of its rows does, and says whether it is whole. */
export const parseJob = (kernel: Kernel): JobDeclaration<{ batchId: string }> =>
  job<{ batchId: string }>({
    name: 'policy.parseBatch',
    label: '校验被保人清单',
    retryLimit: 5,
    expireSeconds: 3600,
    subject: ({ batchId }) => batchId,
    async run({ batchId }, ctx) {
      const { now, traceId, transaction } = ctx;
      const run: Run = (work) => transaction((writing) => work(asSystem(writing, { now, traceId })));
      const batch = await own(ctx.db).selectFrom('policyInsuredBatch').selectAll().where('id', '=', batchId).executeTakeFirst();
      if (batch?.state !== 'PARSING') return;
      try {
        const whole = batch.reverseOfBatchId === null ? await readList(kernel, ctx, run, batch) : await reverseRows(kernel, run, batch);
        if (!whole) return;
        await run(async (acting) => {
          const read = await lockedBatch(acting.tx, batchId);
          if (read.state !== 'PARSING') return;
          const full = read.mode === 'FULL' ? await proposeMissing(kernel, acting, read) : read;
          await settle(acting, full, null);
        });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        await run(async (acting) => {
          const stopped = await lockedBatch(acting.tx, batchId);
          if (stopped.state === 'PARSING')
            await moveBatch(acting, stopped, 'failed', { failure: error.message.slice(0, 500) }, error.message);
        });
      }
    },
  });
