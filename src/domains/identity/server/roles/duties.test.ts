import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { days } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { queryOperationLogList } from '../../contract/calls/logs.ts';
import { queryPermissionList } from '../../contract/calls/menus.ts';
import { queryMyNoticeList } from '../../contract/calls/notices.ts';
import { addRoleInfo, copyRoleInfo, modifyRoleInfo, queryRoleInfoDetail, queryRoleInfoList } from '../../contract/calls/roles.ts';
import { addUserRole, modifyUserRole, queryUserRoleList } from '../../contract/calls/userRoles.ts';
import { addUserInfo, importUserInfo, queryUserInfoList } from '../../contract/calls/users.ts';
import { own } from '../database.ts';
import { administrator, fresh, makeRole, menuOf, roleId, userTable } from '../testing/fixtures.ts';

const MAKES = 'card.grant.edit';
const APPROVES = 'card.grant.approve';
const WRITES = 'content.ad.edit';
const JUDGES = 'content.ad.audit';
const GRANT = '发放单：“制作发放单”与“批准、撤回发放”';
const AD = '广告：“编辑广告”与“审核广告”';
const ofRole = (pairs: string) => `角色不能同时拥有同一单据的经办与审核权限（${pairs}），请去掉其中一项，或拆成两个角色`;
const ofPerson = (name: string, pairs: string) =>
  `${name}不能同时拥有同一单据的经办与审核权限（${pairs}），请改分配给他人，或先移除其中一个角色`;

let app: TestApp;
let admin: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  admin = await administrator(app);
});
afterAll(() => app.close());

const body = async (permissions: readonly string[]) => ({
  name: fresh('职责'),
  menuIds: [await menuOf(app, 'menuManagement')],
  permissions: ['identity.menu.view', ...permissions],
  confirmHigh: true,
});
const give = (userId: string, role: string, more: object = {}) =>
  app.ok(addUserRole, { userIds: [userId], roleId: role, ...more }, { as: admin });
const refuseGiving = (userId: string, role: string, more: object = {}) =>
  app.refused(addUserRole, { userIds: [userId], roleId: role, ...more }, { as: admin });
const rights = async (role: string) => (await app.ok(queryRoleInfoDetail, { id: role }, { as: admin })).permissions.map(({ code }) => code);
const user = async (id: string) => (await app.ok(queryUserInfoList, { id }, { as: admin })).rows[0]!;
/** What an upgrade may find: a right that a role has without having been asked for. */
const slipIn = (role: string, code: string) => own(app.db).insertInto('identityRolePermission').values({ roleId: role, code }).execute();

