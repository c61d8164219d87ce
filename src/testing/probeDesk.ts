import { sql } from 'kysely';
import { declareDesk } from '#kernel/contract/desk.ts';
import { declareErrors } from '#kernel/contract/errors.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, opinion, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { declarePermissions } from '#kernel/contract/permission.ts';
import { acted, declareService } from '#kernel/contract/service.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import * as z from 'zod/mini';
import { scopedResource } from '#kernel/server/auth/scope.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { caseDesk, casesOf } from '#kernel/server/desk/caseDesk.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import type { TestApp } from './testApp.ts';
import type { TestStaff } from './staff.ts';

/** A desk that has all that a desk may have: a limit, assignments and takeovers. */
const may = declarePermissions('probe', {
  'case.work': { label: '处理案件', roles: '' },
  'case.supervise': { label: '管理案件', roles: '' },
});
const errors = declareErrors({
  HELD: ['SCM99011', '案件正由{user}处理'],
  NONE: ['SCM99012', '暂无案件'],
  LOST: ['SCM99013', '占用已失效'],
  OWN: ['SCM99014', '不能处理本人录入的案件'],
  FULL: ['SCM99015', '已领取{n}件，请先处理'],
});
const work = { permission: may['case.work'].code, opinion: 'none' } as const;
const machine = stateMachine(
  'probe.case',
  { WAITING: { label: '待处理' }, WORKING: { label: '处理中' }, DONE: { label: '已处理' } },
  {
    claim: { label: '领取', from: ['WAITING', 'WORKING'], to: 'WORKING', ...work },
    release: { label: '退回', from: ['WORKING'], to: 'WAITING', ...work },
    takeover: { label: '接管', from: ['WORKING'], permission: may['case.supervise'].code, opinion: 'required', handsOver: true },
    assign: { label: '分派', from: ['WAITING', 'WORKING'], permission: may['case.supervise'].code, opinion: 'none', handsOver: true },
  },
);
const state = machine.dictionary.schema;
const service = declareService('ProbeCaseService');
const caseId = { caseId: field('案件', id) };
const leased = z.extend(acted(state), { leaseUntil: textOrNull });
export const MOST = 2;

const list = service.list({
  operation: 'queryProbeCaseList',
  label: '查询案件',
  access: may['case.work'],
  filter: {},
  output: z.strictObject({ id: idOut, state, version: z.int(), handler: field('处理人', textOrNull), assigneeId: textOrNull }),
});
export const probeDesk = declareDesk({
  machine,
  work: '处理中的案件',
  key: 'caseId',
  calls: {
    claim: service.act({ operation: 'claimProbeCase', label: '领取案件', access: may['case.work'], input: caseId, output: leased }),
    claimNext: service.act({ operation: 'claimNextProbeCase', label: '领取下一件', access: may['case.work'], input: {}, output: leased }),
    heartbeat: service.act({ operation: 'heartbeatProbeCase', label: '续占案件', access: may['case.work'], input: caseId, output: leased }),
    release: service.act({
      operation: 'releaseProbeCase',
      label: '退回案件',
      access: may['case.work'],
      input: caseId,
      output: acted(state),
    }),
    takeover: service.act({
      operation: 'takeoverProbeCase',
      label: '接管案件',
      access: may['case.supervise'],
      input: { ...caseId, opinion },
      output: leased,
    }),
    assign: service.act({
      operation: 'assignProbeCase',
      label: '分派案件',
      access: may['case.supervise'],
      input: { ...caseId, assigneeId: text('负责人', 20, 1), version },
      output: acted(state),
    }),
  },
  pool: ['WAITING', 'WORKING'],
  minutes: 10,
  most: MOST,
  refusals: { held: errors.HELD, none: errors.NONE, lost: errors.LOST, own: errors.OWN, full: errors.FULL },
  lists: [{ list, holder: 'handler' }],
});

interface Tables {
  probeCase: { id: string; state: keyof typeof machine.states; version: number; enteredBy: string | null; assigneeId: string | null };
}
const own = (db: Db | Tx) => db.withTables<Pick<Tables, keyof Tables>>();
const records = recordOf((db) => own(db).selectFrom('probeCase as c').selectAll('c')).with({
  type: 'probe.case',
  id: 'c.id',
  scope: scopedResource({ region: 'free', insurer: 'free', channel: 'free', own: 'free' }),
});
const desk = caseDesk(probeDesk, casesOf(records), {
  table: 'probeCase',
  alias: 'c',
  numberOf: ({ id: number }) => `AJ${number}`,
  own: ['enteredBy'],
  assignee: 'assigneeId',
});
const cases = listOf(list)
  .from(({ db, staff }) => records.seen(db, staff))
  .with({
    where: {},
    id: 'c.id',
    unsorted: 'a probe',
    select: (query, { now }) => query.select(['c.id', 'c.state', 'c.version', 'c.assigneeId', desk.holder(now).as('handler')]),
    present: (rows) => rows,
  });

export const probeDeskModule: ServerModuleFactory = () => ({
  domain: 'probe',
  permissions: Object.values(may),
  routes: [],
  errors,
  handlers: [cases.handler, ...desk.handlers()],
});

export const makeProbeTable = (app: TestApp): Promise<unknown> =>
  app.database.asOwner(`
    create table probe_case (
      id bigint generated always as identity primary key, state text not null default 'WAITING', version int not null default 1,
      entered_by bigint, assignee_id bigint, updated_at timestamptz, updated_by bigint
    );
    grant select, insert, update on probe_case to kangqiao_app`);
export async function makeProbeCase(app: TestApp, by?: TestStaff): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into probe_case (entered_by) values (${by?.userId ?? null}) returning id`.execute(
    app.db,
  );
  return rows[0]!.id;
}
