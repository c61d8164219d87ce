import { sql, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { queryUserInfoList, UserView } from '../../contract/calls/users.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { scopeTexts } from '../session/scopeText.ts';
import { assignmentRows, assignmentsOfUser } from './assignmentRows.ts';
import { mobileHash } from './mobile.ts';

export type UserFilter = Omit<CheckedInputOf<typeof queryUserInfoList>, 'pageNo' | 'pageSize'>;

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
/** Key of the login counters, computed where the rows are. */
const attemptKey = sql<string>`'user:' || encode(sha256(convert_to(lower(u.user_name), 'UTF8')), 'hex')`;

/** Users of a filter, without columns and order. */
export function userQuery(kernel: Kernel, db: Db | Tx, filter: UserFilter) {
  let query = own(db)
    .selectFrom('identityStaffUser as u')
    .leftJoin('identityLoginAttempt as a', (join) => join.on(sql<SqlBool>`a.key = ${attemptKey}`));
  const {
    id,
    userName,
    displayName,
    opNo,
    mobile,
    departmentName,
    roleId,
    state,
    employer,
    lastLoginFrom,
    lastLoginTo,
    neverLoggedIn,
    validBefore,
  } = filter;
  if (id) query = query.where('u.id', '=', id);
  if (userName) query = query.where(sql<SqlBool>`u.user_name ilike ${like(userName)}`);
  if (displayName) query = query.where('u.displayName', 'like', like(displayName));
  if (opNo) query = query.where('u.opNo', '=', opNo.toUpperCase());
  if (mobile) query = query.where('u.mobileHash', '=', mobileHash(kernel.secrets, mobile));
  if (departmentName) query = query.where('u.departmentName', 'like', like(departmentName));
  if (roleId)
    query = query.where(
      sql<SqlBool>`exists (select from identity_user_role ur where ur.user_id = u.id and ur.role_id = ${roleId} and ur.state = 'ENABLED')`,
    );
  if (state?.length) query = query.where('u.state', 'in', state);
  if (employer) query = query.where('u.employer', '=', employer);
  if (lastLoginFrom) query = query.where('u.lastLoginAt', '>=', lastLoginFrom);
  if (lastLoginTo) query = query.where('u.lastLoginAt', '<', lastLoginTo);
  if (neverLoggedIn !== undefined) query = query.where('u.lastLoginAt', neverLoggedIn ? 'is' : 'is not', null);
  if (validBefore) query = query.where('u.validTo', '<=', validBefore);
  return query;
}

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

/** Users with their assignments; a lock that is over is not shown. */
export async function readUsers(
  core: Pick<IdentityCore, 'hooks'>,
  db: Db | Tx,
  query: ReturnType<typeof userQuery>,
  page: { limit: number; offset: number },
  now: Instant,
): Promise<UserView[]> {
  const rows = await query
    .select(columns)
    .select(assignmentsOfUser.as('roles'))
    .orderBy('u.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const users = rows.map((row) => ({ ...row, roles: assignmentRows(row.roles) }));
  const texts = await scopeTexts(
    db,
    core.hooks,
    users.flatMap(({ roles }) => roles.map(({ scope }) => scope)),
  );
  let index = 0;
  return users.map(({ roles, ...user }) => ({
    ...user,
    lockedUntil: user.lockedUntil !== null && user.lockedUntil > now ? user.lockedUntil : null,
    roles: roles.map((role) => ({ ...role, scopeText: texts[index++] ?? '' })),
  }));
}
