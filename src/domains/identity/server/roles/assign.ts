import { sql } from 'kysely';
import { checkInput } from '#kernel/server/http/validate.ts';
import { Refusal, platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CheckedInputOf, OutputOf } from '#kernel/contract/call.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { lockWithin } from '#kernel/server/record/lockWithin.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { addUserRole, assignmentTerms, modifyUserRole, queryUserRoleList, removeUserRole } from '../../contract/calls/userRoles.ts';
import type { IdentityCore } from '../core.ts';
import { json, own } from '../database.ts';
import { scopeOfRow } from '../session/scope.ts';
import { scopeTexts } from '../session/scopeText.ts';
import { roleById } from '../users/addUser.ts';
import { assignmentRefusal, requireMayGrant, insertAssignment, rightsOfRole } from '../users/grant.ts';
import { lockUser, refuseSelf } from '../users/load.ts';
import { requireSuperAdminLeft } from '../users/superAdmin.ts';
import { judgePerson, lockDuties, warned } from './duties.ts';
import { publishRoleChanged } from './save.ts';

type View = OutputOf<typeof queryUserRoleList>;

const assignments = (db: Db | Tx) =>
  own(db)
    .selectFrom('identityUserRole as ur')
    .innerJoin('identityStaffUser as u', 'u.id', 'ur.userId')
    .innerJoin('identityRole as r', 'r.id', 'ur.roleId');
const withNames = (query: ReturnType<typeof assignments>) =>
  query
    .select(['ur.id', 'ur.userId', 'u.displayName', 'u.opNo', 'ur.roleId', 'r.roleCode', 'r.name as roleName'])
    .select(['ur.scope', 'ur.validFrom', 'ur.validTo', 'ur.state', 'ur.version']);
type Stored = Awaited<ReturnType<ReturnType<typeof withNames>['executeTakeFirstOrThrow']>>;

async function present(core: IdentityCore, db: Db | Tx, rows: readonly Stored[]): Promise<View[]> {
  const scopes = rows.map(({ scope }) => scopeOfRow(scope));
  const texts = await scopeTexts(db, core.hooks, scopes);
  return rows.map((row, index) => ({ ...row, scope: scopes[index]!, scopeText: texts[index]! }));
}

async function assignmentById(core: IdentityCore, tx: Tx, id: string): Promise<View> {
  const [view] = await present(core, tx, [await withNames(assignments(tx)).where('ur.id', '=', id).executeTakeFirstOrThrow()]);
  return view!;
}

const assignmentList = (core: IdentityCore) =>
  listOf(queryUserRoleList)
    .from(({ db }) => assignments(db))
    .with({
      where: { userId: 'ur.userId', roleId: 'ur.roleId' },
      id: 'ur.id',
      unsorted: 'the roles of one person, or the people of one role, in a drawer',
      order: [['ur.id', 'asc']],
      select: withNames,
      present: (rows, { db }) => present(core, db, rows),
    });

async function addFor(ctx: CommandContext, userId: string, input: CheckedInputOf<typeof addUserRole>) {
  refuseSelf(ctx, userId);
  const user = await lockUser(ctx.tx, userId);
  if (user.state === 'LEFT') throw refuse(platformErrors.WRONG_STATE, { state: '已离职' });
  return insertAssignment(
    ctx.tx,
    { userId, roleId: input.roleId, scope: input.scope, validFrom: input.validFrom ?? ctx.today, validTo: input.validTo ?? null },
    ctx.staff.userId,
    ctx.now,
  );
}

type Result = OutputOf<typeof addUserRole>['results'][number];

const given = (userId: string, { id, warnings }: { id: string; warnings: string[] }): Result => ({
  userId,
  ok: true,
  userRoleId: id,
  code: '0000000',
  message: '',
  warnings,
});

/** One user's refusal takes back his own row alone. */
async function rowByRow<T>(tx: Tx, work: () => Promise<T>): Promise<T | Refusal> {
  await sql`savepoint one_row`.execute(tx);
  try {
    const done = await work();
    await sql`release savepoint one_row`.execute(tx);
    return done;
  } catch (error) {
    await sql`rollback to savepoint one_row`.execute(tx);
    if (error instanceof Refusal) return error;
    if (error instanceof Error && 'code' in error && error.code === '23P01') return refuseField('roleId', '该用户在所选期间已有此角色');
    throw error;
  }
}

