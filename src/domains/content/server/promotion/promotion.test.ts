import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryMedicineList } from '#domains/pharma/contract/calls/medicines.ts';
import { bindMark } from '../../contract/marks/calls/bindings.ts';
import { exportMarkList, modifyTagGroup, queryTagGroupList } from '../../contract/marks/calls/groups.ts';
import { addMark, delMark, modifyMark } from '../../contract/marks/calls/marks.ts';
import {
  addPromotionTag,
  delPromotionTag,
  modifyPromotionTag,
  previewPromotionTag,
  queryPromotionTagList,
  sortPromotionTag,
} from '../../contract/promotion/calls.ts';
import { binder, fresh, keeper, makeGroup, makeMark } from '../testing/marks.ts';
import { makeMedicine, makePromotionGroup, makeTag, tagFields } from '../testing/promotion.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const put = async (markIds: string[], medicineId: string) =>
  app.ok(bindMark, { markIds, objectType: 'MEDICINE', objectIds: [medicineId] }, { as: await binder(app) });
const cardOf = async (medicineId: string) => {
  const card = await app.ok(previewPromotionTag, { medicineId }, { as: await keeper(app) });
  return { shown: card.shown.map(({ id }) => id), hidden: card.hidden.map(({ tag, reason }) => [tag.id, reason]) };
};

