import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryMyNoticeList } from '#domains/identity/contract/calls/notices.ts';
import {
  addFindingOwner,
  auditFinding,
  batchTransferFinding,
  modifyCheck,
  modifyFindingOwner,
  queryFindingList,
  queryFindingOwnerList,
  queryFindingOwnerOptions,
  removeFindingOwner,
  runCheck,
} from '../../contract/calls/abnormal.ts';
import { abnormalPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { serial } from '../testing/fixtures.ts';
import { coveredPerson } from '../testing/orders.ts';

let app: TestApp;
let supervisor: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  supervisor = await app.staff({ permissions: Object.values(may).map(({ code }) => code) });
});
afterAll(() => app.close());

const key = () => `policy-owners-${serial()}`;
const handler = (more: Parameters<TestApp['staff']>[0] = {}) =>
  app.staff({ permissions: [may['abnormal.view'].code, may['abnormal.handle'].code], ...more });
const add = (input: InputOf<typeof addFindingOwner>) => app.ok(addFindingOwner, input, { as: supervisor, idempotencyKey: key() });
const refused = (input: InputOf<typeof addFindingOwner>, as = supervisor) =>
  app.refused(addFindingOwner, input, { as, idempotencyKey: key() });

/** A policy with fewer persons than were declared, of an insurer of its own. */
async function wrongPolicy() {
  const { policyId } = await coveredPerson(app);
  const { insurerId } = await own(app.db)
    .updateTable('policyPolicy')
    .set({ declaredCount: 9 })
    .where('id', '=', policyId)
    .returning('insurerId')
    .executeTakeFirstOrThrow();
  return { policyId, insurerId: insurerId! };
}
const find = async (policyId: string) => {
  await app.ok(runCheck, { checkCode: ['AB07'] }, { as: supervisor, idempotencyKey: key() });
  const { rows } = await app.ok(queryFindingList, { checkCode: ['AB07'] }, { as: supervisor });
  return rows.find((row) => row.policyId === policyId)!;
};
const todosOf = async (as: TestStaff) =>
  (await app.ok(queryMyNoticeList, { kind: 'TODO' }, { as })).rows.filter(({ title }) => title.startsWith('异常保单数据'));

