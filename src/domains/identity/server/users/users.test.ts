import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { scopedResource, scopeFilter } from '#kernel/server/auth/scope.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { queryLoginInfo, switchUserRole } from '../../contract/calls/login.ts';
import {
  addRoleConflict,
  addRoleInfo,
  modifyRoleInfo,
  queryRoleInfoDetail,
  queryRoleInfoList,
  removeRoleInfo,
} from '../../contract/calls/roles.ts';
import { removeSession } from '../../contract/calls/sessions.ts';
import { addUserRole, queryUserRoleList, removeUserRole } from '../../contract/calls/userRoles.ts';
import {
  addUserInfo,
  exportUserInfoList,
  getUserInfoByMobile,
  importUserInfo,
  modifyUserInfo,
  queryChecker,
  queryUserInfoList,
  removeUserInfo,
  revealUserMobile,
} from '../../contract/calls/users.ts';
import { own } from '../database.ts';
import { administrator, fresh, freshMobile, makeRole, menuOf, NONE, roleId, userTable } from '../testing/fixtures.ts';

let app: TestApp;
let admin: TestStaff;
let system: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  admin = await administrator(app);
  system = await app.staff({ role: 'SYS_ADMIN' });
});
afterAll(() => app.close());

const user = async (id: string, as = admin) => (await app.ok(queryUserInfoList, { id }, { as })).rows[0]!;

