import { sql } from 'kysely';
import { query, type Handler } from '#kernel/server/handler.ts';
import type { FirstStep, Kernel } from '#kernel/server/kernel.ts';
import { queryFirstSteps } from '../../contract/calls/system.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';

/** Identity's own: roles as the company needs them, and somebody beside the first administrator. */
export const identityFirstSteps: readonly FirstStep[] = [
  {
    label: '新建角色',
    path: '/roleManagement',
    permission: may['role.edit'].code,
    fact: sql`exists (select from identity_role where not builtin and deleted_at is null)`,
  },
  {
    label: '新增员工用户',
    path: '/userManagement',
    permission: may['user.edit'].code,
    fact: sql`(select count(*) from (select from identity_staff_user where state <> 'LEFT' limit 2) u) > 1`,
  },
];

/** The steps of all domains, in their order, as far as the caller may take them; one statement. */
export const firstStepsHandler = (kernel: Kernel): Handler =>
  query(queryFirstSteps, async (_input, { db, has }) => {
    const steps = kernel.registry.modules.flatMap((module) => module.firstSteps ?? []).filter(({ permission }) => has(permission));
    if (steps.length === 0) return [];
    const { rows } = await sql<{ done: boolean[] }>`select array[${sql.join(steps.map(({ fact }) => fact))}] as done`.execute(db);
    return steps.map(({ label, path }, at) => ({ label, path, done: rows[0]?.done[at] ?? false }));
  });
