import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patientCancelled, patientMerged, patientUnmerged } from '#events/patient.ts';
import { days, hours, plusMs } from '#kernel/contract/time.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { makePatient } from '#domains/patient/server/testing/fixtures.ts';
import {
  bindMark,
  exportMarkBindingList,
  queryMarkObjectList,
  queryObjectMark,
  unbindMark,
} from '../../../contract/marks/calls/bindings.ts';
import { type addTagGroup, queryTagGroupList } from '../../../contract/marks/calls/groups.ts';
import { mergeMark, modifyMark } from '../../../contract/marks/calls/marks.ts';
import { binder, carrying, fresh, keeper, makeGroup, makeMark, makeObject } from '../../testing/marks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const channels = (more: Partial<InputOf<typeof addTagGroup>> = {}) => makeGroup(app, { objectType: 'CHANNEL', ...more });
const put = async (markIds: string[], objectIds: string[], more: Partial<InputOf<typeof bindMark>> = {}) =>
  app.ok(bindMark, { markIds, objectType: 'CHANNEL', objectIds, ...more }, { as: await binder(app) });
const marksOn = async (objectId: string) =>
  (await app.ok(queryObjectMark, { objectType: 'CHANNEL', objectIds: [objectId] }, { as: await binder(app) }))[0]?.marks.map(
    ({ markId }) => markId,
  );
const history = async (objectId: string) =>
  (
    await sql<{
      markId: string;
      endReason: string | null;
      source: string;
    }>`select mark_id::text, end_reason, source from content_mark_binding where object_id = ${objectId} order by id`.execute(app.db)
  ).rows;

