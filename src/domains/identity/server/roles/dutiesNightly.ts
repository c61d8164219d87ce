import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Day } from '#kernel/contract/time.ts';
import { dutySentences, type DutyConflict } from '../../contract/duties.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import { dutiesOfRole, dutiesOfUser } from './duties.ts';

const KEY = 'identity.duties';

interface Found {
  name: string;
  duties: DutyConflict[];
}

/** Roles and people that join rights where money moves: from before the rule, or by a right that an upgrade brought. */
async function found(db: Db, today: Day): Promise<{ roles: Found[]; people: Found[] }> {
  // Pairs are put together for those alone who hold both rights of one, at whatever time.
  const joining = sql`
    select distinct makes.role_id as makes_role, decides.role_id as decides_role
      from identity_duty_pair p
      join identity_role_permission makes on makes.code = p.makes
      join identity_role_permission decides on decides.code = p.decides
      where p.money`;
  const roles = await sql<Found>`
    with joining as materialized (${joining})
    select r.name, ${dutiesOfRole} as duties
      from identity_role r
      where r.deleted_at is null and r.id in (select makes_role from joining where makes_role = decides_role)
      order by r.id`.execute(db);
  const people = await sql<Found>`
    with joining as materialized (${joining})
    select u.display_name || '（' || u.op_no || '）' as name, ${dutiesOfUser(today)} as duties
      from identity_staff_user u
      where u.state <> 'LEFT' and u.id in (
        select makes.user_id
          from joining j
          join identity_user_role makes on makes.role_id = j.makes_role
          join identity_user_role decides on decides.role_id = j.decides_role and decides.user_id = makes.user_id)
      order by u.id`.execute(db);
  const ofMoney = (rows: readonly Found[]) =>
    rows.map(({ name, duties }) => ({ name, duties: duties.filter(({ money }) => money) })).filter(({ duties }) => duties.length > 0);
  return { roles: ofMoney(roles.rows), people: ofMoney(people.rows) };
}

/** Who may change roles is told of conflicts of duties until there are none. */
export const dutiesJob = job({
  name: 'identity.duties',
  label: '检查职责冲突',
  cron: '20 3 * * *',
  async run(_data, { kernel, db, now, transaction }) {
    const { roles, people } = await found(db, kernel.clock.today());
    const { notices } = kernel.ports;
    await transaction(async ({ tx }) => {
      if (roles.length + people.length === 0) return notices.closeTodo(tx, KEY, now);
      await notices.addTodo(
        tx,
        {
          businessKey: KEY,
          title: `资金职责冲突：${roles.length}个角色、${people.length}名用户，请处理`,
          body: [...roles.map((role) => ({ ...role, name: `角色“${role.name}”` })), ...people]
            .map(({ name, duties }) => `${name}：${dutySentences(duties)}`)
            .join('\n'),
          link: roles.length > 0 ? '/roleManagement?dutyConflict=true' : '/userManagement?dutyConflict=true',
          permission: identityPermissions['role.edit'].code,
        },
        now,
      );
    });
  },
});
