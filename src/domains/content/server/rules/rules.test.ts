import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { days, hours } from '#kernel/contract/time.ts';
import { realNameChanged } from '#events/patient.ts';
import { publishAndDeliver } from '#domains/patient/server/testing/fixtures.ts';
import { bindMark, unbindMark } from '../../contract/marks/calls/bindings.ts';
import {
  addMarkRule,
  delMarkRule,
  modifyMarkRule,
  operateMarkRule,
  publishMarkRule,
  queryMarkRuleList,
  queryMarkVariableList,
} from '../../contract/rules/calls.ts';
import { dryRunMarkRule, queryMarkRuleRunDetail } from '../../contract/rules/runCalls.ts';
import { delMark, mergeMark } from '../../contract/marks/calls/marks.ts';
import { binder, keeper, makeGroup, makeMark } from '../testing/marks.ts';
import {
  agedPatient,
  ageTo,
  liveOn,
  makeRule,
  ofAge,
  patientMark,
  published,
  ruleNow,
  ruler,
  runsOf,
  supervisor,
  tried,
} from '../testing/rules.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const night = () => app.advance(days(1), ['content']);

describe('rules', () => {
  it('are complete and ask only what the owner of a kind of thing answers', async () => {
    const as = await ruler(app);
    const markId = await patientMark(app);
    const send = (conditions: ReturnType<typeof ofAge>) => app.refused(addMarkRule, { markId, conditions, schedule: 'DAILY' }, { as });
    expect(await send([])).toMatchObject({ code: 'SCM04043', message: '条件不完整' });
    expect(await send([{ ...ofAge(1)[0]!, value: '' }])).toMatchObject({ code: 'SCM04043' });
    expect(await send([{ ...ofAge(1)[0]!, variableCode: 'doctor.title' }])).toMatchObject({ code: 'SCM04043' });
    expect(await send([{ ...ofAge(1)[0]!, value: 'abc' }])).toMatchObject({ code: 'SCM90020' });
    expect((await app.ok(queryMarkVariableList, { objectType: 'CHANNEL' }, { as })).length).toBe(0);
    const names = (await app.ok(queryMarkVariableList, { objectType: 'MEDICINE' }, { as })).map(({ name }) => name);
    expect(names).toContain('是否处方药');
  });

  it('are seen by viewers, kept by who may, and those of medical marks of patients are there only for who may see them', async () => {
    const viewer = await app.staff({ permissions: ['content.content.view', 'content.mark.rule'] });
    const { id, markId } = await makeRule(app, 98, { markId: await patientMark(app, { sensitive: true }) });
    const { rows } = await app.ok(queryMarkRuleList, { pageSize: 999 }, { as: viewer });
    expect(rows.map((row) => row.id)).not.toContain(id);
    expect(await app.refused(dryRunMarkRule, { ruleId: id }, { as: viewer })).toMatchObject({ code: 'SCM90040' });
    const change = { id, version: 1, markId, conditions: ofAge(97), schedule: 'DAILY' as const };
    expect(await app.refused(modifyMarkRule, change, { as: viewer })).toMatchObject({ code: 'SCM90040' });
    const onlyViews = await app.staff({ permissions: ['content.content.view'] });
    const open = await makeRule(app, 98);
    expect(await app.refused(publishMarkRule, { id: open.id, version: 1 }, { as: onlyViews })).toMatchObject({ code: 'SCM90010' });
    expect((await app.ok(queryMarkRuleList, { pageSize: 999 }, { as: onlyViews })).rows.find((row) => row.id === open.id)).toMatchObject({
      sentence: '年龄 = 98 岁',
      allowedActions: [],
    });
  });

  it('are published only after a dry run of this very content, within a day', async () => {
    const { id, markId } = await makeRule(app, 96);
    const publish = async () => app.refused(publishMarkRule, { id, version: (await ruleNow(app, id)).version }, { as: await ruler(app) });
    expect(await publish()).toMatchObject({ code: 'SCM04040', message: '请先试运行' });
    await tried(app, id);
    await app.ok(modifyMarkRule, { id, version: 1, markId, conditions: ofAge(95), schedule: 'DAILY' }, { as: await ruler(app) });
    expect(await publish()).toMatchObject({ code: 'SCM04040' });
    await tried(app, id);
    app.clock.advance(hours(25));
    expect(await publish()).toMatchObject({ code: 'SCM04040' });
    await tried(app, id);
    await app.ok(publishMarkRule, { id, version: 2 }, { as: await ruler(app) });
    expect(await ruleNow(app, id)).toMatchObject({ state: 'RUNNING', publishedSeq: 1 });
    expect(await app.refused(delMarkRule, { id, version: 3 }, { as: await ruler(app) })).toMatchObject({ code: 'SCM90020' });
    await app.runDue();
  });

  it('beyond the limit are published by a supervisor alone', async () => {
    const { id, markId } = await makeRule(app, 94);
    const [a, b] = [await agedPatient(app, 94), await agedPatient(app, 94)];
    await tried(app, id);
    const refusal = await app.refused(publishMarkRule, { id, version: 1 }, { as: await ruler(app) });
    expect(refusal.code).toBe('SCM04041');
    expect(refusal.message).toMatch(/^试运行将影响2个对象，超过上限（\d+），请由主管发布$/);
    await app.ok(publishMarkRule, { id, version: 1 }, { as: await supervisor(app) });
    await app.runDue();
    expect(await liveOn(app, markId)).toEqual([
      [a, 'RULE'],
      [b, 'RULE'],
    ]);
    expect(await ruleNow(app, id)).toMatchObject({ lastAdded: 2, lastRemoved: 0, lastRunState: 'DONE' });
  });

  it('keep their mark from being deleted, and while they run from being merged', async () => {
    const group = await makeGroup(app, { objectType: 'PATIENT' });
    const [markId, intoId] = [await makeMark(app, group), await makeMark(app, group)];
    const { id } = await makeRule(app, 82, { markId });
    await published(app, id);
    expect((await app.refused(mergeMark, { fromId: markId, version: 1, intoId }, { as: await keeper(app) })).code).toBe('SCM90020');
    const refusal = await app.refused(delMark, { id: markId, version: 1 }, { as: await keeper(app) });
    expect(refusal.code).toBe('SCM90020');
  });

  it('are paused, resumed and ended; a change of a paused one makes it a draft again', async () => {
    const as = await ruler(app);
    const { id, markId } = await makeRule(app, 93);
    await published(app, id);
    const act = async (action: 'pause' | 'resume' | 'end' | 'run') =>
      app.ok(operateMarkRule, { id, version: (await ruleNow(app, id)).version, action }, { as: await ruler(app) });
    expect(await act('pause')).toMatchObject({ state: 'PAUSED' });
    await agedPatient(app, 93);
    await night();
    expect(await liveOn(app, markId)).toEqual([]);
    expect(await act('resume')).toMatchObject({ state: 'RUNNING' });
    await night();
    expect(await liveOn(app, markId)).toHaveLength(1);
    await act('pause');
    const { version } = await ruleNow(app, id);
    const change = { id, version, markId, conditions: ofAge(92), schedule: 'DAILY' as const };
    expect(await app.ok(modifyMarkRule, change, { as: await ruler(app) })).toMatchObject({ state: 'DRAFT' });
    expect((await app.refused(operateMarkRule, { id, version: version + 1, action: 'resume' }, { as: await ruler(app) })).code).toBe(
      'SCM90031',
    );
    expect((await app.refused(modifyMarkRule, change, { as })).code).not.toBe('0000000');
  });
});

