import { sql, type SqlBool } from 'kysely';
import type { Db, QueryContext } from '#kernel/server/context.ts';
import { from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  exportPerfChangeItemList,
  exportPerfChangeList,
  queryPerfChangeItemList,
  queryPerfChangeList,
  type PerfChangeRow,
} from '../../contract/calls/perfChanges.ts';
import { perfChangeMachine } from '../../contract/perfStates.ts';
import { perfChangeRecords } from '../access.ts';
import { own } from '../database.ts';
import { offeredOf, type Asking } from './write.ts';

interface Summary {
  pairs: number;
  incomes: number;
  fen: number;
  doctor: string;
  doctors: number;
  line: string;
  lines: number;
  from: string | null;
  froms: number;
  to: string | null;
  tos: number;
}
const summary = sql<Summary>`(
  select json_build_object(
      'pairs', count(*), 'incomes', coalesce(sum(i.income_count), 0), 'fen', coalesce(sum(i.gross_fen), 0),
      'doctor', min(d.name), 'doctors', count(distinct i.doctor_id),
      'line', min(h.line_name), 'lines', count(distinct i.product_line_id),
      'from', min(f.name), 'froms', count(distinct i.from_agent_id), 'to', min(t.name), 'tos', count(distinct i.to_agent_id)
    )
    from settlement_perf_item i
    join settlement_doctor d on d.doctor_id = i.doctor_id
    join settlement_perf_head h on h.doctor_id = i.doctor_id and h.product_line_id = i.product_line_id
    left join settlement_agent f on f.agent_id = i.from_agent_id
    left join settlement_agent t on t.agent_id = i.to_agent_id
    where i.request_id = c.id
)`.as('summary');
const columns = [
  'c.id',
  'c.requestNo',
  'c.changeType',
  'c.effectiveDate',
  'c.reasonCode',
  'c.reason',
  'c.sourceType',
  'c.sourceNo',
  'c.submittedBy',
  'c.makerId',
  'c.makerName',
  'c.checkerName',
  'c.opinion',
  'c.updatedAt',
  'c.status',
  'c.version',
] as const;

const rowsOf = (db: Db) => own(db).selectFrom('settlementPerfChange as c');
const readChange = (db: Db, id: string) => rowsOf(db).select(columns).select(summary).where('c.id', '=', id).executeTakeFirst();
type Read = NonNullable<Awaited<ReturnType<typeof readChange>>>;

const several = (name: string, count: number, unit: string): string => (count > 1 ? `${name}等${count}${unit}` : name);

function present({ summary: sum, submittedBy, makerId, ...row }: Read, ask: Pick<QueryContext, 'has'> & Asking): PerfChangeRow {
  return {
    ...row,
    fromName: sum.from === null ? null : several(sum.from, sum.froms, '人'),
    toName: sum.to === null ? null : several(sum.to, sum.tos, '人'),
    doctorName: several(sum.doctor, sum.doctors, '人'),
    lineName: several(sum.line, sum.lines, '条'),
    doctorCount: sum.doctors,
    incomeCount: sum.incomes,
    grossFen: sum.fen,
    allowedActions: offeredOf({ ...row, submittedBy, makerId }, perfChangeMachine.allowed(row.status, ask.has), ask),
  };
}
/** One request as its list shows it. */
export async function changeOf(ctx: Pick<QueryContext, 'db' | 'has'> & Asking, id: string): Promise<PerfChangeRow> {
  const row = await readChange(ctx.db, id);
  if (!row) throw perfChangeRecords.missing();
  return present(row, ctx);
}

const hasItem = (column: 'from_agent_id' | 'to_agent_id' | 'doctor_id' | 'product_line_id') => (_eb: unknown, value: string) =>
  sql<SqlBool>`exists (select from settlement_perf_item x where x.request_id = c.id and ${sql.ref(`x.${column}`)} = ${value})`;

export const changeList = listOf(queryPerfChangeList)
  .from(({ db }) => rowsOf(db))
  .with({
    where: {
      requestNo: isNumber('c.requestNo'),
      changeType: 'c.changeType',
      fromAgentId: hasItem('from_agent_id'),
      toAgentId: hasItem('to_agent_id'),
      doctorId: hasItem('doctor_id'),
      productLineId: hasItem('product_line_id'),
      sourceNo: isNumber('c.sourceNo'),
      effectiveFrom: from('c.effectiveDate'),
      effectiveTo: upTo('c.effectiveDate'),
      status: 'c.status',
    },
    id: 'c.id',
    last: { of: 'c.status', groups: [['EFFECTIVE'], ['WITHDRAWN', 'REVOKED']] },
    unsorted: 'what waits for somebody first, then the newest',
    select: (rows) => rows.select(columns).select(summary),
    present: (rows, ask) => rows.map((row) => present(row, ask)),
  });
export const changeExport = listExport(changeList, { call: exportPerfChangeList, title: '绩效关系变更', routeKey: 'perfRelatedChange' });

export const itemList = listOf(queryPerfChangeItemList)
  .from(({ db }) =>
    own(db)
      .selectFrom('settlementPerfItem as i')
      .innerJoin('settlementDoctor as d', 'd.doctorId', 'i.doctorId')
      .innerJoin('settlementPerfHead as h', (join) =>
        join.onRef('h.doctorId', '=', 'i.doctorId').onRef('h.productLineId', '=', 'i.productLineId'),
      )
      .leftJoin('settlementAgent as f', 'f.agentId', 'i.fromAgentId')
      .leftJoin('settlementAgent as t', 't.agentId', 'i.toAgentId'),
  )
  .with({
    where: { requestId: 'i.requestId' },
    id: 'i.id',
    order: [['i.id', 'asc']],
    unsorted: 'of one request, as they were chosen',
    select: (rows) =>
      rows
        .select(['i.id', 'i.doctorId', 'd.doctorNo', 'd.name as doctorName', 'd.hospitalName', 'i.productLineId', 'h.lineName'])
        .select(['f.name as beforeName', 't.name as afterName', 'i.incomeCount', 'i.grossFen', 'i.months']),
    present: (rows) => rows.map((row) => ({ ...row, grossFen: Number(row.grossFen), months: row.months.join('、') })),
  });
export const itemExport = listExport(itemList, {
  call: exportPerfChangeItemList,
  title: '变更单明细',
  routeKey: 'perfRelatedChange.items',
});