describe('promotion tags', () => {
  it('are at most six letters, without words that advertising law forbids', async () => {
    const as = await keeper(app);
    const groupId = await makePromotionGroup(app);
    const send = (more: object) => app.refused(addPromotionTag, { ...tagFields(), groupId, ...more }, { as });
    expect(await send({ displayText: '惠民保可用药' + '品' })).toMatchObject({ code: 'SCM04038', message: '促销文字最多6个字' });
    expect(await send({ displayText: '全网最低价' })).toMatchObject({ code: 'SCM04039', message: '促销文字包含违禁词：最' });
    expect(await send({ markName: '根治肺癌' })).toMatchObject({ code: 'SCM04039', message: '促销文字包含违禁词：根治' });
    expect(await send({ pages: [] })).toMatchObject({ code: 'SCM90020' });
    expect(await send({ startAt: '2026-11-23T00:00:00.000Z', endAt: '2026-11-23T00:00:00.000Z' })).toMatchObject({ code: 'SCM90020' });
    await app.ok(addPromotionTag, { ...tagFields(), groupId, displayText: '惠民保可用药' }, { as });
  });

  it('stand in groups of their own, which are for medicines alone and hold no other marks', async () => {
    const as = await keeper(app);
    expect(await app.refused(addPromotionTag, { ...tagFields(), groupId: await makeGroup(app) }, { as })).toMatchObject({
      code: 'SCM90020',
    });
    const groupId = await makePromotionGroup(app);
    expect(await app.refused(addMark, { groupId, markName: '普通' }, { as })).toMatchObject({ code: 'SCM90020' });
    const id = await makeTag(app, { groupId });
    expect(await app.refused(modifyMark, { id, version: 1, markName: '改' }, { as })).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(delMark, { id, version: 1 }, { as })).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(modifyPromotionTag, { ...tagFields(), id: await makeMark(app), version: 1 }, { as })).toMatchObject({
      code: 'SCM90040',
    });
    const same = { ...tagFields(), groupId };
    await app.ok(addPromotionTag, same, { as });
    expect(await app.refused(addPromotionTag, same, { as })).toMatchObject({ code: 'SCM04031', message: '标签名称已存在' });
    const groups = await app.ok(queryTagGroupList, { kind: 'PROMOTION' }, { as });
    expect(groups.every(({ kind, objectType }) => kind === 'PROMOTION' && objectType === 'MEDICINE')).toBe(true);
    expect(groups.map(({ id: group }) => group)).toContain(groupId);
  });

  it('are changed by who may, from the version that was seen, and deleted only unused', async () => {
    const as = await keeper(app);
    const viewer = await app.staff({ permissions: ['content.content.view'] });
    const id = await makeTag(app);
    expect(await app.refused(modifyPromotionTag, { ...tagFields(), id, version: 1 }, { as: viewer })).toMatchObject({ code: 'SCM90010' });
    await app.ok(modifyPromotionTag, { ...tagFields(), id, version: 1 }, { as });
    expect(await app.refused(modifyPromotionTag, { ...tagFields(), id, version: 1 }, { as })).toMatchObject({ code: 'SCM90030' });
    await put([id], (await makeMedicine(app)).id);
    expect(await app.refused(delPromotionTag, { id, version: 2 }, { as })).toMatchObject({ code: 'SCM04032' });
    const unused = await makeTag(app);
    await app.ok(delPromotionTag, { id: unused, version: 1 }, { as });
    const { rows } = await app.ok(queryPromotionTagList, {}, { as });
    expect(rows.map((row) => row.id)).not.toContain(unused);
  });

  it('are on a card in the numbers that it has room for, disappear at once when put out of use, and never stand outside their time', async () => {
    const as = await keeper(app);
    const medicine = await makeMedicine(app);
    const group = await makePromotionGroup(app);
    const make = (more: object) => makeTag(app, { groupId: group, ...more });
    const high = await make({ priority: 90 });
    const middle = await make({ priority: 80 });
    const low = await make({ priority: 70 });
    const corner = await make({ style: 'CORNER' });
    const over = await make({ style: 'TEXT', priority: 99, endAt: app.clock.now() });
    await put([high, middle, low, corner, over], medicine.id);
    expect(await cardOf(medicine.id)).toEqual({
      shown: [high, middle, corner],
      hidden: [
        [over, 'ENDED'],
        [low, 'FULL'],
      ],
    });
    await app.ok(modifyPromotionTag, { ...tagFields(), id: high, version: 1, priority: 90, state: 'DISABLED' }, { as });
    expect((await cardOf(medicine.id)).shown).toEqual([middle, low, corner]);
    await app.ok(sortPromotionTag, { ids: [corner, low, middle] }, { as });
    expect((await cardOf(medicine.id)).shown).toEqual([corner, low, middle]);
    const groups = await app.ok(queryTagGroupList, { kind: 'PROMOTION' }, { as });
    const version = groups.find(({ id }) => id === group)!.version;
    await app.ok(modifyTagGroup, { id: group, version, groupName: fresh('停组'), state: 'DISABLED' }, { as });
    expect((await cardOf(medicine.id)).shown).toEqual([]);
    expect(await app.refused(previewPromotionTag, { medicineNo: 'YP0' }, { as })).toMatchObject({ code: 'SCM90040' });
  });

  it('are known to the catalogue of medicines, which drops them when they are put out of use', async () => {
    const as = await keeper(app);
    const reader = await app.staff({ permissions: ['pharma.medicine.view'] });
    const medicine = await makeMedicine(app);
    const fields = tagFields();
    const id = await makeTag(app, fields);
    await put([id], medicine.id);
    await app.runDue();
    const tagged = async () =>
      (await app.ok(queryMedicineList, { keyword: medicine.medicineNo }, { as: reader })).rows.map(({ tags }) =>
        tags.map(({ tagId }) => tagId),
      );
    expect(await tagged()).toEqual([[id]]);
    await app.ok(modifyPromotionTag, { ...fields, id, version: 1, state: 'DISABLED' }, { as });
    await app.runDue();
    expect(await tagged()).toEqual([[]]);
    await app.ok(modifyPromotionTag, { ...fields, id, version: 2, state: 'ENABLED' }, { as });
    await app.runDue();
    expect(await tagged()).toEqual([[id]]);
  });

  it('are found by where they stand in time', async () => {
    const as = await keeper(app);
    const groupId = await makePromotionGroup(app);
    const waiting = await makeTag(app, { groupId, startAt: '2030-01-01T00:00:00.000Z' });
    const live = await makeTag(app, { groupId });
    const of = async (period: 'WAITING' | 'LIVE' | 'ENDED') =>
      (await app.ok(queryPromotionTagList, { groupId, period }, { as })).rows.map((row) => row.id);
    expect([await of('WAITING'), await of('LIVE'), await of('ENDED')]).toEqual([[waiting], [live], []]);
  });
});

it('exports marks with their groups, medical ones of patients only for who may see them', async () => {
  const group = await makeGroup(app, { objectType: 'PATIENT', sensitive: true, groupName: '秘密疾病' });
  await makeMark(app, group, { markName: '甲病' });
  const permissions = ['content.content.view', 'content.content.export'];
  const textFor = async (more: string[]) => {
    const as = await app.staff({ permissions: [...permissions, ...more] });
    const { file } = await app.send(exportMarkList, { objectType: 'PATIENT', format: 'CSV' }, { as });
    return file?.toString('utf8') ?? '';
  };
  expect(await textFor([])).not.toContain('甲病');
  expect(await textFor(['content.mark.sensitive'])).toContain('甲病');
});
