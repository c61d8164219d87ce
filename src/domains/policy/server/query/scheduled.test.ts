import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import { addQueryView, modifyQueryView, queryViewRecipientOptions } from '../../contract/calls/query.ts';
import { queryPermissions as may } from '../../contract/permissions.ts';
import { keeper, makeProduct, policyWish, serial } from '../testing/fixtures.ts';

type Config = InputOf<typeof addQueryView>['config'];
const config: Config = { columns: [{ key: 'policyNo' }] };

let app: TestApp;
let asker: TestStaff;
let narrow: TestStaff;
let insurerId: string;
const all = Object.values(may).map(({ code }) => code);
const exports = [may['query.view'].code, may['query.export'].code];

beforeAll(async () => {
  app = await startTestApp();
  const maker = await keeper(app);
  const insurers: string[] = [];
  for (const holderName of ['江南科技有限公司', '苏北制造有限公司']) {
    const made = await makeProduct(app);
    await app.ok(addPolicy, policyWish(made.productId, { holderName }), { as: maker });
    insurers.push(made.insurerId);
  }
  insurerId = insurers[0]!;
});
// Sessions end while months go by.
beforeEach(async () => {
  asker = await app.staff({ permissions: all });
  narrow = await app.staff({ permissions: exports, scope: { insurer: [insurerId] } });
});
afterAll(() => app.close());

/** A view of its own of somebody, exported on that day of each month. */
async function planned(as: TestStaff, dayOfMonth: number, recipients: string[] = [], more: Partial<Config> = {}) {
  const wish = { ...config, ...more };
  const viewName = `清单${serial()}`;
  const { id, version } = await app.ok(addQueryView, { dataset: 'policy', config: wish, viewName }, { as });
  return app.ok(modifyQueryView, { id, version, viewName, config: wish, schedule: { dayOfMonth, recipients } }, { as });
}
const until = (at: string) => app.advance(Date.parse(at) - Date.parse(app.clock.now()), ['policy']);
const madeOf = async (viewName: string) =>
  (
    await sql<{ createdBy: string; state: string; rowsDone: string; filterText: string; userRoleId: string }>`
      select created_by::text, state, rows_done::text, filter_text, user_role_id::text from files_export_task task
      where source_title = ${`保费信息_${viewName}`} order by task.created_by`.execute(app.db)
  ).rows;
const scheduleOf = async (id: string) =>
  (
    await sql<{ scheduleDay: number | null; nextOn: string | null; ran: boolean; waiting: string[] }>`
      select schedule_day, next_on::text, last_run_at is not null as ran, waiting from policy_query_view where id = ${id}`.execute(app.db)
  ).rows[0];
const numbers = (...userIds: string[]) => userIds.toSorted((a, b) => Number(a) - Number(b));