describe('a dry run', () => {
  it('explains its sample by conditions and values, and changes no binding', async () => {
    const as = await ruler(app);
    const markId = await patientMark(app);
    const patientId = await agedPatient(app, 91);
    const conditions = [
      ...ofAge(91),
      { variableCode: 'patient.sex', operator: '=' as const, value: '1', groupNo: 2 },
      { ...ofAge(91)[0]!, groupNo: 2 },
    ];
    const { id } = await makeRule(app, 91, { markId, conditions });
    const before = await sql`select count(*) from content_mark_binding`.execute(app.db);
    const runId = await tried(app, id);
    expect(await sql`select count(*) from content_mark_binding`.execute(app.db)).toEqual(before);
    const { run, sample } = await app.ok(queryMarkRuleRunDetail, { runId }, { as });
    expect(run).toMatchObject({ kind: 'DRY', state: 'DONE', toAdd: 1, toRemove: 0, added: 0, removed: 0 });
    expect(run.evaluated).toBe(run.total);
    expect(sample).toHaveLength(1);
    expect(sample[0]).toMatchObject({ objectId: patientId, change: 'ADD' });
    expect(sample[0]!.explain[0]).toMatchObject({ variableCode: 'patient.age', operator: '=', value: '91', verdict: 'HELD', fact: '91' });
    expect((await ruleNow(app, id)).sentence).toBe('（年龄 = 91 岁） 或 （性别 = 男 且 年龄 = 91 岁）');
    const region = await app.staff({ permissions: ['content.content.view', 'content.mark.rule'], scope: { region: ['650000'] } });
    expect((await app.ok(queryMarkRuleRunDetail, { runId }, { as: region })).sample).toEqual([]);
    const viewer = await app.staff({ permissions: ['content.content.view'] });
    expect(await app.refused(queryMarkRuleRunDetail, { runId }, { as: viewer })).toMatchObject({ code: 'SCM90010' });
  });

  it('is one at a time', async () => {
    const { id } = await makeRule(app, 90);
    const as = await ruler(app);
    const codes = await Promise.all(
      Array.from({ length: 4 }, async () => (await app.send(dryRunMarkRule, { ruleId: id }, { as })).envelope.code),
    );
    expect(codes.toSorted()).toEqual(['0000000', 'SCM90031', 'SCM90031', 'SCM90031']);
    await app.runDue();
    await tried(app, id);
    expect((await runsOf(app, id)).map(({ seq, state }) => [seq, state])).toEqual([
      [2, 'DONE'],
      [1, 'DONE'],
    ]);
  });
});

