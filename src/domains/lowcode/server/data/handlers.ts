import { SUCCESS } from '#kernel/contract/envelope.ts';
import { platformErrors, Refusal, refuse, refuseField } from '#kernel/contract/errors.ts';
import { checkAgainst } from '#kernel/contract/faults.ts';
import { shapeOf } from '#kernel/contract/field.ts';
import { prepared } from '#kernel/contract/fieldRules.ts';
import { showInstant } from '#kernel/contract/time.ts';
import type { Dispatched, Origin, ProcedureContext, QueryContext } from '#kernel/server/context.ts';
import type { Dataset, DatasetAction } from '#kernel/server/datasets/dataset.ts';
import { procedure, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { exportDataset, queryDataset, revealDatasetValue, runDatasetAction } from '../../contract/calls/data.ts';
import { lowcodeErrors } from '../../contract/errors.ts';
import { filtersOf, orderOf } from './ask.ts';
import { presentRow, presentStat } from './present.ts';
import { resolve, type Resolved } from './resolve.ts';

const BATCH = 200;

/** The answer of a bound call; its refusal is this call's. */
function answerOf(answer: Dispatched): unknown {
  if (answer.code === SUCCESS) return answer.data;
  throw new Refusal(answer.code, answer.message, { data: answer.data, ...(answer.fields.length > 0 && { fields: answer.fields }) });
}

async function readList(
  { dataset, origin }: Resolved,
  input: { filters: object; orderBy?: string | undefined; pageNo: number; pageSize: number },
  ctx: QueryContext,
) {
  if (input.pageSize > dataset.maxPageSize) throw refuseField('pageSize', `每页条数最大为${dataset.maxPageSize}`);
  const { pageNo, pageSize } = input;
  const asked = { ...filtersOf(dataset, { ...input.filters }), ...orderOf(dataset, input.orderBy), pageNo, pageSize };
  const answer = await ctx.dispatch(dataset.list, asked, { origin });
  const data = answerOf(answer);
  const rows: readonly unknown[] = Array.isArray(data) ? data : rowsOf(data);
  return { items: rows.map((row) => presentRow(dataset, row, ctx.has)), total: answer.total ?? rows.length };
}

/** Lists that grow without bound answer their rows in an object. */
const rowsOf = (data: unknown): readonly unknown[] => {
  const rows = typeof data === 'object' && data !== null && 'rows' in data ? data.rows : [];
  return Array.isArray(rows) ? rows : [];
};

async function readDetail({ dataset, origin }: Resolved, key: string, ctx: QueryContext) {
  if (!dataset.detail) throw refuse(lowcodeErrors.NOT_DECLARED);
  const { call, input, record, trail } = dataset.detail;
  const data = answerOf(await ctx.dispatch(call, input(key), { origin }));
  const steps = trail?.(data).map(({ label, opinion, at, displayName }) => ({
    label,
    opinion: opinion ?? '',
    at: showInstant(at),
    displayName,
  }));
  return { items: [{ ...presentRow(dataset, record(data), ctx.has), ...(steps && { trail: steps }) }], total: 1 };
}

async function readNamed({ dataset, origin }: Resolved, operation: string, keyword: string, ctx: QueryContext) {
  const [kind, name = ''] = operation.split('.');
  if (kind === 'options') {
    const options = dataset.options[name];
    if (!options) throw refuse(lowcodeErrors.NOT_DECLARED);
    const answer = await ctx.dispatch(options.call, options.input(keyword), { origin });
    const data = answerOf(answer);
    // A list's answer as its callers know it: the page with its total.
    const items = options.rows(options.call.shape === 'list' ? { rows: data, total: answer.total } : data);
    return { items: items.map(({ value, label }) => ({ value, label })), total: items.length };
  }
  const stat = dataset.stats[name];
  if (!stat) throw refuse(lowcodeErrors.NOT_DECLARED);
  const rows = stat.rows(answerOf(await ctx.dispatch(stat.call, stat.input(), { origin })));
  return { items: rows.map((row) => presentStat([...stat.dimensions, ...stat.measures], row)), total: rows.length };
}

interface Act {
  dataset: Dataset;
  action: DatasetAction;
  origin: Origin;
  values: Readonly<Record<string, unknown>>;
  version: number;
  opinion: string;
  idempotencyKey: string;
}

/** One record's action: what it must know first, then the bound call, which judges for itself. */
async function actOn(act: Act, key: string, ctx: ProcedureContext): Promise<Dispatched> {
  const { action, origin } = act;
  let record: unknown = null;
  if (action.read) {
    const read = await ctx.dispatch(action.read.call, action.read.input(key), { origin });
    if (read.code !== SUCCESS) return read;
    record = read.data;
  }
  const answer = await ctx.dispatch(
    action.call,
    action.input({ key, version: act.version, values: act.values, opinion: act.opinion, record }),
    {
      origin,
      ...(action.ifMatch && act.version > 0 && { version: act.version }),
      ...(act.idempotencyKey !== '' && { idempotencyKey: key === '' ? act.idempotencyKey : `${act.idempotencyKey}-${key}` }),
    },
  );
  const failure = answer.code === SUCCESS ? (action.outcome?.(answer.data) ?? null) : null;
  return failure === null ? answer : { ...answer, code: platformErrors.WRONG_STATE.code, message: failure };
}

/** What the form gave, checked under its own names so that the page can show the fault at its field. */
function valuesOf(action: DatasetAction, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shape = shapeOf(action.form);
  const known = Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const value = prepared(schema, given[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const { data, faults } = checkAgainst(action.form, known);
  if (faults) throw refuse(platformErrors.MALFORMED, { fields: faults });
  return { ...data };
}

/** Data of pages: every call of theirs is a declared call of the dataset's owner, made inside the running request. */
export function dataHandlers(kernel: Kernel): Handler[] {
  return [
    query(queryDataset, async (input, ctx) => {
      const { operation } = input;
      if (operation.startsWith('action.') || operation === 'export') throw refuse(lowcodeErrors.NOT_DECLARED);
      const resolved = await resolve(kernel.registry, ctx, input, operation, false);
      if (operation === 'list') return readList(resolved, input, ctx);
      if (operation === 'detail') return readDetail(resolved, input.key, ctx);
      return readNamed(resolved, operation, String(input.filters['keyword'] ?? ''), ctx);
    }),

    procedure(runDatasetAction, async (input, ctx) => {
      const { dataset, origin } = await resolve(kernel.registry, ctx, input, `action.${input.action}`, true);
      const action = dataset.actions.find(({ code }) => code === input.action);
      if (!action) throw refuse(lowcodeErrors.NOT_DECLARED);
      const keys = action.kind === 'BATCH' ? [...new Set(input.keys.filter((key) => key !== ''))] : [input.key];
      if (keys.length > BATCH) throw refuse(lowcodeErrors.BATCH_TOO_LARGE);
      const isOfRecord = action.kind !== 'TOOLBAR' && action.kind !== 'CREATE';
      if (isOfRecord && (keys.length === 0 || keys.includes(''))) throw refuseField('key', '请选择记录');
      const act: Act = {
        dataset,
        action,
        origin,
        values: valuesOf(action, input.input),
        version: input.version,
        opinion: input.opinion,
        idempotencyKey: input.idempotencyKey,
      };
      if (action.kind !== 'BATCH') {
        const answer = await actOn(act, keys[0] ?? '', ctx);
        const data = answerOf(answer);
        const [key = ''] = keys;
        return { outcomes: [{ key, code: SUCCESS, message: answer.message }], done: 1, failed: 0, message: answer.message, data };
      }
      // R4: one after another, each in a transaction of its own.
      const outcomes = [];
      for (const key of keys) {
        const { code, message } = await actOn(act, key, ctx);
        outcomes.push({ key, code, message });
      }
      const done = outcomes.filter(({ code }) => code === SUCCESS).length;
      const failed = outcomes.length - done;
      return { outcomes, done, failed, message: `成功${done}条，失败${failed}条`, data: null };
    }),

    procedure(revealDatasetValue, async (input, ctx) => {
      const { dataset, origin } = await resolve(kernel.registry, ctx, input, `reveal.${input.column}`, false);
      const reveal = dataset.columns.find(({ key }) => key === input.column)?.reveal;
      if (!reveal) throw refuse(lowcodeErrors.NOT_DECLARED);
      return { value: reveal.answer(answerOf(await ctx.dispatch(reveal.call, reveal.input(input.key), { origin }))) };
    }),

    procedure(exportDataset, async ({ filters, columns, format, plain, plainReason, ...input }, ctx) => {
      const { dataset, origin } = await resolve(kernel.registry, ctx, input, 'export', false);
      if (!dataset.export) throw refuse(lowcodeErrors.NOT_DECLARED);
      const asked = {
        ...filtersOf(dataset, filters),
        format,
        ...(columns && { columns }),
        ...(plain !== undefined && { plain }),
        ...(plainReason !== undefined && { plainReason }),
      };
      const answer = await ctx.dispatch(dataset.export, asked, { origin });
      if (answer.file) return answer.file;
      const data = answerOf(answer);
      const [exportTaskId, taskNo, rowsTotal] =
        typeof data === 'object' && data !== null ? ['exportTaskId', 'taskNo', 'rowsTotal'].map((key) => Reflect.get(data, key)) : [];
      return { exportTaskId: String(exportTaskId), taskNo: String(taskNo), rowsTotal: Number(rowsTotal) };
    }),
  ];
}
