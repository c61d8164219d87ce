import { refuse } from '#kernel/contract/errors.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import type { UserView } from '../../contract/calls/users.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { readUser } from './list.ts';

/** Users. A locked one holds nobody who logs in or is assigned to. */
export const userRecords = recordOf((db) => own(db).selectFrom('identityStaffUser as u').selectAll('u')).with({
  type: 'staffUser',
  id: 'u.id',
  scope: unscoped,
  referredTo: true,
});

/** A user's row, locked until the transaction ends. @throws SCM90040. */
export const lockUser = (tx: Tx, id: string) => userRecords.lock(tx, userRecords.everyone, id);

/** A user as the list shows him. @throws SCM90040. */
export async function userView(core: IdentityCore, ctx: Pick<CommandContext, 'tx' | 'now'>, id: string): Promise<UserView> {
  const user = await readUser(core, ctx.tx, id, ctx.now);
  if (!user) throw userRecords.missing();
  return user;
}

/** The row, locked, for who saw a version of it. @throws SCM90040, SCM90030 with the user as he stands now. */
export const lockUserVersion = (core: IdentityCore, ctx: CommandContext, id: string, seen: number) =>
  userRecords.lockVersion(ctx, id, seen, () => userView(core, ctx, id));

/** Nobody acts on himself. @throws SCM01022. */
export function refuseSelf(ctx: CommandContext, userId: string): void {
  if (ctx.staff.userId === userId) throw refuse(identityErrors.SELF);
}
