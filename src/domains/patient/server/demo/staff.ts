import { sql } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';

export interface DemoStaff {
  userId: string;
  opNo: string;
  displayName: string;
  role: string;
}
const NAMES = ['svc_a', 'ops_audit', 'medical_a', 'assist_a', 'assist_s'] as const;
export type StaffOf = ReadonlyMap<(typeof NAMES)[number], DemoStaff>;

/** Who worked with the records of the demonstration; nobody where identity has no demonstration. */
export async function readStaff(tx: Tx): Promise<StaffOf> {
  const { rows } = await sql<DemoStaff & { userName: (typeof NAMES)[number] }>`
    select distinct on (u.user_name) u.user_name, u.id::text as user_id, u.op_no, u.display_name, r.name as role
      from identity_staff_user u
      join identity_user_role x on x.user_id = u.id
      join identity_role r on r.id = x.role_id
      where u.user_name = any(${[...NAMES]})
      order by u.user_name, x.id`.execute(tx);
  return new Map(rows.map(({ userName, ...staff }) => [userName, staff]));
}
