import { dayOf, daysBetween, plusDays, type Instant } from '#kernel/contract/time.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import type { SessionView } from '../../contract/calls/login.ts';
import type { SecurityPolicy } from '../../contract/policy.ts';
import { own } from '../database.ts';
import type { IdentityHooks } from '../hooks.ts';
import { firstPage, pageOf, permittedMenu } from '../menus/permitted.ts';
import { loadPolicy } from '../policy.ts';
import { activeAssignments } from './assignments.ts';
import type { PermissionSets } from './permissionSets.ts';
import { scopeTexts } from './scopeText.ts';

/** Days until a password ends; null where passwords do not expire or none is set. */
export function passwordDaysLeft(passwordChangedAt: Instant | null, now: Instant, policy: SecurityPolicy): number | null {
  if (policy.passwordExpireDays === 0 || passwordChangedAt === null) return null;
  return daysBetween(dayOf(now), plusDays(dayOf(passwordChangedAt), policy.passwordExpireDays));
}

/** Why somebody may do nothing but change his password; null = he may work. */
export function restrictionOf(
  user: { mustChangePassword: boolean; changeReason: string | null; passwordHash: string | null; passwordChangedAt: Instant | null },
  now: Instant,
  policy: SecurityPolicy,
): 'FIRST' | 'RESET' | 'EXPIRED' | null {
  if (user.mustChangePassword || user.passwordHash === null) return user.changeReason === 'RESET' ? 'RESET' : 'FIRST';
  const left = passwordDaysLeft(user.passwordChangedAt, now, policy);
  return left !== null && left <= 0 ? 'EXPIRED' : null;
}

export interface ViewMaker {
  /**
   * What the browser is told of a session: who, as what, which menu and rights.
   * @param userRoleId the assignment to act in; null = the one a login starts with.
   */
  of(db: Db, session: { sessionId: string; userRoleId: string | null }, now: Instant): Promise<SessionView>;
}

export function viewMaker(sets: PermissionSets, hooks: IdentityHooks): ViewMaker {
  return {
    async of(db, { sessionId, userRoleId }, now) {
      const user = await own(db)
        .selectFrom('identitySession as s')
        .innerJoin('identityStaffUser as u', 'u.id', 's.userId')
        .select([
          'u.id',
          'u.userName',
          'u.displayName',
          'u.opNo',
          'u.mobileMasked',
          'u.lastLoginAt',
          'u.lastLoginIp',
          'u.mustChangePassword',
          'u.changeReason',
          'u.passwordHash',
          'u.passwordChangedAt',
          's.restricted',
          's.smsVerifiedAt',
        ])
        .where('s.id', '=', sessionId)
        .executeTakeFirst();
      if (!user) throw refuse(platformErrors.SESSION_EXPIRED);
      const policy = await loadPolicy(db);
      const assignments = user.restricted ? [] : await activeAssignments(db, user.id, dayOf(now));
      const texts = await scopeTexts(
        db,
        hooks,
        assignments.map(({ scope }) => scope),
      );
      const roles = assignments.map(({ userRoleId: roleMenuId, roleCode, roleName }, index) => ({
        roleMenuId,
        roleCode,
        roleName,
        accessPermission: `${roleName}（${texts[index]}）`,
      }));
      const active = assignments.find((one) => one.userRoleId === userRoleId) ?? assignments[0];
      const permissions = active ? await sets.of(db, active.roleId, active.roleVersion) : new Set<string>();
      const menu = active ? await permittedMenu(db, active.roleId, permissions) : [];
      const first = (active?.defaultRouteKey && pageOf(menu, active.defaultRouteKey)) || firstPage(menu);
      return {
        userId: user.id,
        userName: user.displayName,
        loginName: user.userName,
        opNo: user.opNo,
        accessPermission: roles.find(({ roleMenuId }) => roleMenuId === active?.userRoleId)?.accessPermission ?? '',
        userRoleMenu: menu,
        roleMenuId: active?.userRoleId ?? '',
        roles,
        permissions: [...permissions].sort(),
        defaultMenu: first?.path ?? '',
        restricted: user.restricted,
        restrictedReason: user.restricted ? (restrictionOf(user, now, policy) ?? 'FIRST') : null,
        passwordExpiresInDays: passwordDaysLeft(user.passwordChangedAt, now, policy),
        sessionId,
        smsVerifiedAt: user.smsVerifiedAt,
        mobile: user.mobileMasked,
        lastLoginAt: user.lastLoginAt,
        lastLoginIp: user.lastLoginIp,
        watermark: policy.watermark,
      };
    },
  };
}
