import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attributionChanged } from '#events/doctor.ts';
import { agentHandedOver } from '#events/pharma.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import { commitImportTask, queryImportResult, queryImportRowList, undoImportTask } from '#domains/files/contract/calls/imports.ts';
import { getAgents, getProductLines } from '#domains/pharma/server/index.ts';
import {
  auditPerfChange,
  importPerfBind,
  queryPerfChangeItemList,
  queryPerfChangeList,
  submitPerfChange,
} from '../../contract/calls/perfChanges.ts';
import { lockPerfPeriod, queryPerfPeriods, queryPerfRelationList, unlockPerfPeriod } from '../../contract/calls/perfRelations.ts';
import { acting, keeper, key, newDoctor } from '../testing/fixtures.ts';
import { makeField, passed, passedChange, rebind, type Field } from '../testing/perf.ts';
import { perfBindImporter } from './importer.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let field: Field;
beforeAll(async () => {
  app = await startTestApp();
  [maker, checker] = [await keeper(app), await keeper(app)];
  field = await makeField(app);
});
afterAll(() => app.close());

/** A row of the table by what it names. */
async function rowOf(doctorId: string, agent: number, changeType: string, effectiveDate: string) {
  const [doctor] = await getDoctors(app.db, [doctorId]);
  const [person] = await getAgents(app.db, [field.agents[agent]!.id]);
  const [line] = await getProductLines(app.db, [field.productLineId]);
  return { agentNo: person!.agentNo, doctorNo: doctor!.doctorNo, lineNo: line!.lineNo, changeType, effectiveDate };
}
type Row = Awaited<ReturnType<typeof rowOf>>;
async function checked(rows: readonly Row[]) {
  const { importTaskId } = await app.ok(importPerfBind, { fileId: await uploadRows(app, maker, perfBindImporter, rows) }, { as: maker });
  await app.runDue();
  return app.ok(queryImportResult, { importTaskId }, { as: maker });
}
async function imported(rows: readonly Row[]) {
  const task = await checked(rows);
  await app.ok(commitImportTask, { importTaskId: task.importTaskId, version: task.version }, key(maker));
  await app.runDue();
  return app.ok(queryImportResult, { importTaskId: task.importTaskId }, { as: maker });
}
const faultsOf = async (importTaskId: string) =>
  (await app.ok(queryImportRowList, { importTaskId, hasError: true }, { as: maker })).rows.flatMap(({ rowNo, errors }) =>
    errors.map(({ columnLabel, message }) => `第${rowNo}行 ${columnLabel}：${message}`),
  );
const requestsOf = async (batchNo: string) => (await app.ok(queryPerfChangeList, { sourceNo: batchNo }, { as: checker })).rows;
async function passAll(batchNo: string) {
  for (const { id, version } of await requestsOf(batchNo)) await app.ok(auditPerfChange, { id, version, ...passed }, { as: checker });
  await app.runDue();
}
const activeOf = async (doctorId: string) =>
  (await app.ok(queryPerfRelationList, { doctorId, state: 'ACTIVE' }, { as: checker })).rows.map(({ agentId }) => agentId);
const undo = (task: { importTaskId: string; version: number }) => ({
  importTaskId: task.importTaskId,
  version: task.version,
  opinion: '导错文件',
});