describe('staff users', () => {
  const body = { displayName: '赵一', employer: 'SELF' as const };

  it('are refused with a taken name or number, or without what outsourced people need', async () => {
    const roles = [{ roleId: await roleId(app, 'SERVICE') }];
    const mobile = freshMobile();
    const owner = await app.staff({ role: 'SERVICE', mobile });
    const add = (more: object) => app.refused(addUserInfo, { userName: fresh('user_'), ...body, roles, ...more }, { as: system });
    expect(await add({ userName: owner.userName.toUpperCase() })).toMatchObject({ code: 'SCM01020' });
    expect(await add({ mobile })).toMatchObject({ code: 'SCM01021', message: `手机号已被${owner.displayName}（${owner.opNo}）使用` });
    expect(await add({ employer: 'OUTSOURCE' })).toMatchObject({ fields: [{ path: 'validTo', message: '外包人员必须填写有效期' }] });
    expect(await add({ roles: [] })).toMatchObject({ fields: [{ path: 'roles', message: '请至少分配一个角色' }] });
    expect(await add({ userName: '1abc' })).toMatchObject({
      fields: [{ path: 'userName', message: '用户名为4-32位字母、数字、下划线或点，且以字母开头' }],
    });
    const mobile2 = freshMobile();
    const added = await Promise.all(
      [1, 2].map(() => app.send(addUserInfo, { userName: fresh('user_'), ...body, roles, mobile: mobile2 }, { as: system })),
    );
    expect(added.map(({ envelope }) => envelope.code).sort()).toEqual(['0000000', 'SCM01021']);
    expect(await app.ok(getUserInfoByMobile, { mobile: mobile2 }, { as: system })).toMatchObject({ displayName: '赵一', state: 'PENDING' });
  });

  it('show a mobile masked in list, export and log, and in full to who may see it', async () => {
    const mobile = freshMobile();
    const { userId, opNo } = await app.staff({ role: 'SERVICE', mobile });
    const { envelope } = await app.send(queryUserInfoList, { mobile }, { as: admin });
    expect(JSON.stringify(envelope)).not.toContain(mobile);
    expect(envelope.data).toMatchObject([
      { opNo, mobile: `${mobile.slice(0, 3)}****${mobile.slice(-4)}`, roles: [{ roleName: '客服', scopeText: '全部' }] },
    ]);
    const { body: csv } = await app.file(
      exportUserInfoList,
      { mobile, format: 'CSV', columns: ['opNo', 'mobile', 'roles'] },
      { as: admin },
    );
    expect(csv.toString()).toContain(`${mobile.slice(0, 3)}****`);
    expect(csv.toString()).toContain('客服（全部）');
    expect(csv.toString()).not.toContain(mobile);
    expect(await app.ok(revealUserMobile, { id: userId }, { as: admin })).toEqual({ mobile });
    const { rows } = await sql<{
      row: string;
    }>`select l::text as row from identity_operation_log l where call like '%revealUserMobile' or call like '%exportUserInfoList'`.execute(
      app.db,
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(rows)).not.toContain(mobile);
  });

  it('cannot be acted on by themselves, and each act needs an opinion', async () => {
    const me = await user(system.userId);
    expect(
      await app.refused(modifyUserInfo, { id: me.id, version: me.version, action: 'disable', opinion: '自己' }, { as: system }),
    ).toMatchObject({ code: 'SCM01022' });
    expect(await app.refused(removeUserInfo, { id: me.id, version: me.version, opinion: '自己' }, { as: system })).toMatchObject({
      code: 'SCM01022',
    });
    for (const validity of [{ validFrom: '2026-12-01' }, { validTo: '2026-11-20' }, { validTo: '2199-12-31' }]) {
      expect(await app.refused(modifyUserInfo, { id: me.id, version: me.version, ...validity }, { as: system })).toMatchObject({
        code: 'SCM01022',
      });
    }
    // A form sends what it shows.
    const { validFrom, validTo } = me;
    await app.ok(modifyUserInfo, { id: me.id, version: me.version, validFrom, validTo }, { as: system });
    const other = await app.staff({ role: 'SERVICE', password: 'Right#Wrong2026' });
    expect(await app.refused(modifyUserInfo, { id: other.userId, version: 1, action: 'disable' }, { as: system })).toMatchObject({
      fields: [{ path: 'opinion' }],
    });
    const disabled = await app.ok(modifyUserInfo, { id: other.userId, version: 1, action: 'disable', opinion: '长期休假' }, { as: system });
    expect(disabled).toMatchObject({ state: 'DISABLED', disabledReason: '长期休假' });
    expect(await app.refused(queryLoginInfo, {}, { as: other })).toMatchObject({ code: 'SCM90002' });
    expect(await app.refused(modifyUserInfo, { id: other.userId, version: 1, displayName: '旧版' }, { as: system })).toMatchObject({
      code: 'SCM90030',
      data: { current: { state: 'DISABLED' } },
    });
    await app.ok(modifyUserInfo, { id: other.userId, version: disabled.version, action: 'enable', opinion: '返岗' }, { as: system });
    expect(
      await app.refused(
        modifyUserInfo,
        { id: other.userId, version: disabled.version + 1, action: 'enable', opinion: '返岗' },
        { as: system },
      ),
    ).toMatchObject({ code: 'SCM90031', message: expect.stringContaining('正常') });
  });

  it('leave for good: sessions and assignments end, the number is free', async () => {
    const mobile = freshMobile();
    const other = await app.staff({ role: 'SERVICE', mobile });
    await app.ok(removeUserInfo, { id: other.userId, version: 1, opinion: '离职' }, { as: system });
    expect(await user(other.userId)).toMatchObject({ state: 'LEFT', leftOn: '2026-11-21', roles: [{ state: 'DISABLED' }] });
    expect(await app.ok(getUserInfoByMobile, { mobile }, { as: system })).toBeNull();
    expect(
      await app.refused(modifyUserInfo, { id: other.userId, version: 2, action: 'enable', opinion: '返岗' }, { as: system }),
    ).toMatchObject({ code: 'SCM90031' });
  });

  it('keep one super administrator, also when two are disabled at once', async () => {
    await sql`update identity_user_role set state = 'DISABLED' where role_id = ${await roleId(app, 'SUPER_ADMIN')}`.execute(app.db);
    const one = await app.staff({ role: 'SUPER_ADMIN' });
    const disable = (id: string) => app.send(modifyUserInfo, { id, version: 1, action: 'disable', opinion: '测试' }, { as: system });
    expect((await disable(one.userId)).envelope).toMatchObject({ code: 'SCM01023' });
    expect(await app.refused(removeUserInfo, { id: one.userId, version: 1, opinion: '测试' }, { as: system })).toMatchObject({
      code: 'SCM01023',
    });
    const two = await app.staff({ role: 'SUPER_ADMIN' });
    const answers = await Promise.all([disable(one.userId), disable(two.userId)]);
    expect(answers.map(({ envelope }) => envelope.code).sort()).toEqual(['0000000', 'SCM01023']);
    admin = await administrator(app);
  });

  it('are imported without a password, and taken back as long as none has come in', async () => {
    const name = fresh('imp_user_');
    const byName = (callName: string): Call => app.kernel.registry.calls.find((call) => call.name === `ImportService/${callName}`)!;
    const start = async (rows: readonly (readonly string[])[]) => {
      const { importTaskId } = await app.ok(importUserInfo, { fileId: await userTable(app, system, rows) }, { as: system });
      await app.runDue();
      const { envelope } = await app.send(byName('queryImportResult'), { importTaskId }, { as: system });
      return envelope.data as { importTaskId: string; state: string; version: number; errorRows: number };
    };
    const bad = await start([
      [name, '张三', '', '', '', '本公司', '', 'SERVICE', '全部'],
      [name, '李四', '', '', '', '外包', '', 'NO_SUCH', '外太空'],
      [fresh('imp_user_'), '王五', '', '', '', '本公司', '', 'SUPER_ADMIN', ''],
      [fresh('imp_user_'), '赵六', '', '', '', '本公司', '', 'CLAIM_FIRST、CLAIM_PAY', ''],
    ]);
    expect(bad).toMatchObject({ state: 'INVALID', errorRows: 3 });
    const good = await start([[name, '张三', '', '客服部', '', '本公司', '', 'SERVICE', '区域:310000|320500；仅本人']]);
    expect(good).toMatchObject({ state: 'READY' });
    const task = { importTaskId: good.importTaskId, version: good.version };
    expect(
      (await app.send(byName('commitImportTask'), task, { as: system, idempotencyKey: fresh('commit-users-') })).envelope,
    ).toMatchObject({ code: '0000000' });
    await app.runDue();
    const { rows } = await app.ok(queryUserInfoList, { userName: name }, { as: admin });
    expect(rows).toMatchObject([{ state: 'PENDING', roles: [{ scopeText: '上海市、苏州市 且 仅本人' }] }]);
    const done = (await app.send(byName('queryImportResult'), { importTaskId: good.importTaskId }, { as: system })).envelope.data as {
      version: number;
    };
    expect(
      (await app.send(byName('undoImportTask'), { ...task, version: done.version, opinion: '导错了' }, { as: system })).envelope,
    ).toMatchObject({ code: '0000000' });
    expect((await app.ok(queryUserInfoList, { userName: name }, { as: admin })).total).toBe(0);
  });
});

