import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addMenuInfo,
  modifyMenuInfo,
  queryMenuInfoList,
  queryPermissionList,
  removeMenuInfo,
  sortMenuInfo,
} from '../../contract/calls/menus.ts';

let app: TestApp;
let admin: { as: TestStaff };
beforeAll(async () => {
  app = await startTestApp();
  admin = { as: await app.staff({ permissions: ['identity.menu.view', 'identity.menu.edit'] }) };
});
afterAll(() => app.close());

const tree = async () => (await app.ok(queryMenuInfoList, {}, admin)).menus;
const byTitle = async (title: string) => {
  const found = (await tree()).find(({ titleName }) => titleName === title);
  if (!found) throw new Error(`no menu ${title}`);
  return found;
};
const directory = async (titleName: string, parentId: string | null) => {
  await app.ok(addMenuInfo, { titleName, kind: 'DIR', parentId }, admin);
  return byTitle(titleName);
};

describe('the menu tree', () => {
  it('refuses a fourth level, a used or unknown route, a page as parent', async () => {
    const one = await directory('一级', null);
    const two = await directory('二级', one.id);
    const three = await directory('三级', two.id);
    expect(three.level).toBe(3);
    const add = (input: object) => app.refused(addMenuInfo, { titleName: '新', kind: 'DIR', ...input }, admin);
    expect(await add({ parentId: three.id })).toMatchObject({ code: 'SCM01040', message: '菜单最多支持三级' });
    expect(await add({ kind: 'PAGE', routeKey: 'userManagement' })).toMatchObject({
      code: 'SCM01042',
      message: '该路由已在菜单“用户管理”中使用',
    });
    expect(await add({ kind: 'PAGE', routeKey: 'nothingOfTheKind' })).toMatchObject({ code: 'SCM01043' });
    expect(await add({ parentId: (await byTitle('用户管理')).id })).toMatchObject({ code: 'SCM90020', fields: [{ path: 'parentId' }] });
    expect(await add({ titleName: ' ' })).toMatchObject({ fields: [{ path: 'titleName', message: '请输入菜单标题' }] });
    expect(await add({ parentId: '999999' })).toMatchObject({ code: 'SCM90040' });
  });

  it('refuses a move below itself, alone or as a ring of moves, and moves a branch with its levels', async () => {
    const one = await byTitle('一级');
    const two = await byTitle('二级');
    const other = await directory('旁支', null);
    expect(await app.refused(modifyMenuInfo, { id: one.id, version: one.version, parentId: two.id }, admin)).toMatchObject({
      code: 'SCM01044',
      message: '不能移动到自身的下级',
    });
    const ring = [
      { id: one.id, parentId: other.id, sort: 1 },
      { id: other.id, parentId: one.id, sort: 1 },
    ];
    expect(await app.refused(sortMenuInfo, { sort: ring }, admin)).toMatchObject({ code: 'SCM01044' });
    expect(await app.refused(sortMenuInfo, { sort: [{ id: one.id, parentId: other.id, sort: 1 }] }, admin)).toMatchObject({
      code: 'SCM01040',
    });
    await app.ok(sortMenuInfo, { sort: [{ id: two.id, parentId: other.id, sort: 5 }] }, admin);
    expect(await byTitle('二级')).toMatchObject({ parentId: other.id, level: 2, sort: 5 });
    expect(await byTitle('三级')).toMatchObject({ level: 3 });
  });

  it('keeps one of two parallel moves that together would close a ring', async () => {
    const a = await directory('环甲', null);
    const b = await directory('环乙', null);
    const answers = await Promise.all([
      app.send(sortMenuInfo, { sort: [{ id: a.id, parentId: b.id, sort: 1 }] }, admin),
      app.send(sortMenuInfo, { sort: [{ id: b.id, parentId: a.id, sort: 1 }] }, admin),
    ]);
    expect(answers.map(({ envelope }) => envelope.code).sort()).toEqual(['0000000', 'SCM01044']);
  });

  it('removes only what is empty and not builtin, and refuses a stale version with the row as it stands', async () => {
    const other = await byTitle('旁支');
    expect(await app.refused(removeMenuInfo, { id: other.id, version: other.version }, admin)).toMatchObject({ code: 'SCM01041' });
    const builtin = await byTitle('用户管理');
    expect(await app.refused(removeMenuInfo, { id: builtin.id, version: builtin.version }, admin)).toMatchObject({ code: 'SCM01045' });
    await app.ok(modifyMenuInfo, { id: builtin.id, version: builtin.version, visible: false }, admin);
    expect(await app.refused(modifyMenuInfo, { id: builtin.id, version: builtin.version, titleName: '旧' }, admin)).toMatchObject({
      code: 'SCM90030',
      data: { current: { titleName: '用户管理', visible: false } },
    });
    const empty = await directory('空目录', null);
    await app.ok(removeMenuInfo, { id: empty.id, version: empty.version }, admin);
    expect((await tree()).some(({ id }) => id === empty.id)).toBe(false);
  });
});

it('tells who may do what', async () => {
  const { rows } = await app.ok(queryPermissionList, { keyword: '维护菜单', pageSize: 50 }, admin);
  expect(rows).toMatchObject([
    {
      code: 'identity.menu.edit',
      risk: 'NORMAL',
      calls: expect.arrayContaining([{ path: 'admin/MenuInfoService/addMenuInfo', label: '新增菜单' }]),
    },
  ]);
  expect(rows[0]?.roles.map(({ name }) => name)).toContain('超级管理员');
});
