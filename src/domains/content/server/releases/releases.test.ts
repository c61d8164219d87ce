import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { modifyFloor, queryClientPageList } from '../../contract/floors/calls.ts';
import type { PageCode } from '../../contract/floors/clientPages.ts';
import { queryPageContent } from '../../contract/delivery/calls.ts';
import { auditPage, previewPage, queryPageReleaseDiff, queryPageReleaseList } from '../../contract/releases/calls.ts';
import { auditor, draft, editor, makeFloor, makeLive, makeRelease } from '../testing/floors.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const releases = async (pageCode: PageCode) => app.ok(queryPageReleaseList, { pageCode }, { as: await editor(app) });
const statesOf = async (pageCode: PageCode) => (await releases(pageCode)).map(({ seq, state }) => [seq, state]);

describe('a release', () => {
  it('is refused of an empty page, with an empty floor, a second time, and by its own submitter', async () => {
    const as = await app.staff({ permissions: ['content.content.view', 'content.page.edit', 'content.page.audit'] });
    const submit = () => app.refused(auditPage, { pageCode: 'MP_HOME', action: 'submit' }, { as });
    expect(await submit()).toMatchObject({ code: 'SCM04010', message: '页面没有任何楼层' });
    const { id, version } = await makeFloor(app, 'MP_HOME', { floorName: '空楼层', items: [], hideWhenEmpty: false });
    expect(await submit()).toMatchObject({ code: 'SCM04011', message: '楼层空楼层没有内容' });
    const filled = await app.ok(modifyFloor, { id, version, floorName: '公告', items: [{ title: '公告' }] }, { as });
    const release = await app.ok(auditPage, { pageCode: 'MP_HOME', action: 'submit' }, { as });
    expect(release).toMatchObject({ seq: 1, state: 'AUDITING' });
    expect(await submit()).toMatchObject({ code: 'SCM04013', message: '该页面已有待审核的版本' });
    const approve = { pageCode: 'MP_HOME' as const, action: 'approve' as const, releaseId: release.id };
    expect(await app.refused(auditPage, approve, { as })).toMatchObject({ code: 'SCM04006', message: '提交人与审核人不能为同一人' });
    await app.ok(modifyFloor, { ...filled, floorName: '改过的公告' }, { as });
    const other = await auditor(app);
    expect(await app.refused(auditPage, approve, { as: other })).toMatchObject({
      code: 'SCM04012',
      message: '草稿与待审核版本不一致，请重新提交',
    });
    expect(await app.refused(auditPage, { ...approve, action: 'reject' }, { as: other })).toMatchObject({ fields: [{ path: 'opinion' }] });
    await app.ok(auditPage, { ...approve, action: 'reject', opinion: '请重新提交' }, { as: other });
    expect(await app.refused(auditPage, approve, { as: other })).toMatchObject({ code: 'SCM90031' });
  });

  it('needs the right of its action', async () => {
    const [edits, audits] = [await editor(app), await auditor(app)];
    expect(await app.refused(auditPage, { pageCode: 'MP_MALL', action: 'submit' }, { as: audits })).toMatchObject({ code: 'SCM90010' });
    const { id } = await makeRelease(app, 'MP_MALL');
    const approve = { pageCode: 'MP_MALL' as const, action: 'approve' as const, releaseId: id };
    expect(await app.refused(auditPage, approve, { as: edits })).toMatchObject({ code: 'SCM90010' });
    expect(await app.refused(auditPage, { ...approve, pageCode: 'MP_HOME' }, { as: audits })).toMatchObject({ code: 'SCM90040' });
  });

  it('waits for its time, takes the place of the one before, and a rollback restores that', async () => {
    const pageCode = 'ST_HOME' as const;
    const first = await makeLive(app, pageCode);
    await makeFloor(app, pageCode, { floorName: '新公告' });
    const second = await makeRelease(app, pageCode, plusMs(app.clock.now(), days(1)));
    const approve = { pageCode, action: 'approve' as const, releaseId: second.id };
    expect(await app.ok(auditPage, approve, { as: await auditor(app) })).toMatchObject({ state: 'SCHEDULED' });
    expect(await statesOf(pageCode)).toEqual([
      [2, 'SCHEDULED'],
      [1, 'LIVE'],
    ]);
    const [, before] = await releases(pageCode);
    // What clients see follows the release, without the floors and things that are left out.
    const shown = async () => app.ok(queryPageContent, { pageCode }, {});
    expect(await shown()).toMatchObject({ seq: 1, floors: [{ floorType: 'NOTICE' }] });
    await app.advance(days(1));
    await app.runDue();
    expect((await shown()).seq).toBe(2);
    expect((await shown()).floors).toHaveLength(2);
    const as = await auditor(app);
    expect(await statesOf(pageCode)).toEqual([
      [2, 'LIVE'],
      [1, 'SUPERSEDED'],
    ]);
    expect(await app.ok(queryPageReleaseDiff, { pageCode, from: first.id, to: second.id }, { as })).toMatchObject([
      { floorName: '新公告', change: 'ADDED' },
    ]);
    const rollback = { pageCode, action: 'rollback' as const, releaseId: first.id };
    expect(await app.refused(auditPage, rollback, { as })).toMatchObject({ fields: [{ path: 'opinion', message: '请填写意见' }] });
    await app.ok(auditPage, { ...rollback, opinion: '金刚区图标有误' }, { as });
    expect((await releases(pageCode)).map(({ seq, state, contentHash }) => [seq, state, contentHash === before!.contentHash])).toEqual([
      [2, 'SUPERSEDED', false],
      [1, 'LIVE', true],
    ]);
    const pages = await app.ok(queryClientPageList, {}, { as });
    expect(pages.find((page) => page.pageCode === pageCode)).toMatchObject({ liveFloors: 1, auditing: false });
    const { rows } = await sql<{ seq: number }>`
      select (payload->>'seq')::int as seq
        from kernel_outbox
        where name = 'content.page.released' and payload->>'pageCode' = ${pageCode}
        order by id`.execute(app.db);
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 1]);
  });

  it('of those that roll back at once leaves exactly one live', async () => {
    const pageCode = 'DR_EARNING' as const;
    const made: string[] = [];
    for (const floorName of ['一', '二', '三']) {
      await makeFloor(app, pageCode, { floorName });
      made.push((await makeLive(app, pageCode)).id);
    }
    const as = await auditor(app);
    await Promise.all(
      made.slice(0, 2).map((releaseId) => app.send(auditPage, { pageCode, action: 'rollback', releaseId, opinion: '回滚到旧版' }, { as })),
    );
    expect((await statesOf(pageCode)).filter(([, state]) => state === 'LIVE')).toHaveLength(1);
  });

  it('is cancelled before its time, and never changes or disappears in the database', async () => {
    const pageCode = 'MP_RIGHTS' as const;
    const { id } = await makeRelease(app, pageCode, plusMs(app.clock.now(), days(2)));
    const as = await auditor(app);
    await app.ok(auditPage, { pageCode, action: 'approve', releaseId: id }, { as });
    expect(await app.ok(auditPage, { pageCode, action: 'cancel', releaseId: id }, { as })).toMatchObject({ state: 'CANCELLED' });
    await expect(sql`update content_page_release set snapshot = '[1]' where id = ${id}`.execute(app.db)).rejects.toThrow('does not change');
    await expect(sql`update content_page_release set state = 'LIVE' where id = ${id}`.execute(app.db)).rejects.toThrow('stays ended');
    await expect(sql`delete from content_page_release where id = ${id}`.execute(app.db)).rejects.toThrow('never deleted');
  });
});

