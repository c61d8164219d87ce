import { platformErrors, refuse } from '../../contract/errors.ts';
import type { PermissionDeclaration } from '../../contract/permission.ts';

/** Where no context is at hand that demands it. @throws Refusal SCM90010 naming what is missing. */
export function requirePermission(has: (permission: PermissionDeclaration) => boolean, permission: PermissionDeclaration): void {
  if (!has(permission)) throw refuse(platformErrors.NO_PERMISSION, { permission: permission.label });
}