describe('marks are put on things', () => {
  it('only by who may, within groups that allow it, while they are in use', async () => {
    const object = await makeObject(app);
    const mark = await makeMark(app, await channels());
    const input = { markIds: [mark], objectType: 'CHANNEL' as const, objectIds: [object] };
    const viewer = await app.staff({ permissions: ['content.content.view'] });
    expect(await app.refused(bindMark, input, { as: viewer })).toMatchObject({ code: 'SCM90010' });
    const as = await binder(app);
    const closed = await makeMark(app, await channels({ manualAllowed: false }));
    expect(await app.refused(bindMark, { ...input, markIds: [closed] }, { as })).toMatchObject({
      code: 'SCM04035',
      message: '该标签组不允许手工打标',
    });
    expect(await app.refused(bindMark, { ...input, objectType: 'DOCTOR' }, { as })).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(bindMark, { ...input, expireAt: plusMs(app.clock.now(), -1) }, { as })).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(bindMark, { ...input, objectIds: [] }, { as })).toMatchObject({ code: 'SCM90020' });
    await app.ok(modifyMark, { id: mark, version: 1, markName: fresh('停'), state: 'DISABLED' }, { as: await keeper(app) });
    expect(await app.refused(bindMark, input, { as })).toMatchObject({ code: 'SCM90020' });
  });

  it('row by row: what does not exist is told, the rest is done, and twice is once', async () => {
    const object = await makeObject(app);
    const mark = await makeMark(app, await channels());
    const outcomes = await put([mark], ['999999999', object], { objectNos: ['NO-SUCH'] });
    expect(outcomes.map(({ objectId, ok, code, message }) => [objectId, ok, code, message])).toEqual([
      [null, false, 'SCM04036', '对象不存在'],
      [object, true, null, ''],
      [null, false, 'SCM04036', '对象不存在'],
    ]);
    await put([mark], [object]);
    expect(await history(object)).toHaveLength(1);
    const { rows } = await sql<{ no: string }>`select channel_no as no from channel_channel where id = ${object}`.execute(app.db);
    expect(await put([mark], [], { objectNos: [rows[0]!.no.toLowerCase()] })).toMatchObject([{ objectId: object, ok: true }]);
    expect(await history(object)).toHaveLength(1);
  });

  it('up to the number that the group allows', async () => {
    const object = await makeObject(app);
    const group = await channels({ maxPerObject: 2 });
    const [a, b, c] = [await makeMark(app, group), await makeMark(app, group), await makeMark(app, group)];
    expect(await put([a, b], [object])).toMatchObject([{ ok: true }]);
    expect(await put([c], [object])).toMatchObject([{ ok: false, code: 'SCM04037', message: '超过该组标签数量上限（2）' }]);
    expect(await put([a], [object])).toMatchObject([{ ok: true }]);
  });

  it('one at a time in a group of single choice, also when two come at once', async () => {
    const object = await makeObject(app);
    const group = await channels({ selectMode: 'SINGLE' });
    const [a, b] = [await makeMark(app, group), await makeMark(app, group)];
    const as = await binder(app);
    expect(await app.refused(bindMark, { markIds: [a, b], objectType: 'CHANNEL', objectIds: [object] }, { as })).toMatchObject({
      code: 'SCM90020',
    });
    await put([a], [object]);
    expect(await put([b], [object])).toMatchObject([{ ok: true, replaced: 1 }]);
    expect(await history(object)).toMatchObject([
      { markId: a, endReason: 'REPLACED' },
      { markId: b, endReason: null },
    ]);
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        app.ok(bindMark, { markIds: [index % 2 ? a : b], objectType: 'CHANNEL', objectIds: [object] }, { as }),
      ),
    );
    expect((await history(object)).filter(({ endReason }) => endReason === null)).toHaveLength(1);
    expect(await marksOn(object)).toHaveLength(1);
  });

  it('once when many come at once, and the count of objects holds', async () => {
    const objects = await Promise.all(Array.from({ length: 4 }, () => makeObject(app)));
    const group = await channels();
    const mark = await makeMark(app, group);
    const as = await binder(app);
    await Promise.all(
      Array.from({ length: 10 }, () => app.ok(bindMark, { markIds: [mark], objectType: 'CHANNEL', objectIds: objects }, { as })),
    );
    const groups = await app.ok(queryTagGroupList, { objectType: 'CHANNEL' }, { as: await keeper(app) });
    expect(groups.find(({ id }) => id === group)?.marks[0]?.objectCount).toBe(4);
  });

  it('by hand over a rule turns it into a mark of that person', async () => {
    const object = await makeObject(app);
    const mark = await makeMark(app, await channels());
    await put([mark], [object]);
    await sql`update content_mark_binding set source = 'RULE' where object_id = ${object}`.execute(app.db);
    await put([mark], [object]);
    expect(await history(object)).toMatchObject([{ source: 'MANUAL', endReason: null }]);
  });

  it('and taken away again, as often as one asks', async () => {
    const object = await makeObject(app);
    const mark = await makeMark(app, await channels());
    await put([mark], [object]);
    const as = await binder(app);
    const input = { markIds: [mark], objectType: 'CHANNEL' as const, objectIds: [object, '999999999'] };
    expect(await app.ok(unbindMark, input, { as })).toMatchObject([
      { ok: true, replaced: 1 },
      { ok: false, code: 'SCM04036' },
    ]);
    expect(await app.ok(unbindMark, input, { as })).toMatchObject([{ ok: true, replaced: 0 }, { ok: false }]);
    expect(await history(object)).toMatchObject([{ endReason: 'MANUAL' }]);
  });

  it('until their time is over, which the mark may say', async () => {
    const object = await makeObject(app);
    const group = await channels();
    const mark = await makeMark(app, group, { defaultDays: 2 });
    await put([mark], [object]);
    app.clock.set(plusMs(app.clock.now(), days(2) + hours(1)));
    expect(await marksOn(object)).toEqual([]);
    await app.advance(hours(1));
    await app.runDue();
    expect(await history(object)).toMatchObject([{ endReason: 'EXPIRED' }]);
  });
});