describe('a role that joins both rights of a document', () => {
  it('is refused where money moves: new, changed, copied', async () => {
    const both = await app.refused(addRoleInfo, await body([MAKES, APPROVES]), { as: admin });
    expect(both).toMatchObject({ code: 'SCM01037', message: ofRole(GRANT) });
    const maker = await makeRole(app, [MAKES], admin);
    const change = { id: maker.id, version: maker.version, permissions: ['identity.menu.view', MAKES, APPROVES], confirmHigh: true };
    expect(await app.refused(modifyRoleInfo, change, { as: admin })).toMatchObject({ code: 'SCM01037', message: ofRole(GRANT) });
    expect(await rights(maker.id)).not.toContain(APPROVES);
    const superAdmin = await roleId(app, 'SUPER_ADMIN');
    const copied = await app.refused(copyRoleInfo, { id: superAdmin, name: fresh('副本'), confirmHigh: true }, { as: admin });
    expect(copied.code).toBe('SCM01037');
    expect(copied.message).toMatch(/发卡批次：“制作发卡批次”与“批准、关闭、作废批次”；.*；等\d+组/);
  });

  it('is refused with every right of the catalogue', async () => {
    const { rows } = await app.ok(queryPermissionList, { pageNo: 1, pageSize: 999 }, { as: admin });
    const all = rows.filter(({ code, retiredAt }) => retiredAt === null && !code.startsWith('identity.') && !code.startsWith('lowcode.'));
    expect(await app.refused(addRoleInfo, await body(all.map(({ code }) => code)), { as: admin })).toMatchObject({ code: 'SCM01037' });
    expect(rows.find(({ code }) => code === APPROVES)?.decides).toEqual({
      document: '发放单',
      of: [MAKES.replace('card.', '')],
      money: true,
    });
  });

  it('is a warning elsewhere, answered and logged', async () => {
    const { role, warnings } = await app.ok(addRoleInfo, await body([WRITES, JUDGES]), { as: admin });
    expect(warnings).toEqual([AD]);
    expect(role.duties).toMatchObject([{ document: '广告', money: false, makes: WRITES, decides: JUDGES, makesRole: null }]);
    const { rows } = await app.ok(queryOperationLogList, { targetNo: role.roleCode }, { as: admin });
    expect(rows[0]?.diff).toContainEqual({ path: 'duties', label: '职责提醒', before: null, after: AD });
    expect((await app.ok(addRoleInfo, await body([WRITES]), { as: admin })).warnings).toEqual([]);
  });

  it('that has slipped in is marked, and mended by the next save, which nothing else can be', async () => {
    const role = await makeRole(app, [MAKES], admin);
    await slipIn(role.id, APPROVES);
    const { rows } = await app.ok(queryRoleInfoList, { dutyConflict: true, name: role.name }, { as: admin });
    expect(rows).toMatchObject([{ id: role.id, duties: [{ document: '发放单', money: true }] }]);
    expect((await app.ok(queryRoleInfoList, { dutyConflict: false, name: role.name }, { as: admin })).rows).toEqual([]);
    const save = { id: role.id, version: role.version };
    expect(await app.refused(modifyRoleInfo, { ...save, description: '说明' }, { as: admin })).toMatchObject({ code: 'SCM01037' });
    await app.ok(modifyRoleInfo, { ...save, action: 'disable', opinion: '职责冲突' }, { as: admin });
    const again = { ...save, version: role.version + 1 };
    expect(await app.refused(modifyRoleInfo, { ...again, action: 'enable', opinion: '恢复' }, { as: admin })).toMatchObject({
      code: 'SCM01037',
    });
    await app.ok(modifyRoleInfo, { ...again, permissions: ['identity.menu.view', MAKES] }, { as: admin });
    expect((await app.ok(queryRoleInfoDetail, { id: role.id }, { as: admin })).duties).toEqual([]);
  });
});