describe('a run', () => {
  it('takes away what no longer holds, and never what people have put there', async () => {
    const { id, markId } = await makeRule(app, 89);
    const [stays, leaves, confirmed, manual] = [
      await agedPatient(app, 89),
      await agedPatient(app, 89),
      await agedPatient(app, 89),
      await agedPatient(app, 20),
    ];
    const as = await binder(app);
    await app.ok(bindMark, { markIds: [markId], objectType: 'PATIENT', objectIds: [manual] }, { as });
    await published(app, id);
    await app.ok(bindMark, { markIds: [markId], objectType: 'PATIENT', objectIds: [confirmed] }, { as });
    for (const one of [leaves, confirmed]) await ageTo(app, one, 30);
    await night();
    expect(await liveOn(app, markId)).toEqual([
      [stays, 'RULE'],
      [confirmed, 'MANUAL'],
      [manual, 'MANUAL'],
    ]);
    expect((await runsOf(app, id))[0]).toMatchObject({ kind: 'RUN', state: 'DONE', added: 0, removed: 1 });
  });

  it('does not put back for 30 days what somebody took away', async () => {
    const { id, markId } = await makeRule(app, 88);
    const patientId = await agedPatient(app, 88);
    await published(app, id);
    await app.ok(unbindMark, { markIds: [markId], objectType: 'PATIENT', objectIds: [patientId] }, { as: await binder(app) });
    await night();
    expect(await liveOn(app, markId)).toEqual([]);
    await app.advance(days(28), ['content']);
    expect(await liveOn(app, markId)).toEqual([]);
    await ageTo(app, patientId, 88);
    await app.advance(days(2), ['content']);
    expect(await liveOn(app, markId)).toEqual([[patientId, 'RULE']]);
  });

  it('that is far from its dry run is aborted and changes nothing', async () => {
    const { id, markId } = await makeRule(app, 87);
    await tried(app, id);
    for (let n = 0; n < 11; n += 1) await agedPatient(app, 87);
    await app.ok(publishMarkRule, { id, version: 1 }, { as: await supervisor(app) });
    await app.runDue();
    expect((await runsOf(app, id))[0]).toMatchObject({
      state: 'ABORTED',
      toAdd: 11,
      added: 0,
      fault: '待变更数量与试运行差异过大，已中止',
    });
    expect(await liveOn(app, markId)).toEqual([]);
    await tried(app, id);
    await app.ok(operateMarkRule, { id, version: 2, action: 'run' }, { as: await ruler(app) });
    await app.runDue();
    expect(await liveOn(app, markId)).toHaveLength(11);
  });

  it('leaves the choice of people in a group of single choice, and takes the place of another rule', async () => {
    const group = await makeGroup(app, { objectType: 'PATIENT', selectMode: 'SINGLE' });
    const [first, second] = [await makeMark(app, group), await makeMark(app, group)];
    const [chosen, free] = [await agedPatient(app, 86), await agedPatient(app, 86)];
    const as = await binder(app);
    await app.ok(bindMark, { markIds: [first], objectType: 'PATIENT', objectIds: [chosen] }, { as });
    const one = await makeRule(app, 86, { markId: first, schedule: 'ONCE' });
    await published(app, one.id);
    expect(await ruleNow(app, one.id)).toMatchObject({ state: 'ENDED', lastAdded: 1 });
    const other = await makeRule(app, 86, { markId: second, schedule: 'ONCE' });
    await published(app, other.id);
    expect(await liveOn(app, first)).toEqual([[chosen, 'MANUAL']]);
    expect(await liveOn(app, second)).toEqual([[free, 'RULE']]);
  });

  it('follows events where the rule says so', async () => {
    const { id, markId } = await makeRule(app, 85, { schedule: 'EVENT' });
    await published(app, id);
    const patientId = await agedPatient(app, 85);
    await night();
    expect(await liveOn(app, markId)).toEqual([]);
    const tell = () => publishAndDeliver(app, realNameChanged, patientId, { patientId, state: 'VERIFIED', idType: null, idNoHash: null });
    await tell();
    await app.runDue();
    expect(await liveOn(app, markId)).toEqual([[patientId, 'RULE']]);
    await ageTo(app, patientId, 40);
    await tell();
    await app.runDue();
    expect(await liveOn(app, markId)).toEqual([]);
  });

  it('that fails says so, and is done again', async () => {
    const { id, markId } = await makeRule(app, 84);
    await agedPatient(app, 84);
    await sql`update content_mark_rule set conditions = '[{}]' where id = ${id}`.execute(app.db);
    await app.ok(dryRunMarkRule, { ruleId: id }, { as: await ruler(app) });
    await app.runDue().catch(() => {});
    await sql`update content_mark_rule set conditions = ${JSON.stringify(ofAge(84))}::jsonb where id = ${id}`.execute(app.db);
    expect((await runsOf(app, id))[0]).toMatchObject({ state: 'FAILED', fault: '执行时发生错误，将自动重试' });
    await app.advance(hours(1));
    expect((await runsOf(app, id))[0]).toMatchObject({ seq: 1, state: 'DONE', toAdd: 1 });
    expect(await liveOn(app, markId)).toEqual([]);
  });

  it('and a person who chooses another mark of the group at the same time leave one, and his choice wins', async () => {
    const group = await makeGroup(app, { objectType: 'PATIENT', selectMode: 'SINGLE' });
    const [byRule, byHand] = [await makeMark(app, group), await makeMark(app, group)];
    const people = await Promise.all(Array.from({ length: 8 }, () => agedPatient(app, 83)));
    const { id } = await makeRule(app, 83, { markId: byRule });
    await tried(app, id);
    await app.ok(publishMarkRule, { id, version: 1 }, { as: await supervisor(app) });
    const as = await binder(app);
    await Promise.all([
      app.runDue(),
      ...people.map((one) => app.ok(bindMark, { markIds: [byHand], objectType: 'PATIENT', objectIds: [one] }, { as })),
    ]);
    expect(await liveOn(app, byRule)).toEqual([]);
    expect((await liveOn(app, byHand)).map(([objectId]) => objectId).toSorted()).toEqual(people.toSorted());
  });
});