export const assignmentHandlers = (core: IdentityCore): Handler[] => [
  assignmentList(core).handler,

  command(addUserRole, async (input, ctx) => {
    await lockDuties(ctx.tx);
    const role = await roleById(ctx.tx, input.roleId);
    if (role.state !== 'ENABLED') throw refuse(platformErrors.WRONG_STATE, { state: '停用' });
    await requireMayGrant(ctx.tx, ctx.staff, await rightsOfRole(ctx.tx, role.id), ctx.today);
    const userIds = [...new Set(input.userIds)];
    // A single user is refused as such; of several each has his own answer.
    if (userIds.length === 1) {
      const done = await rowByRow(ctx.tx, () => addFor(ctx, userIds[0]!, input));
      if (done instanceof Refusal) throw done;
      ctx.target({ type: 'userRole', id: done.id });
      ctx.changed(warned(done.warnings));
      await publishRoleChanged(core, ctx, role, userIds);
      return { results: [given(userIds[0]!, done)] };
    }
    const results: Result[] = [];
    for (const userId of userIds) {
      const done = await rowByRow(ctx.tx, () => addFor(ctx, userId, input));
      if (done instanceof Refusal) {
        const message = done.fields?.[0]?.message ?? done.message;
        results.push({ userId, ok: false, userRoleId: null, code: done.code, message, warnings: [] });
      } else {
        ctx.target({ type: 'userRole', id: done.id });
        results.push(given(userId, done));
      }
    }
    ctx.changed(warned(results.flatMap(({ warnings }) => warnings)));
    await publishRoleChanged(
      core,
      ctx,
      role,
      results.filter(({ ok }) => ok).map(({ userId }) => userId),
    );
    return { results };
  }),

  command(modifyUserRole, async (input, ctx) => {
    await lockDuties(ctx.tx);
    const before = await lockAssignment(ctx, input.id);
    await requireFreshAssignment(core, ctx, before, input.version);
    refuseSelf(ctx, before.userId);
    const set = {
      scope: input.scope ?? scopeOfRow(before.scope),
      validFrom: input.validFrom ?? before.validFrom,
      validTo: input.validTo === undefined ? before.validTo : input.validTo,
      state: input.state ?? before.state,
    };
    checkInput(assignmentTerms, { validFrom: set.validFrom, validTo: set.validTo });
    const ends = set.state === 'DISABLED' && input.scope === undefined;
    if (!ends) await requireMayGrant(ctx.tx, ctx.staff, await rightsOfRole(ctx.tx, before.roleId), ctx.today);
    await own(ctx.tx)
      .updateTable('identityUserRole')
      .set({ ...set, scope: json(set.scope), version: before.version + 1, ...updatedColumns(ctx) })
      .where('id', '=', input.id)
      .execute()
      .catch((error: unknown) => {
        throw (
          assignmentRefusal(error) ??
          (error instanceof Error && 'code' in error && error.code === '23P01'
            ? refuseField('validFrom', '该用户在所选期间已有此角色')
            : error)
        );
      });
    const role = await roleById(ctx.tx, before.roleId);
    if (role.roleCode === 'SUPER_ADMIN') await requireSuperAdminLeft(ctx.tx, ctx.today);
    const texts = await scopeTexts(ctx.tx, core.hooks, [scopeOfRow(before.scope), set.scope]);
    ctx.target({ type: 'userRole', id: input.id });
    ctx.changed(
      differencesOf(
        { ...before, scope: texts[0] },
        { ...set, scope: texts[1] },
        { scope: '数据范围', validFrom: '有效期起', validTo: '有效期止', state: '状态' },
      ),
    );
    await publishRoleChanged(core, ctx, role, [before.userId]);
    // What only takes away may leave an old conflict as it is; anything else has to be without one.
    const warnings = takesAway(before, set, input) ? [] : await judgePerson(ctx.tx, before.userId, ctx.today);
    ctx.changed(warned(warnings));
    return { ...(await assignmentById(core, ctx.tx, input.id)), warnings };
  }),

  command(removeUserRole, async ({ id, version }, ctx) => {
    const before = await lockAssignment(ctx, id);
    await requireFreshAssignment(core, ctx, before, version);
    refuseSelf(ctx, before.userId);
    const role = await own(ctx.tx)
      .selectFrom('identityRole')
      .select(['id', 'name', 'roleCode', 'version'])
      .where('id', '=', before.roleId)
      .executeTakeFirstOrThrow();
    await own(ctx.tx).deleteFrom('identityUserRole').where('id', '=', id).execute();
    if (role.roleCode === 'SUPER_ADMIN') await requireSuperAdminLeft(ctx.tx, ctx.today);
    ctx.target({ type: 'userRole', id });
    ctx.changed([{ path: 'role', label: '角色', before: role.name, after: null }]);
    await publishRoleChanged(core, ctx, role, [before.userId]);
    return {};
  }),
];

type Terms = Pick<Stored, 'validFrom' | 'validTo' | 'state'>;

/** Ends an assignment, or lets it begin later or end earlier. */
function takesAway(before: Terms, after: Terms, input: CheckedInputOf<typeof modifyUserRole>): boolean {
  if (after.state !== 'ENABLED') return true;
  if (before.state !== 'ENABLED' || input.scope !== undefined) return false;
  const endsLater = before.validTo !== null && (after.validTo === null || after.validTo > before.validTo);
  return after.validFrom >= before.validFrom && !endsLater;
}

async function lockAssignment(ctx: CommandContext, id: string) {
  // The user's row first, as everybody does.
  const { row } = await lockWithin(own(ctx.tx).selectFrom('identityUserRole').selectAll().where('id', '=', id), {
    key: ({ userId }) => userId,
    lock: (userId) => lockUser(ctx.tx, userId),
  });
  return row;
}

/** @throws SCM90030 with the assignment as it stands now. */
async function requireFreshAssignment(
  core: IdentityCore,
  ctx: CommandContext,
  row: { id: string; version: number; updatedBy: string | null },
  seen: number,
): Promise<void> {
  if (row.version === seen) return;
  const current = await assignmentById(core, ctx.tx, row.id);
  await requireVersion(ctx, 'userRole', row, seen, () => current);
}
