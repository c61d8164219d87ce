import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Context, Tx } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { addParticipantTicket, queryParticipantTickets, revokeParticipantTicket } from '../../contract/calls/tickets.ts';
import { roleOf } from '../../contract/im/ids.ts';
import type { TicketState } from '../../contract/states.ts';
import { ownTx } from '../database.ts';
import { deedOf } from '../deed.ts';
import { endSigns } from '../im/accounts/accounts.ts';
import { requireMember } from '../people/access.ts';
import { meOf } from '../people/me.ts';
import { issueTicket } from './issue.ts';
import { moveTicket } from './exchange.ts';

/**
 * A link for one group is given by its members; one for all groups of a doctor by whoever serves with him, or leads. @throws Refusal
 * SCM90040.
 */
async function requireIssuer(tx: Tx, ctx: Context, imUserId: string, groupId: string | null): Promise<void> {
  if (groupId !== null) {
    const { group } = await requireMember(tx, ctx, groupId);
    const inside = await ownTx(tx)
      .selectFrom('consultationImMember')
      .select('imUserId')
      .where('convId', '=', group.convId)
      .where('imUserId', '=', imUserId)
      .where('leftAt', 'is', null)
      .executeTakeFirst();
    if (!inside) throw refuse(platformErrors.NOT_FOUND);
    return;
  }
  const me = await meOf(tx, ctx);
  if (me.supervisor) return;
  const { rows } = await sql`
    select 1
      from consultation_im_member a
      join consultation_im_member b on b.conv_id = a.conv_id and b.im_user_id = ${imUserId} and b.left_at is null
      where a.im_user_id = ${me.imUserId} and a.left_at is null limit 1`.execute(tx);
  if (rows.length === 0) throw refuse(platformErrors.NOT_FOUND);
}

export const ticketHandlers = (kernel: Kernel): readonly Handler[] => [
  command(addParticipantTicket, async ({ imUserId, groupId = null, reason, demo }, ctx) => {
    const role = roleOf(imUserId);
    if (role !== 'PATIENT' && role !== 'DOCTOR') throw refuseField('imUserId', '参与链接只能签发给患者或医生');
    if (role === 'PATIENT' && groupId === null) throw refuseField('groupId', '请选择会话');
    if (demo && kernel.config.mode === 'production') throw refuseField('demo', '演示链接仅在演示模式可用');
    await requireIssuer(ctx.tx, ctx, imUserId, groupId);
    const ticket = await issueTicket(deedOf(kernel, ctx), { imUserId, groupId, reason, demo });
    ctx.target({ type: 'consultation.participantTicket', id: ticket.id, no: imUserId });
    return ticket;
  }),
  command(revokeParticipantTicket, async ({ id }, ctx) => {
    const ticket = await ownTx(ctx.tx)
      .selectFrom('consultationParticipantTicket')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!ticket) throw refuse(platformErrors.NOT_FOUND);
    await requireIssuer(ctx.tx, ctx, ticket.imUserId, ticket.groupId);
    const state = await moveTicket(ctx, ticket, 'revoke');
    await ownTx(ctx.tx)
      .updateTable('consultationParticipantSession')
      .set({ endedAt: ctx.now })
      .where('ticketId', '=', id)
      .where('endedAt', 'is', null)
      .execute();
    // The page behind it is put out at once; whoever came by another living link takes a new sign.
    await endSigns(kernel, ctx, ticket.imUserId, 'userSigExpired', ctx.now);
    return { id, state };
  }),
  query(queryParticipantTickets, async ({ groupId }, ctx) => {
    const { group } = await requireMember(ctx.db, ctx, groupId);
    interface Row {
      id: string;
      imUserId: string;
      nick: string;
      groupId: string | null;
      state: TicketState;
      expiresAt: string;
      exchangeCount: number;
      demo: boolean;
      issuedBy: string | null;
      createdAt: string;
    }
    const { rows } = await sql<Row>`
      select t.id, t.im_user_id, u.nick, t.group_id,
          case when t.state = 'ACTIVE' and t.expires_at <= ${ctx.now} then 'EXPIRED' else t.state end as state, t.expires_at,
          t.exchange_count, t.demo, t.issued_by, t.created_at
        from consultation_participant_ticket t
        join consultation_im_user u on u.im_user_id = t.im_user_id
        where t.group_id = ${groupId} or (t.group_id is null and t.im_user_id = 'D' || ${group.doctorOperatorId})
        order by t.id desc limit 50`.execute(ctx.db);
    const names = new Map(
      (
        await userBrief(
          ctx.db,
          rows.flatMap(({ issuedBy }) => issuedBy ?? []),
        )
      ).map(({ userId, displayName }) => [userId, displayName]),
    );
    return rows.map(({ issuedBy, ...row }) => ({ ...row, issuedByName: issuedBy === null ? null : (names.get(issuedBy) ?? null) }));
  }),
];
