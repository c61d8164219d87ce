import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addTagGroup, delTagGroup, modifyTagGroup, queryTagGroupList, sortTagGroup } from '../../contract/marks/calls/groups.ts';
import { addMark, delMark, mergeMark, modifyMark } from '../../contract/marks/calls/marks.ts';
import { fresh, keeper, makeGroup, makeMark } from '../testing/marks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** A live binding as another part of the product would have made it. */
async function bound(markId: string, objectId: string, source: 'MANUAL' | 'RULE' = 'MANUAL'): Promise<void> {
  await sql`insert into content_mark_binding (mark_id, group_id, object_type, select_mode, object_id, source, bound_at)
    select m.id, g.id, g.object_type, g.select_mode, ${objectId}, ${source}, ${app.clock.now()}
      from content_mark m join content_tag_group g on g.id = m.group_id where m.id = ${markId}`.execute(app.db);
}
const live = async (markId: string) =>
  (
    await sql<{
      objectId: string;
    }>`select object_id::text from content_mark_binding where mark_id = ${markId} and ended_at is null order by object_id`.execute(app.db)
  ).rows.map(({ objectId }) => objectId);
const groupOf = async (id: string) => {
  const groups = await app.ok(queryTagGroupList, {}, { as: await keeper(app) });
  return groups.find((group) => group.id === id);
};

describe('tag groups', () => {
  it('refuse a name twice among one kind of thing, in any case of letters', async () => {
    const as = await keeper(app);
    const groupName = fresh('Vip');
    await app.ok(addTagGroup, { objectType: 'DOCTOR', groupName }, { as });
    expect(await app.refused(addTagGroup, { objectType: 'DOCTOR', groupName: groupName.toUpperCase() }, { as })).toMatchObject({
      code: 'SCM04030',
      message: '标签组名称已存在',
    });
    await app.ok(addTagGroup, { objectType: 'CHANNEL', groupName }, { as });
    const other = await makeGroup(app);
    expect(await app.refused(modifyTagGroup, { id: other, version: 1, groupName }, { as })).toMatchObject({ code: 'SCM04030' });
  });

  it('take one of two equal names that come at once', async () => {
    const as = await keeper(app);
    const groupName = fresh('同名');
    const codes = await Promise.all(
      Array.from({ length: 6 }, async () => (await app.send(addTagGroup, { objectType: 'DOCTOR', groupName }, { as })).envelope.code),
    );
    expect(codes.filter((code) => code !== 'SCM04030')).toHaveLength(1);
  });

  it('are deleted only empty', async () => {
    const as = await keeper(app);
    const id = await makeGroup(app);
    const mark = await makeMark(app, id);
    expect(await app.refused(delTagGroup, { id, version: 1 }, { as })).toMatchObject({
      code: 'SCM04033',
      message: '标签组下还有标签，不能删除',
    });
    await app.ok(delMark, { id: mark, version: 1 }, { as });
    await app.ok(delTagGroup, { id, version: 1 }, { as });
    expect(await groupOf(id)).toBeUndefined();
  });

  it('and their marks keep the order that they are dragged into', async () => {
    const as = await keeper(app);
    const group = await makeGroup(app);
    const [a, b, c] = [await makeMark(app, group), await makeMark(app, group), await makeMark(app, group)];
    await app.ok(sortTagGroup, { groupId: group, ids: [c, a, b] }, { as });
    expect((await groupOf(group))?.marks.map(({ id }) => id)).toEqual([c, a, b]);
    const second = await makeGroup(app);
    await app.ok(sortTagGroup, { objectType: 'DOCTOR', ids: [second, group] }, { as });
    const order = (await app.ok(queryTagGroupList, { objectType: 'DOCTOR' }, { as })).map(({ id }) => id);
    expect(order.slice(0, 2)).toEqual([second, group]);
    expect(await app.refused(sortTagGroup, { groupId: group, ids: [await makeMark(app)] }, { as })).toMatchObject({ code: 'SCM90040' });
  });

  it('of medical marks on patients are there only for who may see them', async () => {
    const group = await makeGroup(app, { objectType: 'PATIENT', sensitive: true });
    const mark = await makeMark(app, group);
    const plain = await app.staff({ permissions: ['content.content.view', 'content.mark.edit'] });
    const seen = await app.ok(queryTagGroupList, { objectType: 'PATIENT' }, { as: plain });
    expect(JSON.stringify(seen)).not.toContain(`"${mark}"`);
    expect(await app.refused(delMark, { id: mark, version: 1 }, { as: plain })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(addMark, { groupId: group, markName: '肺癌' }, { as: plain })).toMatchObject({ code: 'SCM90040' });
    expect((await groupOf(group))?.marks).toHaveLength(1);
  });

  it('are changed only by who may, and only from the version that was seen', async () => {
    const viewer = await app.staff({ permissions: ['content.content.view'] });
    const id = await makeGroup(app);
    expect(await app.refused(modifyTagGroup, { id, version: 1, groupName: '改' }, { as: viewer })).toMatchObject({ code: 'SCM90010' });
    const as = await keeper(app);
    await app.ok(modifyTagGroup, { id, version: 1, groupName: fresh('改名') }, { as });
    expect(await app.refused(modifyTagGroup, { id, version: 1, groupName: fresh('再改') }, { as })).toMatchObject({ code: 'SCM90030' });
  });
});

