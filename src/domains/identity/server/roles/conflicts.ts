import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { addRoleConflict, queryRoleConflictList, removeRoleConflict } from '../../contract/calls/roles.ts';
import { identityErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';

const conflictList = listOf(queryRoleConflictList)
  .from(({ db }) =>
    own(db)
      .selectFrom('identityRoleConflict as c')
      .innerJoin('identityRole as a', 'a.id', 'c.firstRoleId')
      .innerJoin('identityRole as b', 'b.id', 'c.secondRoleId'),
  )
  .with({
    where: { roleId: (eb, roleId) => eb.or([eb('c.firstRoleId', '=', roleId), eb('c.secondRoleId', '=', roleId)]) },
    id: 'c.id',
    unsorted: 'pairs of roles in a drawer',
    order: [['c.id', 'asc']],
    select: (query) =>
      query.select(['c.id', 'c.firstRoleId', 'a.name as firstName', 'c.secondRoleId', 'b.name as secondName', 'c.reason', 'c.createdAt']),
    present: (rows) =>
      rows.map(({ firstRoleId, firstName, secondRoleId, secondName, ...row }) => ({
        ...row,
        roleAId: firstRoleId,
        roleAName: firstName,
        roleBId: secondRoleId,
        roleBName: secondName,
      })),
  });

export const conflictHandlers = (): Handler[] => [
  conflictList.handler,

  command(addRoleConflict, async ({ roleAId, roleBId, reason }, ctx) => {
    if (roleAId === roleBId) throw refuseField('roleBId', '请选择两个不同的角色');
    const [a, b] = BigInt(roleAId) < BigInt(roleBId) ? [roleAId, roleBId] : [roleBId, roleAId];
    // Assignments of either role wait until this rule stands, and this rule for those under way.
    const roles = await own(ctx.tx)
      .selectFrom('identityRole')
      .select(['id', 'name'])
      .where('id', 'in', [a, b])
      .where('deletedAt', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute();
    if (roles.length !== 2) throw refuse(platformErrors.NOT_FOUND);
    const { rows: both } = await sql<{ displayName: string }>`
      select distinct u.display_name from identity_user_role x
      join identity_user_role y on y.user_id = x.user_id and y.role_id = ${b} and y.state = 'ENABLED'
        and daterange(x.valid_from, x.valid_to, '[]') && daterange(y.valid_from, y.valid_to, '[]')
      join identity_staff_user u on u.id = x.user_id
      where x.role_id = ${a}
        and x.state = 'ENABLED'
        and coalesce(x.valid_to, 'infinity') >= ${ctx.today}::date
        and coalesce(y.valid_to, 'infinity') >= ${ctx.today}::date
      order by 1 limit 11`.execute(ctx.tx);
    if (both.length > 0) {
      const names =
        both
          .slice(0, 10)
          .map(({ displayName }) => displayName)
          .join('、') + (both.length > 10 ? '等' : '');
      throw refuse(identityErrors.CONFLICT_EXISTS, { names });
    }
    const added = await own(ctx.tx)
      .insertInto('identityRoleConflict')
      .values({ firstRoleId: a, secondRoleId: b, reason, ...authorColumns(ctx), updatedAt: ctx.now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) throw refuseField('roleBId', '这两个角色的互斥规则已存在');
    ctx.target({ type: 'roleConflict', id: added.id, no: roles.map(({ name }) => name).join(' / ') });
    return added;
  }),

  command(removeRoleConflict, async ({ id }, ctx) => {
    const gone = await own(ctx.tx).deleteFrom('identityRoleConflict').where('id', '=', id).returning('reason').executeTakeFirst();
    if (!gone) throw refuse(platformErrors.NOT_FOUND);
    ctx.target({ type: 'roleConflict', id });
    ctx.changed([{ path: 'reason', label: '互斥原因', before: gone.reason, after: null }]);
    return {};
  }),
];
