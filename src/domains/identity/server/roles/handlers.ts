import { randomBytes } from 'node:crypto';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { addRoleInfo, copyRoleInfo, modifyRoleInfo, queryRoleInfoDetail, removeRoleInfo } from '../../contract/calls/roles.ts';
import { identityErrors } from '../../contract/errors.ts';
import { roleStates } from '../../contract/states.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { conflictHandlers } from './conflicts.ts';
import { judgeRole, lockDuties, warned } from './duties.ts';
import { matrixHandler } from './matrix.ts';
import { roleDetail, roleList } from './read.ts';
import { requireFreeRoleName, publishRoleChanged, writeRoleBody } from './save.ts';

const SUPER_ADMIN = 'SUPER_ADMIN';

async function insertRole(
  ctx: CommandContext,
  role: { roleCode?: string | undefined; name: string; description: string },
): Promise<string> {
  await requireFreeRoleName(ctx, role.name, null);
  const roleCode = role.roleCode ?? `R_${randomBytes(4).toString('hex').toUpperCase()}`;
  const added = await own(ctx.tx)
    .insertInto('identityRole')
    .values({
      roleCode,
      name: role.name,
      description: role.description,
      state: 'ENABLED',
      ...createdColumns(ctx),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) return added.id;
  const sameCode = await own(ctx.tx).selectFrom('identityRole').select('id').where('roleCode', '=', roleCode).executeTakeFirst();
  throw sameCode ? refuseField('roleCode', '角色编码已存在') : refuse(identityErrors.ROLE_NAME_TAKEN);
}

/** @returns warnings about duties, which the log names too */
async function judged(ctx: CommandContext, roleId: string, added: ReadonlySet<string>): Promise<string[]> {
  const warnings = await judgeRole(ctx.tx, roleId, added, ctx.today);
  ctx.changed(warned(warnings));
  return warnings;
}

const roleRecords = recordOf((db) => own(db).selectFrom('identityRole as r').selectAll('r').where('r.deletedAt', 'is', null)).with({
  type: 'role',
  id: 'r.id',
  scope: unscoped,
  referredTo: true,
});

export const roleHandlers = (core: IdentityCore): Handler[] => [
  roleList.handler,
  query(queryRoleInfoDetail, ({ id }, { db }) => roleDetail(db, id)),

  command(addRoleInfo, async ({ roleCode, name, description, ...body }, ctx) => {
    const id = await insertRole(ctx, { roleCode, name, description });
    const { added, ...changes } = await writeRoleBody(ctx, id, { ...body, defaultRouteKey: body.defaultRouteKey ?? null });
    const warnings = await judged(ctx, id, added);
    await own(ctx.tx)
      .updateTable('identityRole')
      .set({ defaultRouteKey: body.defaultRouteKey ?? null })
      .where('id', '=', id)
      .execute();
    const role = await roleDetail(ctx.tx, id);
    ctx.target({ type: 'role', id, no: role.roleCode });
    return { role, ...changes, warnings };
  }),

  command(modifyRoleInfo, async (input, ctx) => {
    const { tx, now, staff } = ctx;
    await lockDuties(tx);
    const role = await roleRecords.lockVersion(ctx, input.id, input.version, () => roleDetail(tx, input.id));
    if (role.roleCode === SUPER_ADMIN) throw refuse(identityErrors.ROLE_SUPER_ADMIN);
    ctx.target({ type: 'role', id: role.id, no: role.roleCode });
    if (input.name !== undefined && input.name !== role.name) await requireFreeRoleName(ctx, input.name, role.id);
    const set = {
      name: input.name ?? role.name,
      description: input.description ?? role.description,
      defaultRouteKey: input.defaultRouteKey === undefined ? role.defaultRouteKey : input.defaultRouteKey,
    };
    ctx.changed(differencesOf(role, set, { name: '角色名称', description: '说明', defaultRouteKey: '首页' }));
    let changes: Awaited<ReturnType<typeof writeRoleBody>> = { added: new Set(), addedHigh: [], removed: [] };
    if (input.menuIds !== undefined || input.permissions !== undefined || input.defaultRouteKey !== undefined) {
      const before = await roleDetail(tx, role.id);
      changes = await writeRoleBody(ctx, role.id, {
        menuIds: input.menuIds ?? before.menuIds,
        permissions: input.permissions ?? before.permissions.map(({ code }) => code),
        defaultRouteKey: set.defaultRouteKey,
        confirmHigh: input.confirmHigh,
      });
    }
    const state =
      input.action === undefined
        ? role.state
        : await moveState(ctx, roleStates, {
            targetType: 'role',
            targetId: role.id,
            targetNo: role.roleCode,
            action: input.action,
            from: role.state,
            opinion: input.opinion,
          });
    await own(tx)
      .updateTable('identityRole')
      .set({ ...set, state, version: role.version + 1, ...updatedColumns({ now, staff }) })
      .where('id', '=', role.id)
      .execute();
    await publishRoleChanged(core, ctx, { id: role.id, version: role.version + 1 });
    const saved = await roleDetail(tx, role.id);
    // Its holders gain all that an enabled role has.
    const gained = input.action === 'enable' ? new Set(saved.permissions.map(({ code }) => code)) : changes.added;
    const { addedHigh, removed } = changes;
    return { role: saved, addedHigh, removed, warnings: input.action === 'disable' ? [] : await judged(ctx, role.id, gained) };
  }),

  command(copyRoleInfo, async ({ id, name, description, confirmHigh }, ctx) => {
    const source = await roleDetail(ctx.tx, id);
    const copy = await insertRole(ctx, { name, description: description ?? source.description });
    const { added, ...changes } = await writeRoleBody(ctx, copy, {
      menuIds: source.menuIds,
      permissions: source.permissions.map(({ code }) => code),
      defaultRouteKey: source.defaultRouteKey,
      confirmHigh,
    });
    const warnings = await judged(ctx, copy, added);
    await own(ctx.tx).updateTable('identityRole').set({ defaultRouteKey: source.defaultRouteKey }).where('id', '=', copy).execute();
    const role = await roleDetail(ctx.tx, copy);
    ctx.target({ type: 'role', id: copy, no: role.roleCode });
    return { role, ...changes, warnings };
  }),

  command(removeRoleInfo, async ({ id, version }, ctx) => {
    // Who is just given the role refers to it: waited for by a stronger lock than that of `roleRecords`.
    await own(ctx.tx).selectFrom('identityRole').select('id').where('id', '=', id).forUpdate().execute();
    const role = await roleRecords.lockVersion(ctx, id, version, () => roleDetail(ctx.tx, id));
    if (role.roleCode === SUPER_ADMIN) throw refuse(identityErrors.ROLE_SUPER_ADMIN);
    if (role.builtin) throw refuse(identityErrors.ROLE_BUILTIN);
    const { n } = await own(ctx.tx)
      .selectFrom('identityUserRole')
      .select(({ fn }) => fn.count<string>('userId').distinct().as('n'))
      .where('roleId', '=', id)
      .where('state', '=', 'ENABLED')
      .executeTakeFirstOrThrow();
    if (n !== '0') throw refuse(identityErrors.ROLE_IN_USE, { n });
    await own(ctx.tx)
      .updateTable('identityRole')
      .set({ deletedAt: ctx.now, version: role.version + 1, ...updatedColumns(ctx) })
      .where('id', '=', id)
      .execute();
    await own(ctx.tx)
      .deleteFrom('identityRoleConflict')
      .where((eb) => eb.or([eb('firstRoleId', '=', id), eb('secondRoleId', '=', id)]))
      .execute();
    ctx.target({ type: 'role', id, no: role.roleCode });
    return {};
  }),
  ...conflictHandlers(),
  matrixHandler(core),
];