describe('somebody whose roles join both rights of a document', () => {
  it('is refused where money moves: given, added with', async () => {
    const [maker, approver] = [await makeRole(app, [MAKES], admin), await makeRole(app, [APPROVES], admin)];
    const pairs = `发放单：“制作发放单”（${maker.name}）与“批准、撤回发放”（${approver.name}）`;
    const person = await app.staff({});
    await give(person.userId, maker.id);
    expect(await refuseGiving(person.userId, approver.id)).toMatchObject({
      code: 'SCM01038',
      message: ofPerson(person.displayName, pairs),
    });
    const other = await app.staff({});
    const { results } = await app.ok(addUserRole, { userIds: [person.userId, other.userId], roleId: approver.id }, { as: admin });
    expect(results).toMatchObject([{ ok: false, code: 'SCM01038' }, { ok: true }]);
    const roles = [{ roleId: maker.id }, { roleId: approver.id }];
    const added = { userName: fresh('duty_'), displayName: '赵双职', employer: 'SELF' as const, roles };
    expect(await app.refused(addUserInfo, added, { as: admin })).toMatchObject({ code: 'SCM01038', message: ofPerson('赵双职', pairs) });
    const superAdmin = await app.staff({ role: 'SUPER_ADMIN' });
    expect(await refuseGiving(superAdmin.userId, approver.id)).toMatchObject({ code: 'SCM01038' });
  });

  it('is refused by the day, so that one role may follow the other', async () => {
    const [maker, approver] = [await makeRole(app, [MAKES], admin), await makeRole(app, [APPROVES], admin)];
    const { userId } = await app.staff({});
    await give(userId, maker.id, { validTo: '2099-06-30' });
    expect(await refuseGiving(userId, approver.id, { validFrom: '2099-06-30' })).toMatchObject({ code: 'SCM01038' });
    await give(userId, approver.id, { validFrom: '2099-07-01' });
    const { rows } = await app.ok(queryUserRoleList, { userId }, { as: admin });
    const first = rows.find((row) => row.roleId === maker.id)!;
    const longer = { id: first.id, version: first.version, validTo: null };
    expect(await app.refused(modifyUserRole, longer, { as: admin })).toMatchObject({ code: 'SCM01038' });
    await app.ok(modifyUserRole, { ...longer, validTo: '2099-01-01' }, { as: admin });
  });

  it('is refused when a role that he holds gains the other right, or is enabled with it', async () => {
    const [maker, later] = [await makeRole(app, [MAKES], admin), await makeRole(app, [], admin)];
    const person = await app.staff({});
    await give(person.userId, maker.id);
    await give(person.userId, later.id);
    const change = { id: later.id, permissions: ['identity.menu.view', APPROVES], confirmHigh: true };
    const pairs = `发放单：“制作发放单”（${maker.name}）与“批准、撤回发放”（${later.name}）`;
    expect(await app.refused(modifyRoleInfo, { ...change, version: later.version }, { as: admin })).toMatchObject({
      code: 'SCM01038',
      message: ofPerson(person.displayName, pairs),
    });
    await app.ok(modifyRoleInfo, { id: later.id, version: later.version, action: 'disable', opinion: '停用' }, { as: admin });
    await app.ok(modifyRoleInfo, { ...change, version: later.version + 1 }, { as: admin });
    const enable = { id: later.id, version: later.version + 2, action: 'enable' as const, opinion: '启用' };
    expect(await app.refused(modifyRoleInfo, enable, { as: admin })).toMatchObject({ code: 'SCM01038' });
  });

  it('is warned of elsewhere, answered and logged', async () => {
    const [writer, judge] = [await makeRole(app, [WRITES], admin), await makeRole(app, [JUDGES], admin)];
    const person = await app.staff({});
    await give(person.userId, writer.id);
    const { results } = await give(person.userId, judge.id);
    const warning = `广告：“编辑广告”（${writer.name}）与“审核广告”（${judge.name}）`;
    expect(results).toMatchObject([{ ok: true, warnings: [warning] }]);
    expect(await user(person.userId)).toMatchObject({ duties: [{ document: '广告', makesRole: writer.name, decidesRole: judge.name }] });
  });

  it('who was so before is marked, keeps his rights, and is mended by the next change', async () => {
    const [maker, other] = [await makeRole(app, [MAKES], admin), await makeRole(app, [], admin)];
    const person = await app.staff({});
    await give(person.userId, maker.id);
    await give(person.userId, other.id);
    await slipIn(other.id, APPROVES);
    const listed = await app.ok(queryUserInfoList, { id: person.userId, dutyConflict: true }, { as: admin });
    expect(listed.rows).toMatchObject([{ duties: [{ document: '发放单', money: true }] }]);
    const third = await makeRole(app, [], admin);
    expect(await refuseGiving(person.userId, third.id)).toMatchObject({ code: 'SCM01038' });
    const { rows } = await app.ok(queryUserRoleList, { userId: person.userId }, { as: admin });
    const wrong = rows.find((row) => row.roleId === other.id)!;
    await app.ok(modifyUserRole, { id: wrong.id, version: wrong.version, state: 'DISABLED' }, { as: admin });
    await give(person.userId, third.id);
    expect((await app.ok(queryUserInfoList, { id: person.userId, dutyConflict: true }, { as: admin })).rows).toEqual([]);
  });
});

