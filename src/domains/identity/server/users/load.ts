import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import type { CommandContext, Tx } from '../../../../kernel/server/context.ts';
import { requireVersion } from '../../../../kernel/server/record/requireVersion.ts';
import type { UserView } from '../../contract/calls/users.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { readUser } from './list.ts';

/** A user's row, locked until the transaction ends. @throws SCM90040. */
export async function lockUser(tx: Tx, id: string) {
  const user = await own(tx).selectFrom('identityStaffUser').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!user) throw refuse(platformErrors.NOT_FOUND);
  return user;
}

/** A user as the list shows him. @throws SCM90040. */
export async function userView(core: IdentityCore, ctx: Pick<CommandContext, 'tx' | 'now'>, id: string): Promise<UserView> {
  const user = await readUser(core, ctx.tx, id, ctx.now);
  if (!user) throw refuse(platformErrors.NOT_FOUND);
  return user;
}

/** @throws SCM90030 with the user as he stands now. */
export async function requireFreshUser(
  core: IdentityCore,
  ctx: CommandContext,
  user: { id: string; version: number; updatedBy: string | null },
  seen: number,
): Promise<void> {
  await requireVersion(ctx, 'staffUser', user, seen, async () => await userView(core, ctx, user.id));
}

/** Nobody acts on himself. @throws SCM01022. */
export function refuseSelf(ctx: CommandContext, userId: string): void {
  if (ctx.staff.userId === userId) throw refuse(identityErrors.SELF);
}