describe('marks', () => {
  it('refuse a name twice in a group and have codes of their own', async () => {
    const as = await keeper(app);
    const group = await makeGroup(app);
    const first = await app.ok(addMark, { groupId: group, markName: '高复购' }, { as });
    expect(first.markCode).toMatch(/^BQ\d{5}$/);
    expect(await app.refused(addMark, { groupId: group, markName: '高复购' }, { as })).toMatchObject({
      code: 'SCM04031',
      message: '标签名称已存在',
    });
    const found = await app.ok(queryTagGroupList, { keyword: 'gfg' }, { as });
    expect(found.flatMap(({ marks }) => marks).map(({ id }) => id)).toContain(first.id);
  });

  it('that were on anything once are put out of use, not deleted', async () => {
    const as = await keeper(app);
    const id = await makeMark(app);
    await bound(id, '11');
    await sql`update content_mark_binding set ended_at = ${app.clock.now()}, end_reason = 'MANUAL' where mark_id = ${id}`.execute(app.db);
    expect(await app.refused(delMark, { id, version: 1 }, { as })).toMatchObject({
      code: 'SCM04032',
      message: '标签已被使用（1个对象），只能停用',
    });
    await app.ok(modifyMark, { id, version: 1, markName: fresh('停'), state: 'DISABLED' }, { as });
  });

  it('out of use end what rules have bound, and keep what people have bound', async () => {
    const as = await keeper(app);
    const group = await makeGroup(app);
    const id = await makeMark(app, group);
    await bound(id, '21', 'RULE');
    await bound(id, '22');
    expect((await groupOf(group))?.marks[0]?.objectCount).toBe(2);
    await app.ok(modifyMark, { id, version: 1, markName: fresh('停'), state: 'DISABLED' }, { as });
    expect(await live(id)).toEqual(['22']);
    expect((await groupOf(group))?.marks[0]).toMatchObject({ state: 'DISABLED', objectCount: 1 });
    const second = await makeMark(app, group);
    await bound(second, '23', 'RULE');
    const version = (await groupOf(group))!.version;
    await app.ok(modifyTagGroup, { id: group, version, groupName: fresh('停组'), state: 'DISABLED' }, { as });
    expect(await live(second)).toEqual([]);
  });

  it.each(['MULTI', 'SINGLE'] as const)('of one group merge, and one binding per object is kept (%s)', async (selectMode) => {
    const as = await keeper(app);
    const group = await makeGroup(app, { selectMode });
    const [from, into] = [await makeMark(app, group), await makeMark(app, group)];
    await bound(from, '31');
    await bound(into, selectMode === 'MULTI' ? '31' : '30');
    await bound(from, '32');
    expect(await app.refused(mergeMark, { fromId: from, version: 1, intoId: await makeMark(app) }, { as })).toMatchObject({
      code: 'SCM04034',
      message: '不同标签组的标签不能合并',
    });
    const answer = await app.ok(mergeMark, { fromId: from, version: 1, intoId: into }, { as });
    expect(answer).toMatchObject(selectMode === 'MULTI' ? { moved: 1, ended: 1 } : { moved: 2, ended: 0 });
    expect(await live(from)).toEqual([]);
    expect(await live(into)).toEqual(selectMode === 'MULTI' ? ['31', '32'] : ['30', '31', '32']);
    const marks = (await groupOf(group))!.marks;
    expect(marks.map(({ id, state, objectCount }) => [id, state, objectCount])).toEqual([
      [from, 'DISABLED', 0],
      [into, 'ENABLED', selectMode === 'MULTI' ? 2 : 3],
    ]);
  });

  it('never lose a binding by deletion', async () => {
    const id = await makeMark(app);
    await bound(id, '41');
    await expect(sql`delete from content_mark_binding where mark_id = ${id}`.execute(app.db)).rejects.toThrow('never deleted');
  });
});
