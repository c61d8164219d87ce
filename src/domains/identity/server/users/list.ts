import { sql, type SqlBool } from 'kysely';
import { dayOf, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { contains, from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportUserInfoList, queryUserInfoList, type UserView } from '../../contract/calls/users.ts';
import { staffUserStates } from '../../contract/states.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { dutiesOfUser } from '../roles/duties.ts';
import { scopeTexts } from '../session/scopeText.ts';
import { assignmentRows, assignmentsOfUser } from './assignmentRows.ts';
import { mobileHash } from './mobile.ts';

/** Key of the login counters, computed where the rows are. */
const attemptKey = sql<string>`'user:' || encode(sha256(convert_to(lower(u.user_name), 'UTF8')), 'hex')`;

const users = (db: Db | Tx) =>
  own(db)
    .selectFrom('identityStaffUser as u')
    .leftJoin('identityLoginAttempt as a', (join) => join.on(sql<SqlBool>`a.key = ${attemptKey}`));

const columns = [
  'u.id',
  'u.userName',
  'u.displayName',
  'u.opNo',
  'u.mobileMasked as mobile',
  'u.emailMasked as email',
  'u.departmentName',
  'u.postName',
  'u.employer',
  'u.validFrom',
  'u.validTo',
  'u.state',
  'u.disabledReason',
  'u.leftOn',
  'u.mustChangePassword',
  'u.lastLoginAt',
  'u.lastLoginIp',
  'u.createdAt',
  'u.version',
  'a.lockedUntil',
] as const;

const selected = (rows: ReturnType<typeof users>, today: Day) =>
  rows.select(columns).select([assignmentsOfUser.as('roles'), dutiesOfUser(today).as('duties')]);
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;

/** Users with their assignments; a lock that is over is not shown. */
async function present(core: Pick<IdentityCore, 'hooks'>, db: Db | Tx, rows: readonly Selected[], now: Instant): Promise<UserView[]> {
  const found = rows.map((row) => ({ ...row, roles: assignmentRows(row.roles) }));
  const texts = await scopeTexts(
    db,
    core.hooks,
    found.flatMap(({ roles }) => roles.map(({ scope }) => scope)),
  );
  let index = 0;
  return found.map(({ roles, ...user }) => ({
    ...user,
    lockedUntil: user.lockedUntil !== null && user.lockedUntil > now ? user.lockedUntil : null,
    roles: roles.map((role) => ({ ...role, scopeText: texts[index++] ?? '' })),
  }));
}

/** One user as the list shows him; undefined when there is none. */
export async function readUser(core: Pick<IdentityCore, 'hooks'>, db: Db | Tx, id: string, now: Instant): Promise<UserView | undefined> {
  const rows = await selected(users(db), dayOf(now)).where('u.id', '=', id).execute();
  return (await present(core, db, rows, now))[0];
}

export const userList = (core: Pick<IdentityCore, 'hooks' | 'kernel'>) =>
  listOf(queryUserInfoList)
    .from(({ db }) => users(db))
    .with({
      where: {
        id: 'u.id',
        userName: contains('u.userName'),
        displayName: contains('u.displayName'),
        opNo: isNumber('u.opNo'),
        mobile: (eb, mobile) => eb('u.mobileHash', '=', mobileHash(core.kernel.secrets, mobile)),
        departmentName: contains('u.departmentName'),
        roleId: (_eb, roleId) =>
          sql<SqlBool>`
            exists (select from identity_user_role ur where ur.user_id = u.id and ur.role_id = ${roleId} and ur.state = 'ENABLED')`,
        state: 'u.state',
        employer: 'u.employer',
        lastLoginFrom: from('u.lastLoginAt'),
        lastLoginTo: (eb, to) => eb('u.lastLoginAt', '<', to),
        neverLoggedIn: (eb, never) => eb('u.lastLoginAt', never ? 'is' : 'is not', null),
        validBefore: upTo('u.validTo'),
        dutyConflict: (_eb, joined, { today }) => sql<SqlBool>`(jsonb_array_length(${dutiesOfUser(today)}) > 0) = ${joined}`,
      },
      id: 'u.id',
      sorts: {
        opNo: 'u.opNo',
        userName: 'u.userName',
        displayName: 'u.displayName',
        lastLoginAt: 'u.lastLoginAt',
        createdAt: 'u.createdAt',
      },
      bounded: 'staff are some thousands',
      select: (rows, { today }) => selected(rows, today),
      present: (rows, { db, now }) => present(core, db, rows, now),
    });

/** @param core decrypts the mobiles of a plain export */
export const userExport = (core: IdentityCore) =>
  listExport(userList(core), {
    call: exportUserInfoList,
    title: '用户管理',
    routeKey: 'userManagement',
    columns: [
      'opNo',
      'userName',
      'displayName',
      'mobile',
      'departmentName',
      'postName',
      'employer',
      'roles',
      'duties',
      'state',
      'validFrom',
      'validTo',
      'lastLoginAt',
      'lastLoginIp',
      'createdAt',
    ],
    async widen(rows, { db }) {
      const stored = await own(db)
        .selectFrom('identityStaffUser')
        .select(['id', 'mobileCipher'])
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute();
      const mobiles = new Map(
        stored.map(({ id, mobileCipher }) => [id, mobileCipher === null ? null : core.kernel.secrets.decrypt(mobileCipher)]),
      );
      return rows.map((row) => ({ ...row, mobile: mobiles.get(row.id) ?? null }));
    },
    describe: (filter) =>
      [
        filter.userName && `用户名含“${filter.userName}”`,
        filter.displayName && `姓名含“${filter.displayName}”`,
        filter.opNo && `工号 ${filter.opNo}`,
        filter.departmentName && `部门含“${filter.departmentName}”`,
        filter.state?.length && `状态 ${filter.state.map((state) => staffUserStates.dictionary.label(state)).join('、')}`,
        filter.neverLoggedIn && '从未登录',
        filter.dutyConflict && '有职责冲突',
      ]
        .filter(Boolean)
        .join('；') || '全部',
  });