describe('a schedule', () => {
  it('is set by who may export, for people who may, and makes files for each within his own scope', async () => {
    const wish = {
      ...config,
      limit: 5,
      filters: { op: 'AND' as const, items: [{ variable: 'holderName', operator: 'contains' as const, value: '有限公司' }] },
    };
    const { id, version } = await app.ok(addQueryView, { dataset: 'policy', config: wish, viewName: '每月清单' }, { as: asker });
    const plan = (dayOfMonth: number, recipients: string[]) => ({
      id,
      version,
      viewName: '每月清单',
      config: wish,
      schedule: { dayOfMonth, recipients },
    });
    const viewer = await app.staff({ permissions: [may['query.view'].code], displayName: '周查询' });
    const other = await app.ok(addQueryView, { dataset: 'policy', config, viewName: '每月清单' }, { as: viewer });
    expect((await app.refused(modifyQueryView, { ...plan(5, []), id: other.id, version: other.version }, { as: viewer })).code).toBe(
      'SCM90010',
    );
    expect(JSON.stringify(await app.refused(modifyQueryView, plan(29, []), { as: asker }))).toContain('请选择1至28日');
    const unable = JSON.stringify(await app.refused(modifyQueryView, plan(5, [narrow.userId, viewer.userId]), { as: asker }));
    expect(unable).toContain('接收人周查询没有导出查询结果的权限，请移除后再保存');
    const options = await app.ok(queryViewRecipientOptions, {}, { as: asker });
    expect(options.map(({ userId }) => userId)).toEqual(expect.arrayContaining([asker.userId, narrow.userId]));
    expect(options.map(({ userId }) => userId)).not.toContain(viewer.userId);
    const set = await app.ok(modifyQueryView, plan(5, [narrow.userId]), { as: asker });
    expect(set).toMatchObject({ schedule: { dayOfMonth: 5, recipients: [narrow.userId] }, nextOn: '2026-12-05', lastRunAt: null });
    // Its other facts are changed beside it, and leave it.
    const renamed = await app.ok(modifyQueryView, { id, version: set.version, viewName: '月初清单', config: wish }, { as: asker });
    expect(renamed).toMatchObject({ viewName: '月初清单', nextOn: '2026-12-05' });
    await until('2026-12-04T04:00:00Z');
    expect(await madeOf('月初清单')).toEqual([]);
    await until('2026-12-05T04:00:00Z');
    const tasks = await madeOf('月初清单');
    expect(tasks.map(({ createdBy, state }) => [createdBy, state])).toEqual(
      numbers(asker.userId, narrow.userId).map((userId) => [userId, 'SUCCESS']),
    );
    const rowsOf = (userId: string) => tasks.find(({ createdBy }) => createdBy === userId)?.rowsDone;
    expect([rowsOf(asker.userId), rowsOf(narrow.userId)]).toEqual(['2', '1']);
    expect(tasks[0]?.filterText).toBe('定时导出：月初清单；保单；投保人 包含 有限公司；最多5行');
    expect(await scheduleOf(id)).toMatchObject({ nextOn: '2027-01-05', ran: true });
  });

  it('names a recipient who may no longer export, until he is taken off', async () => {
    const leaving = await app.staff({ permissions: exports, displayName: '吴离任' });
    const view = await planned(asker, 6, [leaving.userId]);
    await sql`update identity_user_role set state = 'DISABLED' where user_id = ${leaving.userId}`.execute(app.db);
    expect(await app.refused(queryViewRecipientOptions, { id: view.id }, { as: narrow })).toMatchObject({ code: 'SCM90040' });
    const options = await app.ok(queryViewRecipientOptions, { id: view.id }, { as: asker });
    expect(options.filter(({ able }) => !able)).toEqual([{ userId: leaving.userId, displayName: '吴离任', roleName: '', able: false }]);
    const { id, version, viewName } = view;
    const plan = (recipients: string[]) => ({ id, version, viewName, config, schedule: { dayOfMonth: 6, recipients } });
    expect(JSON.stringify(await app.refused(modifyQueryView, plan([leaving.userId]), { as: asker }))).toContain('接收人吴离任没有导出');
    await app.ok(modifyQueryView, { ...plan([]), schedule: null }, { as: asker });
  });

  it('stays due for whoever has five other exports open, and makes no second file for those who have theirs', async () => {
    const views = [];
    for (let n = 1; n <= 6; n += 1) views.push(await planned(asker, 8, n === 6 ? [narrow.userId] : [], { limit: n }));
    const last = views.at(-1)!;
    await sql`update identity_session set idle_expires_at = '2027-01-01', absolute_expires_at = '2027-01-01'
      where user_id = ${asker.userId}`.execute(app.db);
    const files = async () => (await madeOf(last.viewName)).map(({ createdBy }) => createdBy);
    await until('2026-12-07T22:11:00Z');
    for (const { id } of views.slice(0, 5)) expect(await scheduleOf(id)).toMatchObject({ nextOn: '2027-01-08', ran: true, waiting: [] });
    expect(await files()).toEqual([narrow.userId]);
    expect(await scheduleOf(last.id)).toMatchObject({ nextOn: '2026-12-08', waiting: [asker.userId] });
    // Saving the same plan again takes nobody's place.
    const { id, version, viewName } = last;
    const same = { dayOfMonth: 8, recipients: [narrow.userId] };
    const kept = await app.ok(modifyQueryView, { id, version, viewName, config: { ...config, limit: 6 }, schedule: same }, { as: asker });
    expect(kept.nextOn).toBe('2026-12-08');
    await until('2026-12-07T22:45:00Z');
    expect(await files()).toEqual(numbers(asker.userId, narrow.userId));
    expect(await scheduleOf(last.id)).toMatchObject({ nextOn: '2027-01-08', ran: true, waiting: [] });
    for (const one of views.slice(0, 5)) expect(await madeOf(one.viewName)).toHaveLength(1);
    // Who still waits when the next time comes is one among all again.
    await sql`update policy_query_view set waiting = ${JSON.stringify([asker.userId])}::jsonb, next_on = '2026-11-08'
      where id = ${last.id}`.execute(app.db);
    await until('2026-12-08T22:30:00Z');
    expect(await files()).toHaveLength(4);
    await sql`update policy_query_view set schedule_day = null, next_on = null`.execute(app.db);
  });

  it('leaves a view without a file as it was where nobody had room', async () => {
    const views = [];
    for (let n = 1; n <= 6; n += 1) views.push(await planned(asker, 10, [], { limit: 10 + n }));
    await until('2026-12-09T22:11:00Z');
    expect(await scheduleOf(views.at(-1)!.id)).toEqual({ scheduleDay: 10, nextOn: '2026-12-10', ran: false, waiting: [asker.userId] });
    await until('2026-12-10T04:00:00Z');
    expect(await scheduleOf(views.at(-1)!.id)).toMatchObject({ nextOn: '2027-01-10', ran: true });
    await sql`update policy_query_view set schedule_day = null, next_on = null`.execute(app.db);
  });

  it('runs under the assignment in which it was made, and ends where that one may no longer export', async () => {
    const owner = await app.staff({ permissions: exports });
    const { rows } = await sql<{ id: string }>`
      insert into identity_user_role (user_id, role_id, scope, valid_from, state, created_at, updated_at)
        select ${owner.userId}, role_id, ${JSON.stringify({ own: false, region: null, insurer: [insurerId], channel: null })}::jsonb,
            valid_from, state, created_at, updated_at
          from identity_user_role
          where user_id = ${asker.userId}
          returning id::text`.execute(app.db);
    const limited: TestStaff = { ...owner, userRoleId: rows[0]!.id };
    const view = await planned(limited, 12, [asker.userId]);
    await until('2026-12-12T04:00:00Z');
    const tasks = await madeOf(view.viewName);
    expect(tasks.find(({ createdBy }) => createdBy === owner.userId)).toMatchObject({ userRoleId: limited.userRoleId, rowsDone: '1' });
    expect(tasks.find(({ createdBy }) => createdBy === asker.userId)).toMatchObject({ rowsDone: '2' });
    const past = await planned(await app.staff({ permissions: exports }), 12, [asker.userId]);
    await sql`update identity_staff_user set valid_to = '2027-01-01'
      where id = (select owner_user_id from policy_query_view where id = ${past.id})`.execute(app.db);
    await sql`update identity_user_role set state = 'DISABLED' where id = ${limited.userRoleId}`.execute(app.db);
    await until('2027-01-12T04:00:00Z');
    for (const { id, viewName, of } of [
      { ...view, of: 2 },
      { ...past, of: 0 },
    ]) {
      expect(await scheduleOf(id)).toMatchObject({ scheduleDay: null, nextOn: null });
      expect(await madeOf(viewName)).toHaveLength(of);
    }
  });

  it('of a view that can no longer be asked holds up no other, and is seen as a failed job', async () => {
    const broken = await planned(asker, 14);
    const gone = await planned(asker, 14);
    const good = await planned(asker, 14);
    await sql`update policy_query_view set config = '{"columns": []}' where id = ${broken.id}`.execute(app.db);
    await sql`update policy_query_view set config = '{"columns": [{"key": "formerly"}]}' where id = ${gone.id}`.execute(app.db);
    await expect(until('2027-01-14T04:00:00Z')).rejects.toThrow(`2项处理失败，其余已处理：${broken.viewName}、${gone.viewName}。`);
    await app.runDue();
    expect(await madeOf(good.viewName)).toHaveLength(1);
    expect(await scheduleOf(good.id)).toMatchObject({ nextOn: '2027-02-14', ran: true });
    expect(await scheduleOf(broken.id)).toMatchObject({ nextOn: '2027-01-14', ran: false });
  });
});