describe('owners of abnormal data', () => {
  it('are people who may handle it, in whose scope it lies, one for each insurer', async () => {
    const { insurerId } = await wrongPolicy();
    const one = await handler();
    const looker = await app.staff({ permissions: [may['abnormal.view'].code] });
    const wish = { ownerKind: 'INSURER' as const, insurerId, userId: one.userId };
    expect(await refused(wish, looker)).toMatchObject({ code: 'SCM90010' });
    expect(await refused({ ...wish, insurerId: '999999999' })).toMatchObject({ code: 'SCM90040', message: '保司不存在或已删除' });
    expect(await refused({ ...wish, userId: looker.userId })).toMatchObject({
      fields: [{ path: 'userId', message: '请选择可以处理异常的责任人' }],
    });
    const stranger = await handler({ scope: { insurer: ['999999999'] } });
    expect(await refused({ ...wish, userId: stranger.userId })).toMatchObject({
      fields: [{ path: 'userId', message: expect.stringContaining('的数据范围不含') }],
    });
    const limited = await app.staff({ permissions: [may['abnormal.supervise'].code], scope: { insurer: [insurerId] } });
    expect(await refused({ ownerKind: 'INSURER', userId: one.userId }, limited)).toMatchObject({
      fields: [{ path: 'insurerId', message: '请选择保司；您的数据范围不含全部保司' }],
    });
    const made = await add(wish);
    expect(await refused(wish)).toMatchObject({
      fields: [{ path: 'insurerId', message: expect.stringContaining('已有责任人，请直接修改') }],
    });
    const other = await handler();
    const change = { id: made.id, version: made.version, userId: other.userId };
    expect(await app.ok(modifyFindingOwner, change, { as: supervisor })).toMatchObject({ userId: other.userId, fit: true, version: 2 });
    expect(await app.refused(modifyFindingOwner, { ...change, userId: one.userId }, { as: supervisor })).toMatchObject({
      code: 'SCM90030',
      data: { current: { userId: other.userId } },
    });
    expect((await app.ok(queryFindingOwnerList, {}, { as: looker })).map(({ id }) => id)).toContain(made.id);
    expect((await app.ok(queryFindingOwnerOptions, {}, { as: supervisor })).map(({ userId }) => userId)).toContain(one.userId);
    const gone = { id: made.id, version: 2 };
    expect(await app.refused(removeFindingOwner, { ...gone, version: 1 }, { as: supervisor })).toMatchObject({ code: 'SCM90030' });
    await app.ok(removeFindingOwner, gone, { as: supervisor });
    expect((await app.ok(queryFindingOwnerList, {}, { as: looker })).map(({ id }) => id)).not.toContain(made.id);
  });

  it('get what is first seen of their insurer, else whoever has all, else nobody; their to-do goes with the last', async () => {
    const [unowned, general, special] = [await wrongPolicy(), await wrongPolicy(), await wrongPolicy()];
    expect(await find(unowned.policyId)).toMatchObject({ owner: null, state: 'OPEN' });
    // What was seen already stays as it is.
    await sql`delete from policy_abnormal_finding where policy_id in (${general.policyId}, ${special.policyId})`.execute(app.db);
    const [all, mine] = [await handler(), await handler()];
    await add({ ownerKind: 'INSURER', userId: all.userId });
    await add({ ownerKind: 'INSURER', insurerId: special.insurerId, userId: mine.userId });
    const own = await find(special.policyId);
    expect(own).toMatchObject({ owner: mine.displayName, state: 'OPEN' });
    expect(await find(general.policyId)).toMatchObject({ owner: all.displayName });
    expect(await find(unowned.policyId)).toMatchObject({ owner: null });
    expect(await todosOf(mine)).toMatchObject([
      { title: '异常保单数据“人数与申报不符”待处理', link: '/abnormalPolicyData?tab=mine&checkCode=AB07' },
    ]);
    const { rows } = await app.ok(queryFindingList, { mine: true, checkCode: ['AB07'] }, { as: mine });
    const waiting = rows.map(({ policyId }) => policyId);
    expect(waiting).toEqual(expect.arrayContaining([special.policyId, unowned.policyId]));
    expect(waiting).not.toContain(general.policyId);
    // Handed on to somebody else, it is nobody else's to-do any more.
    const stranger = await handler({ scope: { insurer: ['999999999'] } });
    const transfer = { id: own.id, version: own.version, action: 'transfer' as const, note: '休假', toUserId: all.userId };
    expect(
      await app.refused(auditFinding, { ...transfer, toUserId: stranger.userId }, { as: supervisor, idempotencyKey: key() }),
    ).toMatchObject({ fields: [{ path: 'toUserId', message: expect.stringContaining('的数据范围不含') }] });
    await app.ok(auditFinding, transfer, { as: supervisor, idempotencyKey: key() });
    expect(await todosOf(mine)).toEqual([]);
    expect(await todosOf(all)).toHaveLength(1);
    await sql`update policy_policy set declared_count = 1 where id in (${general.policyId}, ${special.policyId})`.execute(app.db);
    await find(unowned.policyId);
    expect(await todosOf(all)).toEqual([]);
  });

  it('are those of the kind that the check names, as long as they may handle it', async () => {
    const { policyId } = await wrongPolicy();
    const [finance, retired] = [await handler(), await handler()];
    await add({ ownerKind: 'FINANCE', userId: finance.userId });
    await add({ ownerKind: 'PRODUCT', userId: retired.userId });
    await sql`update identity_staff_user set state = 'DISABLED' where id = ${retired.userId}`.execute(app.db);
    const set = { checkCode: 'AB07' as const, enabled: true, severity: 'MID' as const, dueDays: 7 };
    const { version } = await app.ok(modifyCheck, { ...set, version: 1, ownerRule: 'PRODUCT' }, { as: supervisor, idempotencyKey: key() });
    expect(await find(policyId)).toMatchObject({ owner: null });
    const owners = await app.ok(queryFindingOwnerList, {}, { as: supervisor });
    expect(owners.find(({ userId }) => userId === retired.userId)).toMatchObject({ fit: false });
    await sql`delete from policy_abnormal_finding where policy_id = ${policyId}`.execute(app.db);
    await app.ok(modifyCheck, { ...set, version, ownerRule: 'FINANCE' }, { as: supervisor, idempotencyKey: key() });
    expect(await find(policyId)).toMatchObject({ owner: finance.displayName });
  });

  it('give their own to somebody else, and nobody else’s; who supervises gives any', async () => {
    const { policyId } = await wrongPolicy();
    const found = await find(policyId);
    const one = await handler();
    const two = await handler();
    const viewer = await app.staff({ permissions: [may['abnormal.view'].code] });
    const manager = await app.staff({ permissions: [may['abnormal.view'].code, may['abnormal.supervise'].code] });
    const give = (version: number, to: TestStaff, more: object = {}) =>
      ({ id: found.id, version, action: 'transfer', toUserId: to.userId, note: '请核对名单', ...more }) as const;
    const not = (input: InputOf<typeof auditFinding>, as: TestStaff) => app.refused(auditFinding, input, { as, idempotencyKey: key() });
    const act = (input: InputOf<typeof auditFinding>, as: TestStaff) => app.ok(auditFinding, input, { as, idempotencyKey: key() });
    expect(await app.refused(queryFindingOwnerOptions, {}, { as: viewer })).toMatchObject({ code: 'SCM90010' });
    expect(await not(give(found.version, two), viewer)).toMatchObject({ code: 'SCM90010' });
    expect(await not(give(found.version, two), one)).toMatchObject({ code: 'SCM90010', message: '只有责任人或有转派权限的人可以转派' });
    const taken = await act({ id: found.id, version: found.version, action: 'take' }, one);
    expect(taken.allowedActions).toContain('transfer');
    expect(await not(give(taken.version, viewer), one)).toMatchObject({ code: 'SCM90020', fields: [{ path: 'toUserId' }] });
    expect(await not(give(taken.version, two, { note: ' ' }), one)).toMatchObject({ code: expect.stringMatching(/SCM/) });
    expect((await app.ok(queryFindingOwnerOptions, {}, { as: one })).map(({ userId }) => userId)).toContain(two.userId);
    const given = await act(give(taken.version, two), one);
    expect(given.allowedActions).not.toContain('transfer');
    const fix = { id: found.id, version: given.version, action: 'submitFix', note: '已核对' } as const;
    expect(await not(fix, one)).toMatchObject({ code: 'SCM90010', message: expect.stringContaining('请由责任人提交') });
    expect(await not(fix, two)).toMatchObject({ code: 'SCM13061' });
    expect(await act(give(given.version, one), manager)).toMatchObject({ state: 'FIXING' });
    // who supervises alone mends nothing
    expect(await not({ ...fix, version: given.version + 1 }, manager)).toMatchObject({ code: 'SCM90010' });
  });

  it('take many at once, each with its own answer', async () => {
    const [one, two] = [await wrongPolicy(), await wrongPolicy()];
    const [first, second] = [await find(one.policyId), await find(two.policyId)];
    const [narrow, wide, viewer] = [
      await handler({ scope: { insurer: [one.insurerId] } }),
      await handler(),
      await app.staff({ permissions: [may['abnormal.view'].code] }),
    ];
    const wish = (to: TestStaff, versions = [first.version, second.version]) => ({
      items: [first, second].map(({ id }, at) => ({ id, version: versions[at]! })),
      toUserId: to.userId,
      note: '休假',
    });
    const give = (input: InputOf<typeof batchTransferFinding>) =>
      app.ok(batchTransferFinding, input, { as: supervisor, idempotencyKey: key() });
    expect(await app.refused(batchTransferFinding, wish(wide), { as: viewer, idempotencyKey: key() })).toMatchObject({ code: 'SCM90010' });
    expect(await app.refused(batchTransferFinding, { ...wish(wide), items: [] }, { as: supervisor, idempotencyKey: key() })).toMatchObject({
      fields: [{ path: 'items', message: '请选择异常' }],
    });
    expect(await give(wish(viewer))).toMatchObject([{ ok: false, message: '请选择可以处理异常的责任人' }, { ok: false }]);
    expect(await give(wish(narrow))).toEqual([
      { id: first.id, ok: true, code: null, message: '成功' },
      { id: second.id, ok: false, code: 'SCM90020', message: expect.stringContaining('的数据范围不含') },
    ]);
    // The first one is another version by now; the other is given all the same.
    expect(await give(wish(wide))).toMatchObject([{ ok: false, code: 'SCM90030' }, { ok: true }]);
    expect([(await find(one.policyId)).owner, (await find(two.policyId)).owner]).toEqual([narrow.displayName, wide.displayName]);
  });
});
