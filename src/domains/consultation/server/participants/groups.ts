import { sql } from 'kysely';
import type { Db, Tx } from '#kernel/server/context.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { queryMyGroups, queryMySign } from '../../contract/calls/participants.ts';
import { roleOf } from '../../contract/im/ids.ts';
import { issueUserSig } from '../im/accounts/accounts.ts';
import { own } from '../database.ts';
import { doctorCards } from './others.ts';
import { participantOf } from './enter.ts';
import { hashOfToken } from './issue.ts';

type Group = OutputOf<typeof queryMyGroups>[number];
type Row = Omit<Group, 'userRole' | 'titleName' | 'hospitalName'> & { doctorId: string | null };
const MOST = 200;

/** The conversations that a link opens, the latest first; nothing of the assistants' work is told. */
export async function groupsOf(db: Db | Tx, { imUserId, groupId }: { imUserId: string; groupId: string | null }): Promise<Group[]> {
  const { rows } = await sql<Row>`
    select g.group_id, g.name as group_name, g.doctor_id, d.nick as doctor_name, k.desk_name, p.nick as patient_name, i.id as server_id,
        i.server_status, i.service_type, g.last_message_at
      from consultation_im_member m
      join consultation_medical_group g on g.conv_id = m.conv_id
      left join consultation_im_user d on d.im_user_id = 'D' || g.doctor_operator_id
      join consultation_im_user p on p.im_user_id = 'P' || g.sufferer_operator_id
      left join consultation_guidance_desk k on k.id = g.desk_id
      left join lateral (
        select x.id, x.server_status, x.service_type
          from consultation_inquiry x
          where x.group_id = g.group_id
          order by (x.id = g.current_inquiry_id) desc nulls last, x.id desc limit 1
      ) i on true
      where m.im_user_id = ${imUserId} and m.left_at is null and (${groupId}::text is null or g.group_id = ${groupId})
      order by g.last_message_at desc nulls last, g.group_id desc limit ${MOST}`.execute(db);
  const cards = await doctorCards(
    db,
    rows.flatMap(({ doctorId }) => doctorId ?? []),
  );
  return rows.map(({ doctorId, ...row }) => {
    const card = doctorId === null ? null : (cards.get(doctorId) ?? null);
    return {
      ...row,
      userRole: roleOf(imUserId) ?? 'PATIENT',
      titleName: card?.titleName ?? null,
      hospitalName: card?.hospitalName ?? null,
    };
  });
}

export const groupHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryMyGroups, (_input, ctx) => groupsOf(ctx.db, participantOf(ctx))),
  query(queryMySign, async (_input, ctx) => {
    const session = await own(ctx.db)
      .selectFrom('consultationParticipantSession')
      .select('expiresAt')
      .where('tokenHash', '=', hashOfToken(ctx.token ?? ''))
      .executeTakeFirstOrThrow();
    return issueUserSig(kernel, participantOf(ctx).imUserId, session.expiresAt);
  }),
];
