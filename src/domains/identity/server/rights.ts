import { refuse } from '#kernel/contract/errors.ts';
import type { ErrorDeclaration } from '#kernel/contract/errors.ts';
import { scopeFilter, type ScopedResource } from '#kernel/server/auth/scope.ts';
import type { Context } from '#kernel/server/context.ts';

/** @throws SCM90010 naming the permission. */
export const requirePermission = (ctx: Context, permission: string | { code: string }): void => ctx.requirePermission(permission);

/** R2 for one resource: the predicate, and what the restricted dimensions allow (`ALL` or ids). */
export function scopeOf(ctx: Pick<Context, 'staff'>, resource: ScopedResource) {
  const { scope } = ctx.staff;
  return {
    predicate: scopeFilter(resource, ctx.staff),
    insurerScope: scope.insurer ?? ('ALL' as const),
    regionScope: scope.region ?? ('ALL' as const),
    channelScope: scope.channel ?? ('ALL' as const),
  };
}

/** Maker-checker: whoever made a thing may not check it. @throws the refusal of the domain. */
export function assertOtherPerson(makerId: string | null, checkerId: string, error: ErrorDeclaration): void {
  if (makerId !== null && makerId === checkerId) throw refuse(error);
}
