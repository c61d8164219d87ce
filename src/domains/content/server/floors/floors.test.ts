import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addFloor, copyFloor, delFloor, modifyFloor, restorePageLayout, sortFloor } from '../../contract/floors/calls.ts';
import { makeDoctor } from '#domains/doctor/server/testing/doctors.ts';
import { bindMark } from '../../contract/marks/calls/bindings.ts';
import { previewPage } from '../../contract/releases/calls.ts';
import { picture } from '../testing/deliveries.ts';
import { draft, editor, icons, makeFloor } from '../testing/floors.ts';
import { binder, makeGroup, makeMark } from '../testing/marks.ts';

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
    const places = '须为以/开头的小程序页面，或以下域名的https网页：mp.weixin.qq.com、';
    for (const link of ['javascript:alert(1)', 'https://evil.example.com/a', '//evil.example.com/a', 'http://www.kangqiao.com/a'])
      expect(await add({ floorType: 'NOTICE', moreLink: link, items: [{ title: '跳转', link }] })).toMatchObject({
        code: 'SCM90020',
        fields: [
          { path: 'moreLink', message: expect.stringContaining(`更多跳转${places}`) },
          { path: 'items.0.link', message: expect.stringContaining(`跳转${places}`) },
        ],
      });
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

  it('choose by marks what they show, in the order asked for, and only where that is possible', async () => {
    const as = await editor(app);
    const groupId = await makeGroup(app, { objectType: 'DOCTOR' });
    const markId = await makeMark(app, groupId);
    const { version } = await draft(app, 'MP_DRUG_DETAIL');
    const add = (more: object) =>
      app.refused(addFloor, { pageCode: 'MP_DRUG_DETAIL', version, floorName: '推荐医生', dataMode: 'RULE', ...more }, { as });
    expect(await add({ floorType: 'NOTICE', rule: { marksAny: [markId] } })).toMatchObject({ fields: [{ path: 'dataMode' }] });
    expect(await add({ floorType: 'DOCTOR', rule: {} })).toMatchObject({ fields: [{ path: 'rule.marksAny', message: '请选择标签' }] });
    expect(await add({ floorType: 'DOCTOR', rule: { marksAny: [markId], sort: 'PRICE' } })).toMatchObject({
      fields: [{ path: 'rule.sort' }],
    });
    expect(await add({ floorType: 'GOODS', rule: { marksAny: [markId] } })).toMatchObject({ fields: [{ path: 'rule.marksAny' }] });
    const floor = { pageCode: 'MP_DRUG_DETAIL' as const, version, floorType: 'DOCTOR' as const, floorName: '推荐医生' };
    await app.ok(addFloor, { ...floor, dataMode: 'RULE', rule: { marksAny: [markId], sort: 'SERVED', limit: 2 } }, { as });
    const doctors: string[] = [];
    for (let n = 0; n < 3; n += 1) doctors.push((await makeDoctor(app)).doctorId);
    await app.ok(bindMark, { markIds: [markId], objectType: 'DOCTOR', objectIds: doctors }, { as: await binder(app) });
    const { floors } = await app.ok(previewPage, { pageCode: 'MP_DRUG_DETAIL' }, { as });
    // Nobody of them may practise yet.
    expect(floors[0]?.items.map(({ objectId, reason }) => [objectId, reason])).toEqual([]);
    expect(floors[0]?.reason).toBe('EMPTY');
    await sql`
      update doctor_doctor
        set qual_state = 'APPROVED', account_state = 'NORMAL', practice_ok = true
        where id = any(${doctors}::bigint[])`.execute(app.db);
    const seen = (await app.ok(previewPage, { pageCode: 'MP_DRUG_DETAIL' }, { as })).floors[0];
    expect(seen?.items).toHaveLength(2);
    expect(seen?.items.every(({ objectId, reason }) => reason === null && doctors.includes(objectId ?? ''))).toBe(true);
  });

  it('go back as a whole to what they were, by the keys of the editor', async () => {
    const as = await editor(app);
    const file = await picture(app, as, 'MP_HOME_BANNER');
    const { version: now } = await draft(app, 'DR_HOME');
    const items = [{ title: '指南', imageFileId: file }];
    await app.ok(addFloor, { pageCode: 'DR_HOME', version: now, floorName: '指南', floorType: 'IMAGE', items }, { as });
    const before = await draft(app, 'DR_HOME');
    expect(before.floors.at(-1)?.imageUrls[0]).toMatch(/^\/files\/get\//);
    const state = before.floors.map(({ id: _id, imageUrls: _urls, audience: { testIds: _ids, ...audience }, items, ...floor }) => ({
      ...floor,
      audience,
      items: items.map(({ objectId: _object, ...item }) => item),
    }));
    const { version } = await app.ok(delFloor, { id: before.floors.at(-1)!.id, version: before.version }, { as });
    expect(await app.refused(restorePageLayout, { pageCode: 'DR_HOME', version: before.version, floors: state }, { as })).toMatchObject({
      code: 'SCM90030',
    });
    expect(await app.refused(restorePageLayout, { pageCode: 'MP_HOME', version: 1, floors: state }, { as })).toMatchObject({
      fields: [{ path: 'floors', message: '楼层属于其他页面' }],
    });
    await app.ok(restorePageLayout, { pageCode: 'DR_HOME', version, floors: state }, { as });
    const after = (await draft(app, 'DR_HOME')).floors;
    expect(after.map(({ floorKey, floorName }) => [floorKey, floorName])).toEqual(
      before.floors.map(({ floorKey, floorName }) => [floorKey, floorName]),
    );
    expect(after.at(-1)?.items[0]?.imageFileId).toBe(file);
  });

  it('are limited by the database too', async () => {
    const write = sql`
      insert into content_floor (floor_key, page_code, floor_name, floor_type, layout, sort_no, changed_in, created_at, updated_at)
        select 'k' || n, 'DR_EARNING', '楼层', 'NOTICE', 'ONE', n, 1, now(), now()
          from generate_series(1, 21) n`;
    await expect(write.execute(app.db)).rejects.toThrow('a page has at most 20 floors');
  });
});
