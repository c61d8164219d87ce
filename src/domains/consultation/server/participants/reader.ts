import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { ParticipantReader } from '#kernel/server/ports.ts';
import { hashOfToken } from './issue.ts';

interface Row {
  imUserId: string;
  ticketId: string;
  groupId: string | null;
}

/** Who stands behind a participant's token: a living session of a ticket that was not taken back, of an account that is not shut. */
export const participantReader: ParticipantReader = {
  async read(db, { token, now }) {
    const { rows } = await sql<Row>`
      select s.im_user_id, s.ticket_id, t.group_id
        from consultation_participant_session s
        join consultation_participant_ticket t on t.id = s.ticket_id
        join consultation_im_user u on u.im_user_id = s.im_user_id
        where s.token_hash = ${hashOfToken(token)}
          and s.expires_at > ${now}
          and s.ended_at is null
          and t.state <> 'REVOKED'
          and u.disabled_at is null`.execute(db);
    if (!rows[0]) throw refuse(platformErrors.SESSION_EXPIRED);
    return rows[0];
  },
};