describe('a table of bindings', () => {
  it('names row and column of what is wrong, a locked month too', async () => {
    const last = plusDays(`${app.clock.today().slice(0, 7)}-01`, -1).slice(0, 7);
    const { version } = (await app.ok(queryPerfPeriods, {}, { as: checker })).find(({ period }) => period === last)!;
    const locked = await app.ok(lockPerfPeriod, { period: last, version }, { as: checker });
    const doctorId = await newDoctor(app);
    const good = await rowOf(doctorId, 0, '绑定', app.clock.today());
    const task = await checked([
      { ...good, agentNo: 'DB0' },
      { ...good, doctorNo: 'YS0' },
      { ...(await rowOf(await newDoctor(app), 0, '绑定', `${last}-10`)) },
      { ...(await rowOf(await newDoctor(app), 0, '换绑', app.clock.today())) },
      good,
    ]);
    expect(await faultsOf(task.importTaskId)).toEqual([
      '第2行 代表工号：代表不存在或已离职',
      '第3行 医生编号：医生不存在',
      `第4行 生效日期：绩效月${last}已锁定，生效日期不能早于${app.clock.today().slice(0, 7)}-01`,
      '第5行 变更类型：医生在该产品线没有绑定代表，请改用绑定',
      '第6行 医生编号：医生与产品线与第2行重复',
    ]);
    await app.ok(unlockPerfPeriod, { period: last, version: locked.version, opinion: '补录变更' }, { as: checker });
  });

  it('becomes a request for each kind and day, passed by another person; the same file again is refused; all of it is taken back', async () => {
    const known = await passedChange(app, { effectiveDate: plusDays(app.clock.today(), -30) }, { field });
    const same = await passedChange(app, { effectiveDate: plusDays(app.clock.today(), -30) }, { field });
    const [one, two] = [await newDoctor(app), await newDoctor(app)];
    const rows = [
      await rowOf(one, 0, '绑定', app.clock.today()),
      await rowOf(two, 1, '绑定', app.clock.today()),
      await rowOf(known.doctorId, 1, '换绑', plusDays(app.clock.today(), -2)),
      await rowOf(same.doctorId, 0, '绑定', app.clock.today()),
    ];
    const task = await imported(rows);
    expect(task).toMatchObject({ state: 'DONE', newRows: 2, changedRows: 1, sameRows: 1 });
    expect(await requestsOf(task.batchNo)).toMatchObject([
      { changeType: 'REBIND', doctorCount: 1, status: 'PENDING_AUDIT' },
      { changeType: 'BIND', doctorCount: 2, status: 'PENDING_AUDIT' },
    ]);
    const [first] = await requestsOf(task.batchNo);
    expect(await app.refused(auditPerfChange, { id: first!.id, version: first!.version, ...passed }, { as: maker })).toMatchObject({
      code: 'SCM19001',
    });
    await passAll(task.batchNo);
    expect([await activeOf(one), await activeOf(known.doctorId)]).toEqual([[field.agents[0]!.id], [field.agents[1]!.id]]);
    const again = { fileId: await uploadRows(app, maker, perfBindImporter, rows) };
    expect(await app.refused(importPerfBind, again, { as: maker })).toMatchObject({
      code: 'SCM19066',
      message: `该文件已导入过（任务${task.batchNo}）`,
    });
    expect(await app.refused(undoImportTask, undo(task), { as: maker })).toMatchObject({ code: 'SCM19001' });
    await app.ok(undoImportTask, undo(task), { as: checker });
    expect([await activeOf(one), await activeOf(known.doctorId)]).toEqual([[], [field.agents[0]!.id]]);
    expect((await requestsOf(task.batchNo)).map(({ status }) => status)).toEqual(['REVOKED', 'REVOKED']);
  });

  it('is not taken back where something was changed later, and is dropped where nobody has decided yet', async () => {
    const doctorId = await newDoctor(app);
    const task = await imported([await rowOf(doctorId, 0, '绑定', plusDays(app.clock.today(), -5))]);
    await passAll(task.batchNo);
    await passedChange(app, rebind(app, field, -1), { field, doctorId });
    expect(await app.refused(undoImportTask, undo(task), { as: checker })).toMatchObject({ code: 'SCM19064' });
    expect(await activeOf(doctorId)).toEqual([field.agents[1]!.id]);
    const waiting = await imported([await rowOf(await newDoctor(app), 0, '绑定', app.clock.today())]);
    await app.ok(undoImportTask, undo(waiting), { as: checker });
    expect((await requestsOf(waiting.batchNo)).map(({ status }) => status)).toEqual(['WITHDRAWN']);
  });
});

describe('what other domains tell', () => {
  it('a hand-over is drafted once for all successors, for a person to hand in', async () => {
    const many = await makeField(app, 3);
    const [one, two] = [await newDoctor(app), await newDoctor(app)];
    const items = [one, two].map((doctorId) => ({ doctorId, productLineId: many.productLineId }));
    await passedChange(app, { items, effectiveDate: plusDays(app.clock.today(), -9) }, { field: many, doctorId: one });
    const handoverNo = 'JJ20261130000001';
    for (const [at, pair] of items.entries())
      await acting(app, (ctx) =>
        ctx.publish(agentHandedOver, '1', {
          handoverNo,
          fromAgentId: many.agents[0]!.id,
          toAgentId: many.agents[at + 1]!.id,
          reason: 'LEAVE',
          doctorIds: [pair.doctorId],
          pairs: [pair],
          channelIds: [],
          effectiveOn: app.clock.today(),
        }),
      );
    await app.runDue();
    const [draft, ...more] = await requestsOf(handoverNo);
    expect(more).toEqual([]);
    expect(draft).toMatchObject({ changeType: 'TRANSFER', doctorCount: 2, status: 'DRAFT', makerName: '系统', sourceType: 'HANDOVER' });
    const submitted = await app.ok(submitPerfChange, { id: draft!.id, version: draft!.version }, { as: maker });
    await app.ok(auditPerfChange, { id: draft!.id, version: submitted.version, ...passed }, { as: checker });
    expect([await activeOf(one), await activeOf(two)]).toEqual([[many.agents[1]!.id], [many.agents[2]!.id]]);
  });

  it("a doctor's channel of another representative is drafted as a change of the lines that he serves", async () => {
    const { doctorId } = await passedChange(app, { effectiveDate: plusDays(app.clock.today(), -9) }, { field });
    const told = (agentId: string | null) =>
      acting(app, (ctx) =>
        ctx.publish(attributionChanged, doctorId, {
          subjectType: 'DOCTOR',
          subjectId: doctorId,
          fromChannelId: null,
          toChannelId: '1',
          agentId,
          effectiveOn: app.clock.today(),
        }),
      );
    for (const agentId of [null, field.agents[0]!.id, field.agents[1]!.id]) await told(agentId);
    await app.runDue();
    const { rows } = await app.ok(queryPerfChangeList, { doctorId, status: 'DRAFT' }, { as: checker });
    expect(rows).toMatchObject([{ changeType: 'REBIND', sourceType: 'ATTRIBUTION', doctorCount: 1 }]);
    const { rows: items } = await app.ok(queryPerfChangeItemList, { requestId: rows[0]!.id }, { as: checker });
    expect(items).toMatchObject([{ doctorId, productLineId: field.productLineId }]);
  });
});
