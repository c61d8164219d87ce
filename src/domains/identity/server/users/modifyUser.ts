import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { checkInput } from '#kernel/server/http/validate.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { userDisabled } from '#events/identity.ts';
import { modifyUserInfo, personTerms } from '../../contract/calls/users.ts';
import { employers } from '../../contract/dictionaries.ts';
import { identityErrors } from '../../contract/errors.ts';
import { staffUserStates } from '../../contract/states.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { clearAttempts, lockedMinutes, readAttempts, userKey } from '../login/attempts.ts';
import { loadPolicy } from '../policy.ts';
import { publishUserChanged } from './changed.ts';
import { lockUserVersion, refuseSelf, userView } from './load.ts';
import { emailColumns, mobileColumns } from './mobile.ts';
import { requireFreeMobile, uniqueRefusal } from './person.ts';
import { requireSuperAdminLeft, isSuperAdmin } from './superAdmin.ts';

type User = Awaited<ReturnType<typeof lockUserVersion>>;
type Input = CheckedInputOf<typeof modifyUserInfo>;

const labels = {
  displayName: '姓名',
  mobile: '手机号',
  email: '邮箱',
  departmentName: '部门',
  postName: '岗位',
  employer: '用工类型',
  validFrom: '有效期起',
  validTo: '有效期止',
};

const shown = (row: {
  displayName: string;
  mobileMasked: string | null;
  emailMasked: string | null;
  departmentName: string | null;
  postName: string | null;
  employer: string;
  validFrom: string | null;
  validTo: string | null;
}) => ({
  displayName: row.displayName,
  mobile: row.mobileMasked,
  email: row.emailMasked,
  departmentName: row.departmentName,
  postName: row.postName,
  employer: employers.label(row.employer),
  validFrom: row.validFrom,
  validTo: row.validTo,
});

/** Changed fields over the stored row; what was not sent stays. */
async function changeFields(core: IdentityCore, ctx: CommandContext, user: User, input: Input): Promise<User> {
  const { secrets } = core.kernel;
  if (input.mobile !== undefined) await requireFreeMobile(core.kernel, ctx.tx, input.mobile, user.id);
  const set = {
    ...(input.displayName === undefined ? {} : { displayName: input.displayName }),
    ...(input.mobile === undefined ? {} : mobileColumns(secrets, input.mobile)),
    ...(input.email === undefined ? {} : emailColumns(secrets, input.email)),
    ...(input.departmentName === undefined ? {} : { departmentName: input.departmentName || null }),
    ...(input.postName === undefined ? {} : { postName: input.postName || null }),
    ...(input.employer === undefined ? {} : { employer: input.employer }),
    ...(input.validFrom === undefined ? {} : { validFrom: input.validFrom }),
    ...(input.validTo === undefined ? {} : { validTo: input.validTo }),
  };
  const changed: User = { ...user, ...set };
  // Whose validity ends is out at once: nobody does that to himself, nor gives himself more time.
  if (changed.validFrom !== user.validFrom || changed.validTo !== user.validTo) refuseSelf(ctx, user.id);
  checkInput(personTerms, { employer: changed.employer, validFrom: changed.validFrom, validTo: changed.validTo });
  if (Object.keys(set).length === 0) return user;
  await own(ctx.tx)
    .updateTable('identityStaffUser')
    .set(set)
    .where('id', '=', user.id)
    .execute()
    .catch((error: unknown) => {
      throw uniqueRefusal(error) ?? error;
    });
  ctx.changed(differencesOf(shown(user), shown(changed), labels));
  return changed;
}

/** 停用, 启用, 解锁: each with an opinion, none on oneself. */
async function act(
  core: IdentityCore,
  ctx: CommandContext,
  user: User,
  action: NonNullable<Input['action']>,
  opinion: string | undefined,
): Promise<string> {
  refuseSelf(ctx, user.id);
  const { tx, now } = ctx;
  const state = user.state;
  const move = { targetType: 'staffUser', targetId: user.id, targetNo: user.opNo, from: state, opinion };
  if (action === 'disable') {
    const to = await moveState(ctx, staffUserStates, { ...move, action: 'disable' });
    await own(tx)
      .updateTable('identityStaffUser')
      .set({ state: to, disabledReason: opinion ?? null })
      .where('id', '=', user.id)
      .execute();
    if (await isSuperAdmin(tx, user.id)) await requireSuperAdminLeft(tx, ctx.today);
    await core.ends.end(ctx, { userId: user.id }, 'DISABLED', now);
    await ctx.publish(userDisabled, user.id, { userId: user.id });
    return to;
  }
  if (action === 'enable') {
    if (user.validTo !== null && user.validTo < ctx.today) throw refuse(identityErrors.VALIDITY_PAST);
    const never = user.passwordHash === null || user.changeReason === 'FIRST';
    const to = await moveState(ctx, staffUserStates, { ...move, action: never ? 'enablePending' : 'enable' });
    await own(tx).updateTable('identityStaffUser').set({ state: to, disabledReason: null }).where('id', '=', user.id).execute();
    return to;
  }
  const timed = lockedMinutes(await readAttempts(tx, userKey(user.userName)), now, await loadPolicy(tx)) !== null;
  const to = await moveState(ctx, staffUserStates, { ...move, action: state !== 'LOCKED' && timed ? 'unlockTimed' : 'unlock' });
  await own(tx).updateTable('identityStaffUser').set({ state: to }).where('id', '=', user.id).execute();
  await clearAttempts(tx, userKey(user.userName), true);
  return to;
}

export const modifyUserHandler = (core: IdentityCore) =>
  command(modifyUserInfo, async (input, ctx) => {
    const { id, version, action, opinion, ...fields } = input;
    const hasFields = Object.values(fields).some((value) => value !== undefined);
    // 解锁 is another right than editing: it carries nothing else.
    if (action === 'unlock' && hasFields) throw refuseField('action', '解锁时不能同时修改其他内容');
    const user = await lockUserVersion(core, ctx, id, version);
    ctx.target({ type: 'staffUser', id, no: user.opNo });
    const changed = await changeFields(core, ctx, user, input);
    const state = action === undefined ? user.state : await act(core, ctx, changed, action, opinion);
    if (fields.validFrom !== undefined || fields.validTo !== undefined) {
      if (await isSuperAdmin(ctx.tx, id)) await requireSuperAdminLeft(ctx.tx, ctx.today);
    }
    await own(ctx.tx)
      .updateTable('identityStaffUser')
      .set((eb) => ({ version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    await publishUserChanged(ctx, { ...changed, state });
    return userView(core, ctx, id);
  });