describe('the preview', () => {
  it('names why a floor is left out at a time, and writes nothing', async () => {
    const pageCode = 'MP_CONSULT' as const;
    const startAt = plusMs(app.clock.now(), days(3));
    await makeFloor(app, pageCode, { floorName: '三天后', startAt });
    const as = await editor(app);
    const version = (await draft(app, pageCode)).version;
    expect(await app.ok(previewPage, { pageCode }, { as })).toMatchObject({ floors: [{ floorName: '三天后', reason: 'NOT_YET' }] });
    expect(await app.ok(previewPage, { pageCode, at: startAt }, { as })).toMatchObject({ floors: [{ reason: null }] });
    expect(await app.ok(previewPage, { pageCode, source: 'LIVE' }, { as })).toMatchObject({ floors: [] });
    const { id } = await makeRelease(app, pageCode);
    expect(await app.ok(previewPage, { pageCode, source: id }, { as })).toMatchObject({ floors: [{ reason: 'NOT_YET' }] });
    expect((await draft(app, pageCode)).version).toBe(version);
    await app.ok(auditPage, { pageCode, action: 'approve', releaseId: id }, { as: await auditor(app) });
    expect(await app.ok(queryPageContent, { pageCode }, {})).toMatchObject({ pageCode, seq: 1, floors: [] });
    expect(await app.refused(queryPageContent, { pageCode: 'NOBODY' }, {})).toMatchObject({ code: 'SCM90040' });
  });
});
