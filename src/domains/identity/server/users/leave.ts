import type * as z from 'zod/mini';
import { refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { userLeft } from '#events/identity.ts';
import { removeUserInfo, type openWorkFacts } from '../../contract/calls/users.ts';
import { identityErrors } from '../../contract/errors.ts';
import { staffUserStates } from '../../contract/states.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { publishUserChanged } from './changed.ts';
import { lockUserVersion, refuseSelf } from './load.ts';
import { requireSuperAdminLeft, isSuperAdmin } from './superAdmin.ts';

/** 办理离职: what he leaves undone is named first and must be confirmed. */
export const leaveHandler = (core: IdentityCore) =>
  command(removeUserInfo, async ({ id, version, opinion, confirmOpenWork }, ctx) => {
    const { tx, now } = ctx;
    const user = await lockUserVersion(core, ctx, id, version);
    refuseSelf(ctx, id);
    const openWork: z.infer<typeof openWorkFacts>['openWork'] = [];
    for (const { label, count } of core.hooks.openWork ?? []) openWork.push({ label, count: await count(tx, id) });
    const n = openWork.reduce((sum, { count }) => sum + count, 0);
    if (n > 0 && !confirmOpenWork)
      throw refuse(identityErrors.OPEN_WORK, { n }, { data: { openWork: openWork.filter(({ count }) => count > 0) } });
    const superAdmin = await isSuperAdmin(tx, id);
    const state = await moveState(ctx, staffUserStates, {
      targetType: 'staffUser',
      targetId: id,
      targetNo: user.opNo,
      action: 'leave',
      from: user.state,
      opinion,
    });
    await own(tx)
      .updateTable('identityStaffUser')
      .set((eb) => ({ state, leftOn: ctx.today, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    await own(tx)
      .updateTable('identityUserRole')
      .set((eb) => ({ state: 'DISABLED', version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('userId', '=', id)
      .where('state', '=', 'ENABLED')
      .execute();
    if (superAdmin) await requireSuperAdminLeft(tx, ctx.today);
    await core.ends.end(ctx, { userId: id }, 'DISABLED', now);
    await ctx.publish(userLeft, id, { userId: id, openWorkConfirmed: n > 0 });
    await publishUserChanged(ctx, { ...user, state });
    return {};
  });
