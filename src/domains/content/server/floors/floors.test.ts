import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';
import { addFloor, copyFloor, delFloor, modifyFloor, sortFloor } from '../../contract/floors/calls.ts';
import { draft, editor, icons, makeFloor } from '../testing/floors.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('floors of a draft', () => {
  it('refuse three icons, foreign types, times that end before they start, and things that are none', async () => {
    const as = await editor(app);
    const { version } = await draft(app, 'DR_HOME');
    const add = (more: object) => app.refused(addFloor, { pageCode: 'DR_HOME', version, floorName: '楼层', ...more }, { as });
    expect(await add({ floorType: 'ICON_GRID', items: icons(3) })).toMatchObject({ code: 'SCM04015', message: '金刚区须为4至10个图标' });
    expect(await add({ floorType: 'RIGHTS' })).toMatchObject({ fields: [{ path: 'floorType', message: '该页面不支持此类楼层' }] });
    expect(await add({ floorType: 'AD', items: [{ title: '广告' }] })).toMatchObject({ fields: [{ path: 'items' }] });
    expect(await add({ floorType: 'NOTICE', items: [{ title: '跳转', link: 'javascript:alert(1)' }] })).toMatchObject({ code: 'SCM90020' });
    expect(await add({ floorType: 'NOTICE', startAt: '2026-12-02T00:00:00Z', endAt: '2026-12-01T00:00:00Z' })).toMatchObject({
      fields: [{ path: 'endAt', message: '结束时间须晚于开始时间' }],
    });
    expect(await add({ floorType: 'GOODS', items: [{ objectNo: 'MD-NONE' }] })).toMatchObject({
      fields: [{ path: 'items.0.objectNo', message: '对象不存在' }],
    });
    await app.ok(addFloor, { pageCode: 'DR_HOME', version, floorName: '金刚区', floorType: 'ICON_GRID', items: icons(4) }, { as });
  });

  it('are 20 at most', async () => {
    const as = await editor(app);
    for (let n = 0; n < 20; n += 1) await makeFloor(app, 'MP_CONSULT');
    const { version, floors } = await draft(app, 'MP_CONSULT');
    const refusal = { code: 'SCM04014', message: '楼层数量超过上限（20）' };
    expect(
      await app.refused(addFloor, { pageCode: 'MP_CONSULT', version, floorName: '第21层', floorType: 'NOTICE' }, { as }),
    ).toMatchObject(refusal);
    expect(await app.refused(copyFloor, { id: floors[0]!.id, version }, { as })).toMatchObject(refusal);
  });

  it('name to the second of two editors the floor that the first one saved', async () => {
    const { id, version } = await makeFloor(app, 'MP_MALL', { floorName: '热销药品' });
    const [one, other] = [await editor(app), await editor(app)];
    await app.ok(modifyFloor, { id, version, floorName: '热销好药' }, { as: one });
    const second = await app.refused(modifyFloor, { id, version, floorName: '热销' }, { as: other });
    expect(second).toMatchObject({
      code: 'SCM90030',
      data: { current: { version: version + 1, changedFloors: [{ floorName: '热销好药' }] } },
    });
    const racing = await Promise.all(
      ['一', '二', '三', '四'].map((floorName) => app.send(modifyFloor, { id, version: version + 1, floorName }, { as: one })),
    );
    expect(racing.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM90030', 'SCM90030', 'SCM90030']);
  });

  it('are copied below themselves, sorted as a whole and removed', async () => {
    const as = await editor(app);
    await makeFloor(app, 'MP_RIGHTS', { floorName: '甲' });
    await makeFloor(app, 'MP_RIGHTS', { floorName: '乙' });
    const names = async () => (await draft(app, 'MP_RIGHTS')).floors.map(({ floorName }) => floorName);
    const first = await draft(app, 'MP_RIGHTS');
    const copy = await app.ok(copyFloor, { id: first.floors[0]!.id, version: first.version }, { as });
    expect(await names()).toEqual(['甲', '甲', '乙']);
    const { floors } = await draft(app, 'MP_RIGHTS');
    const ids = floors.map(({ id }) => id).toReversed();
    expect(await app.refused(sortFloor, { pageCode: 'MP_RIGHTS', version: copy.version, ids: ids.slice(1) }, { as })).toMatchObject({
      fields: [{ path: 'ids', message: '请包含页面的全部楼层' }],
    });
    const sorted = await app.ok(sortFloor, { pageCode: 'MP_RIGHTS', version: copy.version, ids }, { as });
    expect(await names()).toEqual(['乙', '甲', '甲']);
    await app.ok(delFloor, { id: copy.id, version: sorted.version }, { as });
    expect(await names()).toEqual(['乙', '甲']);
  });

  it('are limited by the database too', async () => {
    const write = sql`insert into content_floor (floor_key, page_code, floor_name, floor_type, layout, sort_no, changed_in, created_at, updated_at)
      select 'k' || n, 'DR_EARNING', '楼层', 'NOTICE', 'ONE', n, 1, now(), now() from generate_series(1, 21) n`;
    await expect(write.execute(app.db)).rejects.toThrow('a page has at most 20 floors');
  });
});