describe('two acts at once that join a pair together', () => {
  it('are one role each for the same person: exactly one passes', async () => {
    const [maker, approver] = [await makeRole(app, [MAKES], admin), await makeRole(app, [APPROVES], admin)];
    for (let round = 0; round < 5; round++) {
      const { userId } = await app.staff({});
      const answers = await Promise.all(
        [maker, approver].map((role) => app.send(addUserRole, { userIds: [userId], roleId: role.id }, { as: admin })),
      );
      expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM01038']);
    }
  });

  it('are a right each for two roles of one person, or a right and an assignment: exactly one passes', async () => {
    for (let round = 0; round < 3; round++) {
      const [one, two] = [await makeRole(app, [], admin), await makeRole(app, [], admin)];
      const { userId } = await app.staff({});
      await give(userId, one.id);
      await give(userId, two.id);
      const add = (role: { id: string; version: number }, code: string) =>
        app.send(
          modifyRoleInfo,
          { id: role.id, version: role.version, permissions: ['identity.menu.view', code], confirmHigh: true },
          { as: admin },
        );
      const rightsAtOnce = await Promise.all([add(one, MAKES), add(two, APPROVES)]);
      expect(rightsAtOnce.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM01038']);
      const [maker, later] = [await makeRole(app, [MAKES], admin), await makeRole(app, [], admin)];
      const other = await app.staff({});
      await give(other.userId, maker.id);
      const both = await Promise.all([
        add(later, APPROVES),
        app.send(addUserRole, { userIds: [other.userId], roleId: later.id }, { as: admin }),
      ]);
      expect(both.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM01038']);
    }
  });
});

describe('an import of users', () => {
  const call = (name: string): Call => app.kernel.registry.calls.find((one) => one.name === `ImportService/${name}`)!;

  it('refuses rows whose roles join a pair of money or exclude each other, and warns of other pairs', async () => {
    const makers = await Promise.all([MAKES, WRITES].map((code) => makeRole(app, [code], admin)));
    const deciders = await Promise.all([APPROVES, JUDGES].map((code) => makeRole(app, [code], admin)));
    const roles = [0, 1].map((index) => `${makers[index]!.roleCode}、${deciders[index]!.roleCode}`);
    const row = (codes: string) => [fresh('imp_duty_'), '钱双职', '', '', '', '本公司', '', codes, '全部'];
    const fileId = await userTable(app, admin, [row(roles[0]!), row(roles[1]!), row('CLAIM_FIRST、CLAIM_PAY'), row('SERVICE')]);
    const { importTaskId } = await app.ok(importUserInfo, { fileId }, { as: admin });
    await app.runDue();
    const { envelope } = await app.send(call('queryImportRowList'), { importTaskId, hasError: true }, { as: admin });
    expect(envelope.data).toMatchObject([
      {
        rowNo: 2,
        errors: [{ message: ofPerson('该用户', `发放单：“制作发放单”（${makers[0]!.name}）与“批准、撤回发放”（${deciders[0]!.name}）`) }],
      },
      { rowNo: 3, errors: [{ message: `广告：“编辑广告”（${makers[1]!.name}）与“审核广告”（${deciders[1]!.name}）` }] },
      { rowNo: 4, errors: [{ message: '角色“理赔初审”与“理赔打款”互斥，不能分配给同一用户' }] },
    ]);
  });
});

describe('every night', () => {
  it('who may change roles is told of roles and people with conflicts of money, until there are none', async () => {
    const role = await makeRole(app, [MAKES], admin);
    const person = await app.staff({});
    await give(person.userId, role.id);
    await slipIn(role.id, APPROVES);
    const told = async () => {
      await app.advance(days(1));
      const { rows } = await app.ok(queryMyNoticeList, {}, { as: await administrator(app) });
      return rows.find(({ title }) => title.startsWith('资金职责冲突'));
    };
    expect((await told())?.body).toContain(`角色“${role.name}”：${GRANT}`);
    await sql`delete from identity_role_permission where code = ${APPROVES}`.execute(app.db);
    expect(await told()).toBeUndefined();
  });
});