describe('sessions of others', () => {
  it('are ended by who may, with an opinion, and never the own one', async () => {
    const target = await app.staff({ role: 'SERVICE' });
    const plain = await app.staff({ role: 'SERVICE' });
    expect(await app.refused(removeSession, { sessionId: target.sessionId, opinion: '安全' }, { as: plain })).toMatchObject({
      code: 'SCM90010',
      message: '没有权限：强制下线',
    });
    expect(await app.refused(removeSession, { sessionId: target.sessionId }, { as: system })).toMatchObject({
      fields: [{ path: 'opinion' }],
    });
    expect(await app.refused(removeSession, { sessionId: system.sessionId, opinion: '自己' }, { as: system })).toMatchObject({
      code: 'SCM01022',
    });
    await app.ok(removeSession, { sessionId: target.sessionId, opinion: '安全' }, { as: system });
    expect(await app.refused(queryLoginInfo, {}, { as: target })).toMatchObject({ code: 'SCM90002', message: '您已被管理员强制下线' });
  });
});

describe('roles and assignments', () => {
  it('never meet in conflicting pairs, also when two administrators assign at once', async () => {
    const first = await roleId(app, 'CLAIM_FIRST');
    const pay = await roleId(app, 'CLAIM_PAY');
    const target = await app.staff({ role: 'CLAIM_FIRST' });
    expect(await app.refused(addUserRole, { userIds: [target.userId], roleId: pay }, { as: system })).toMatchObject({
      code: 'SCM01024',
      message: '角色“理赔打款”与“理赔初审”互斥，不能分配给同一用户',
    });
    for (let round = 0; round < 3; round++) {
      const { userId } = await app.staff({});
      const other = await app.staff({ role: 'SYS_ADMIN' });
      const answers = await Promise.all([
        app.send(addUserRole, { userIds: [userId], roleId: first }, { as: system }),
        app.send(addUserRole, { userIds: [userId], roleId: pay }, { as: other }),
      ]);
      expect(answers.map(({ envelope }) => envelope.code).sort()).toEqual(['0000000', 'SCM01024']);
    }
    const several = await app.ok(
      addUserRole,
      { userIds: [target.userId, (await app.staff({})).userId, NONE], roleId: pay },
      { as: system },
    );
    expect(several.results.map(({ code }) => code)).toEqual(['SCM01024', '0000000', 'SCM90040']);
    expect((await app.ok(queryUserRoleList, { roleId: pay }, { as: system })).rows.every(({ userId }) => userId !== target.userId)).toBe(
      true,
    );
  });

  it('do not let administration widen itself', async () => {
    const target = await app.staff({});
    const assign = (id: string, userId = target.userId) =>
      app.send(addUserRole, { userIds: [userId], roleId: id }, { as: system }).then(({ envelope }) => envelope);
    expect(await assign(await roleId(app, 'SUPER_ADMIN'))).toMatchObject({
      code: 'SCM01025',
      message: expect.stringContaining('校验日志链'),
    });
    expect(await assign((await makeRole(app, ['identity.log.verify'], admin)).id)).toMatchObject({ code: 'SCM01025' });
    expect(await assign(await roleId(app, 'SERVICE'), system.userId)).toMatchObject({ code: 'SCM01022' });
    expect(await assign(await roleId(app, 'CLAIM_FIRST'))).toMatchObject({ code: '0000000' });
    const grow = {
      name: fresh('角色'),
      menuIds: [await menuOf(app, 'operationLog')],
      permissions: ['identity.log.view', 'identity.log.verify'],
      confirmHigh: true,
    };
    expect(await app.refused(addRoleInfo, grow, { as: system })).toMatchObject({ code: 'SCM01025' });
  });

  it('are saved with their view permission, a menu, and a yes to what is dangerous', async () => {
    const menus = [await menuOf(app, 'userManagement')];
    const save = (more: object) =>
      app.refused(addRoleInfo, { name: fresh('角色'), menuIds: menus, permissions: ['identity.user.view'], ...more }, { as: system });
    expect(await save({ permissions: [] })).toMatchObject({ code: 'SCM01034', message: '页面权限缺失：用户管理需要“查看员工用户”' });
    expect(await save({ menuIds: [] })).toMatchObject({ code: 'SCM01035' });
    expect(await save({ name: '客服' })).toMatchObject({ code: 'SCM01030' });
    expect(await save({ permissions: ['identity.user.view', 'identity.user.edit'] })).toMatchObject({
      fields: [{ path: 'confirmHigh', message: expect.stringContaining('新增、修改、停用员工用户') }],
    });
    const { role, addedHigh } = await app.ok(
      addRoleInfo,
      { name: fresh('角色'), menuIds: menus, permissions: ['identity.user.view', 'identity.user.edit'], confirmHigh: true },
      { as: system },
    );
    expect(addedHigh).toHaveLength(1);
    expect(
      await app.ok(queryRoleInfoList, { permission: 'identity.user.edit' }, { as: system }).then(({ rows }) => rows.map(({ id }) => id)),
    ).toContain(role.id);
  });

  it('keep builtin roles, roles in use, and show a second writer what changed', async () => {
    const remove = (id: string, version: number) => app.refused(removeRoleInfo, { id, version }, { as: system });
    const detail = async (id: string) => app.ok(queryRoleInfoDetail, { id }, { as: admin });
    const service = await detail(await roleId(app, 'SERVICE'));
    expect(await remove(service.id, service.version)).toMatchObject({ code: 'SCM01032' });
    const superAdmin = await detail(await roleId(app, 'SUPER_ADMIN'));
    expect(
      await app.refused(modifyRoleInfo, { id: superAdmin.id, version: superAdmin.version, description: '改' }, { as: system }),
    ).toMatchObject({ code: 'SCM01033' });
    const role = await makeRole(app);
    const { userId } = await app.staff({});
    await app.ok(addUserRole, { userIds: [userId], roleId: role.id }, { as: admin });
    expect(await remove(role.id, role.version)).toMatchObject({ code: 'SCM01031', message: '该角色仍有1名用户使用，请先移除' });
    await app.ok(modifyRoleInfo, { id: role.id, version: role.version, description: '第一次' }, { as: admin });
    expect(await app.refused(modifyRoleInfo, { id: role.id, version: role.version, description: '第二次' }, { as: admin })).toMatchObject({
      code: 'SCM90030',
      message: `该记录已被${admin.displayName}修改，请查看变化后重试`,
      data: { current: { description: '第一次' } },
    });
  });

  it('take effect at the next request: a permission that is taken away, a role that is switched', async () => {
    const role = await makeRole(app, ['identity.user.view']);
    const holder = await app.staff({ role: 'SERVICE' });
    const { results } = await app.ok(
      addUserRole,
      { userIds: [holder.userId], roleId: role.id, scope: { own: false, region: ['310000'], insurer: null, channel: null } },
      { as: admin },
    );
    const as = { ...holder, userRoleId: results[0]!.userRoleId };
    await app.ok(queryUserInfoList, {}, { as });
    expect(await app.refused(queryUserInfoList, {}, { as: holder })).toMatchObject({ code: 'SCM90010', message: '没有权限：查看员工用户' });
    expect(await app.refused(switchUserRole, { roleMenuId: admin.userRoleId! }, { as: holder })).toMatchObject({ code: 'SCM01050' });
    const switched = await app.ok(switchUserRole, { roleMenuId: as.userRoleId! }, { as: holder });
    expect(switched).toMatchObject({
      accessPermission: `${role.name}（上海市）`,
      roleMenuId: as.userRoleId,
      defaultMenu: '/menuManagement',
    });
    expect((await app.ok(queryLoginInfo, {}, { as: { ...holder, userRoleId: null } })).roleMenuId).toBe(as.userRoleId);

    const detail = await app.ok(queryRoleInfoDetail, { id: role.id }, { as: admin });
    await app.ok(modifyRoleInfo, { id: role.id, version: detail.version, permissions: ['identity.menu.view'] }, { as: admin });
    expect(await app.refused(queryUserInfoList, {}, { as })).toMatchObject({ code: 'SCM90010' });
    const [assignment] = (await app.ok(queryUserRoleList, { userId: holder.userId, roleId: role.id }, { as: admin })).rows;
    await app.ok(removeUserRole, { id: assignment!.id, version: assignment!.version }, { as: admin });
    expect(await app.refused(queryUserInfoList, {}, { as })).toMatchObject({ code: 'SCM90010', message: '当前角色已失效，请切换角色' });
    // He is not locked out: the start of his session falls back to what he has.
    expect((await app.ok(queryLoginInfo, {}, { as })).roles).toMatchObject([{ roleCode: 'SERVICE' }]);
  });

  it('refuse a rule of conflict that somebody already breaks', async () => {
    const one = await makeRole(app);
    const other = await makeRole(app);
    const { userId, displayName } = await app.staff({});
    for (const { id } of [one, other]) await app.ok(addUserRole, { userIds: [userId], roleId: id }, { as: admin });
    expect(await app.refused(addRoleConflict, { roleAId: one.id, roleBId: other.id, reason: '分离' }, { as: admin })).toMatchObject({
      code: 'SCM01036',
      message: `已有用户同时拥有这两个角色（${displayName}），请先调整`,
    });
  });

  it('give the pickers who holds a right today', async () => {
    const holder = await app.staff({ permissions: ['identity.calendar.edit'], displayName: '专管员' });
    const found = await app.ok(queryChecker, { permission: 'identity.calendar.edit', keyword: '专管员' }, { as: holder });
    expect(found.map(({ userId }) => userId)).toEqual([holder.userId]);
  });
});

describe('data scope', () => {
  it('limits rows by prefix of the region, and by one of the insurers', async () => {
    const resource = scopedResource({ region: { column: 'adcode' }, insurer: { column: 'insurer_id' }, channel: 'free', own: 'free' });
    const seen = async (scope: object) => {
      const filter = scopeFilter(resource, { userId: '1', scope: { own: false, region: null, insurer: null, channel: null, ...scope } });
      const { rows } = await sql<{ adcode: string | null }>`
        select adcode
          from (values ('310101', 7), ('320506', 7), ('320600', 7), ('310101', 8), (null, 7)) t(adcode, insurer_id)
          where ${filter}
          order by 1`.execute(own(app.db));
      return rows.map(({ adcode }) => adcode);
    };
    expect(await seen({ region: ['310000', '320500'], insurer: ['7'] })).toEqual(['310101', '320506']);
    expect(await seen({ insurer: ['7'] })).toHaveLength(4);
    expect(await seen({ region: [] })).toEqual([]);
  });
});
