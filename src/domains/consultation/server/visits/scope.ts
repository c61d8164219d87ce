import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { scopeFilter, scopedResource } from '#kernel/server/auth/scope.ts';
import type { Scope } from '#kernel/server/context.ts';

export interface Viewer {
  userId: string;
  scope: Scope;
}

/** By the doctor's region and channel; alias `p` is the doctor's place. */
const dimensions = scopedResource({ region: { column: 'p.adcode' }, insurer: 'free', channel: { column: 'p.channel_id' }, own: 'free' });

/** Whether a staff user's assistant is in the conversation of a group (alias `g`) now. */
export const inGroup = (userId: string): RawBuilder<SqlBool> => sql<SqlBool>`exists (
  select from consultation_assistant_duty d join consultation_im_member m on m.im_user_id = 'A' || d.operator_id and m.left_at is null
   where d.user_id = ${userId}::bigint and m.conv_id = g.conv_id)`;

/**
 * What somebody sees of inquiries (aliases `i`, `p`, `g`): own = groups that he is in or answered for, doctors whom he serves, and what
 * he opened himself.
 */
export function seesVisit(viewer: Viewer): RawBuilder<SqlBool> {
  const mine = viewer.scope.own
    ? sql<SqlBool>`(
      i.created_by = ${viewer.userId}::bigint
      or ${inGroup(viewer.userId)}
      or exists (
        select from consultation_assistant_duty d
          where d.user_id = ${viewer.userId}::bigint
            and (
              d.assistant_id in (g.owner_assistant_id, g.last_assistant_id)
              or exists (select from consultation_bind_copy b where b.doctor_id = i.doctor_id and b.assistant_id = d.assistant_id)
            )
      )
    )`
    : sql<SqlBool>`true`;
  return sql<SqlBool>`(${scopeFilter(dimensions, viewer)} and ${mine})`;
}