describe('what carries marks', () => {
  it('is listed with its label and page, live or over, and exported', async () => {
    const mark = await carrying(app);
    const as = await app.staff({ permissions: ['content.content.view', 'content.content.export'] });
    const { rows } = await app.ok(queryMarkObjectList, { markId: mark, live: true }, { as });
    expect(rows).toMatchObject([{ markId: mark, source: 'MANUAL', endedAt: null, link: { path: '/channelManagement' } }]);
    const name = rows[0]!.objectName!;
    expect((await app.ok(queryMarkObjectList, { keyword: name, markId: mark }, { as })).rows).toHaveLength(1);
    expect((await app.ok(queryMarkObjectList, { keyword: '没有这样的对象', markId: mark }, { as })).rows).toHaveLength(0);
    const sheet = await app.file(exportMarkBindingList, { markId: mark }, { as });
    expect(sheet.body.length).toBeGreaterThan(100);
  });

  it('is exported at once up to 5,000 rows, beyond that by the download centre (acceptance 23)', async () => {
    const [few, many] = [await carrying(app), await carrying(app)];
    // Ended ones count as well: a mark that came and went.
    for (const [mark, rows] of [
      [few, 299],
      [many, 5_999],
    ] as const)
      await sql`
        insert into content_mark_binding (mark_id, group_id, object_type, select_mode, object_id, source, bound_at, ended_at, end_reason)
          select b.mark_id, b.group_id, b.object_type, b.select_mode, b.object_id, 'MANUAL', b.bound_at - n * interval '1 minute',
              b.bound_at, 'MANUAL'
            from content_mark_binding b, generate_series(1, ${rows}::int) n
            where b.mark_id = ${mark}`.execute(app.db);
    const as = await app.staff({ permissions: ['content.content.view', 'content.content.export'] });
    const blob = await app.send(exportMarkBindingList, { markId: few, format: 'CSV' }, { as });
    expect(blob.file?.toString('utf8').trim().split('\n').length).toBeGreaterThanOrEqual(301);
    const task = await app.send(exportMarkBindingList, { markId: many }, { as });
    expect(task.file).toBeNull();
    expect(task.envelope.data).toMatchObject({ taskNo: expect.stringMatching(/^DC\d+$/), rowsTotal: 6_000 });
  });

  it('keeps medical marks of patients from who may not see them', async () => {
    const group = await makeGroup(app, { objectType: 'PATIENT', sensitive: true });
    const mark = await makeMark(app, group);
    const { id } = await makePatient(app);
    await app.ok(bindMark, { markIds: [mark], objectType: 'PATIENT', objectIds: [id] }, { as: await binder(app) });
    const plain = await app.staff({ permissions: ['content.content.view', 'content.mark.bind'] });
    expect((await app.ok(queryMarkObjectList, { markId: mark }, { as: plain })).rows).toHaveLength(0);
    expect((await app.ok(queryMarkObjectList, { markId: mark }, { as: await binder(app) })).rows).toHaveLength(1);
    const input = { markIds: [mark], objectType: 'PATIENT' as const, objectIds: [id] };
    expect(await app.refused(unbindMark, input, { as: plain })).toMatchObject({ code: 'SCM90040' });
  });

  it('follows records of persons that are merged, taken apart and cancelled', async () => {
    const single = await makeGroup(app, { objectType: 'PATIENT', selectMode: 'SINGLE' });
    const multi = await makeGroup(app, { objectType: 'PATIENT' });
    const [a, b, c] = [await makeMark(app, single), await makeMark(app, single), await makeMark(app, multi)];
    for (const [mark, group, mode, person] of [
      [a, single, 'SINGLE', 501],
      [c, multi, 'MULTI', 501],
      [b, single, 'SINGLE', 502],
    ] as const) {
      await sql`insert into content_mark_binding (mark_id, group_id, object_type, select_mode, object_id, source, bound_at)
        values (${mark}, ${group}, 'PATIENT', ${mode}, ${person}, 'MANUAL', ${app.clock.now()})`.execute(app.db);
    }
    const live = async (person: string) =>
      (await history(person)).filter(({ endReason }) => endReason === null).map(({ markId }) => markId);
    const tell = async (work: Parameters<typeof app.kernel.transactions.run<void>>[1]) => {
      await app.kernel.transactions.run('test', work);
      await app.runDue();
    };
    await tell(({ publish }) => publish(patientMerged, '501', { fromId: '501', intoId: '502' }));
    expect(await live('501')).toEqual([]);
    expect(await live('502')).toEqual([b, c]);
    await tell(({ publish }) => publish(patientUnmerged, '501', { fromId: '501', intoId: '502' }));
    expect((await live('501')).toSorted()).toEqual([a, c].toSorted());
    await tell(({ publish }) => publish(patientCancelled, '501', { patientId: '501', on: '2026-11-23' }));
    expect(await live('501')).toEqual([]);
  });

  it('is told to who keeps copies: a merged mark leaves and the other comes', async () => {
    const group = await channels();
    const [from, into] = [await makeMark(app, group), await makeMark(app, group)];
    const object = await makeObject(app);
    await put([from], [object]);
    await app.ok(mergeMark, { fromId: from, version: 1, intoId: into }, { as: await keeper(app) });
    const { rows } = await sql<{ name: string; markId: string }>`
      select name, payload->>'markId' as mark_id
        from kernel_outbox
        where payload->>'objectId' = ${object} and payload->>'objectType' = 'CHANNEL'
        order by id`.execute(app.db);
    expect(rows.map(({ name, markId }) => [name, markId])).toEqual([
      ['content.mark.bound', from],
      ['content.mark.unbound', from],
      ['content.mark.bound', into],
    ]);
  });
});
