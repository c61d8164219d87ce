import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { minutes } from '#kernel/contract/time.ts';
import { modifyCancelUserInfo } from '../../contract/calls/login.ts';
import { modifySecurityPolicy } from '../../contract/calls/policy.ts';
import { modifyRoleInfo, queryRoleInfoDetail, queryRoleInfoList } from '../../contract/calls/roles.ts';
import { querySessionList, removeSession } from '../../contract/calls/sessions.ts';
import { modifyUserInfo } from '../../contract/calls/users.ts';
import { removeUserRole } from '../../contract/calls/userRoles.ts';
import { own } from '../database.ts';
import { keptSessions } from './kept.ts';
import { administrator, menuOf } from '../testing/fixtures.ts';

// Two processes on one database, as far as they can tell. Sessions are kept in memory only while a process hears the other ones.
let here: TestApp;
let there: TestApp;
beforeAll(async () => {
  here = await startTestApp();
  there = await startTestApp({ beside: here });
  await here.listen();
  await there.listen();
});
afterAll(async () => {
  await there.close();
  await here.close();
});

/** Waits until a process has heard of everything that was committed before. */
async function hearing(app: TestApp): Promise<void> {
  const heard = new Promise<void>((resolve) => app.kernel.rowChanges.watch('test', /^$/, (changed) => changed === 'said' && resolve()));
  await sql`select pg_notify('kangqiao_rows', 'test said')`.execute(app.db);
  await heard;
}

const page = { pageNo: 1, pageSize: 10 };
const enters = (app: TestApp, as: TestStaff) => app.ok(querySessionList, { ...page, mine: true }, { as });
const seesRoles = async (app: TestApp, as: TestStaff) => (await app.send(queryRoleInfoList, page, { as })).envelope.code;
const enterCode = async (app: TestApp, as: TestStaff) => (await app.send(querySessionList, { ...page, mine: true }, { as })).envelope.code;

const assignmentOf = (app: TestApp, id: string | null) =>
  own(app.db).selectFrom('identityUserRole').select(['roleId', 'version']).where('id', '=', id).executeTakeFirstOrThrow();

/** Changes rows in a way of which no process is told: who goes on as before was not read again. */
const silently = (statement: string) => here.database.asOwner(`set session_replication_role = replica; ${statement}`);
const endSilently = ({ sessionId }: TestStaff) =>
  silently(`update identity_session set ended_at = last_seen_at, end_reason = 'KICKED' where id = ${sessionId}`);

it('hears the other processes soon after it was started', async () => {
  for (const app of [here, there]) await expect.poll(() => app.kernel.rowChanges.live).toBe(true);
});

it('knows a statement that writes, whatever lines it stands on', () => {
  const writes: RegExp[] = [];
  keptSessions({ live: true, watch: (_topic, found) => void writes.push(found) });
  for (const statement of [
    'update identity_session set ended_at = $1',
    'update identity_session\n   set ended_at = $1',
    'with gone as (\n  delete from identity_session\n   where id = $1\n) select 1',
    'insert into identity_user_role (\n  user_id\n)\n  values ($1)',
    'update\n  "identity_role" set "name" = $1',
  ])
    expect(statement).toMatch(writes[0]!);
  const touch = 'update "identity_session" set "last_seen_at" = $1, "idle_expires_at" = $2 where "id" = $3';
  expect(touch).not.toMatch(writes[0]!);
});

describe('what ends or narrows a session is felt at the next call of the process that did it, and reaches the other one', () => {
  const cases: readonly [string, (app: TestApp, admin: TestStaff, user: TestStaff) => Promise<unknown>, string][] = [
    ['forced off', (app, as, { sessionId }) => app.ok(removeSession, { sessionId, opinion: '核实异常登录' }, { as }), 'SCM90002'],
    ['signed out', (app, _as, user) => app.ok(modifyCancelUserInfo, {}, { as: user }), 'SCM90002'],
    [
      'disabled',
      async (app, as, { userId }) => {
        const { version } = await own(app.db)
          .selectFrom('identityStaffUser')
          .select('version')
          .where('id', '=', userId)
          .executeTakeFirstOrThrow();
        return app.ok(modifyUserInfo, { id: userId, version, action: 'disable', opinion: '停用核实' }, { as });
      },
      'SCM90002',
    ],
    [
      'a role that lost the right',
      async (app, as, { userRoleId }) => {
        const { roleId } = await assignmentOf(app, userRoleId);
        const { version } = await app.ok(queryRoleInfoDetail, { id: roleId }, { as });
        return app.ok(
          modifyRoleInfo,
          { id: roleId, version, menuIds: [await menuOf(app, 'operationLog')], permissions: ['identity.log.view'], confirmHigh: true },
          { as },
        );
      },
      'SCM90010',
    ],
    [
      'an assignment taken away',
      async (app, as, { userRoleId }) => {
        const { version } = await assignmentOf(app, userRoleId);
        return app.ok(removeUserRole, { id: userRoleId ?? '', version, opinion: '调岗收回' }, { as });
      },
      'SCM90010',
    ],
  ];
  it.each(cases)('%s', async (_name, act, code) => {
    const admin = await administrator(here);
    const user = await here.staff({ permissions: ['identity.role.view'] });
    for (const app of [here, there]) expect(await seesRoles(app, user)).toBe('0000000');
    await act(here, admin, user);
    expect(await seesRoles(here, user)).toBe(code);
    await expect.poll(() => seesRoles(there, user)).toBe(code);
  });
});

it('reads no session twice within a minute, and refuses only what the database says', async () => {
  const user = await here.staff({ permissions: [] });
  await hearing(here);
  await enters(here, user);
  await endSilently(user);
  await enters(here, user);
  // Somebody else's operator number is no reason to end anything, but not let through either.
  expect((await here.send(querySessionList, { ...page, mine: true }, { as: { ...user, opNo: 'KQ0000' } })).envelope.code).toBe('SCM90002');
  await here.advance(minutes(1));
  expect(await enterCode(here, user)).toBe('SCM90002');
});

it('keeps a session whose idle limit has just been moved', async () => {
  const user = await here.staff({ permissions: [] });
  await here.advance(minutes(1));
  await hearing(here);
  await enters(here, user);
  await endSilently(user);
  await enters(here, user);
});

it('another role of the same token is a session of its own', async () => {
  const user = await here.staff({ permissions: ['identity.role.view'] });
  expect(await seesRoles(here, user)).toBe('0000000');
  expect(await seesRoles(here, { ...user, userRoleId: '999999999' })).toBe('SCM90010');
});

it('an idle limit made shorter counts at once', async () => {
  const [admin, user] = [await administrator(here), await here.staff({ permissions: [] })];
  await hearing(there);
  await enters(there, user);
  const before = await own(here.db).selectFrom('identitySecurityPolicy').select('version').executeTakeFirstOrThrow();
  await endSilently(user);
  await enters(there, user);
  await here.ok(modifySecurityPolicy, { version: before.version, opinion: '缩短空闲时间', sessionIdleMinutes: 30 }, { as: admin });
  await expect.poll(() => enterCode(there, user)).toBe('SCM90002');
});

it('reads each session again while the other processes cannot be heard', async () => {
  const user = await here.staff({ permissions: [] });
  await hearing(there);
  await enters(there, user);
  await endSilently(user);
  await enters(there, user);
  await here.database.asOwner(
    `
      select pg_terminate_backend(pid)
        from pg_stat_activity
        where datname = current_database() and query in ('listen kangqiao_rows', 'select pg_notify($1, $2)')`,
  );
  await expect.poll(() => enterCode(there, user)).toBe('SCM90002');
});
