import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { exchangeTicket, queryTicket } from '../../contract/calls/participants.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { roleOf } from '../../contract/im/ids.ts';
import { ticketMachine, type TicketState } from '../../contract/states.ts';
import { own, ownTx } from '../database.ts';
import { issueUserSig } from '../im/accounts/accounts.ts';
import { imModeOf } from '../tencent/mode.ts';
import { imEngine } from '../im/engine.ts';
import { knowsMobile } from '../partners.ts';
import { groupsOf } from './groups.ts';
import { hashOfToken, newToken } from './issue.ts';

const MOST_WRONG = 5;
const MOST_EXCHANGES = 20;
const SESSION_HOURS = 12;
const AGENT_LENGTH = 300;

interface Ticket {
  id: string;
  imUserId: string;
  groupId: string | null;
  state: TicketState;
  expiresAt: Instant;
  demo: boolean;
  wrongCount: number;
  exchangeCount: number;
}

/** One step of a ticket with its trail. */
export async function moveTicket(
  ctx: CommandContext,
  ticket: Pick<Ticket, 'id' | 'state'>,
  action: 'lock' | 'revoke' | 'expire',
  more: { wrongCount?: number } = {},
): Promise<TicketState> {
  const state = await moveState(ctx, ticketMachine, {
    targetType: 'consultation.participantTicket',
    targetId: ticket.id,
    action,
    from: ticket.state,
  });
  await ownTx(ctx.tx)
    .updateTable('consultationParticipantTicket')
    .set({ ...more, state })
    .where('id', '=', ticket.id)
    .execute();
  return state;
}

/** @throws Refusal SCM10040 and SCM10042 for a link that no longer opens. */
function requireOpen(kernel: Kernel, ticket: Ticket | undefined, now: Instant): Ticket {
  if (ticket?.state === 'LOCKED') throw refuse(errors.TICKET_LOCKED);
  const gone = !ticket || ticket.state !== 'ACTIVE' || ticket.expiresAt <= now || (ticket.demo && kernel.config.mode === 'production');
  if (gone) throw refuse(errors.TICKET_GONE);
  return ticket;
}

/**
 * The last four digits stand between the link and the conversation; the fifth wrong try locks it, and the count stays although the call
 * is refused.
 */
async function requireCheck(kernel: Kernel, ctx: CommandContext, ticket: Ticket, check: string | undefined): Promise<void> {
  if (ticket.demo) return;
  if (check === undefined) throw refuseField('check', '请输入手机号后四位');
  if (await knowsMobile(kernel, ctx.tx, ticket.imUserId, check)) return;
  const wrongCount = ticket.wrongCount + 1;
  if (wrongCount >= MOST_WRONG) {
    await moveTicket(ctx, ticket, 'lock', { wrongCount });
    throw refuse(errors.TICKET_LOCKED, { keepWrites: true });
  }
  await ownTx(ctx.tx).updateTable('consultationParticipantTicket').set({ wrongCount }).where('id', '=', ticket.id).execute();
  throw refuse(errors.TICKET_CHECK, { n: MOST_WRONG - wrongCount }, { keepWrites: true });
}

export const exchangeHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryTicket, async ({ ticket: token }, ctx) => {
    const ticket = requireOpen(
      kernel,
      await own(ctx.db)
        .selectFrom('consultationParticipantTicket')
        .selectAll()
        .where('tokenHash', '=', hashOfToken(token))
        .executeTakeFirst(),
      ctx.now,
    );
    return { checkNeeded: !ticket.demo, hint: '请输入预留手机号后四位' };
  }),
  command(exchangeTicket, async ({ ticket: token, check }, ctx) => {
    const tx = ownTx(ctx.tx);
    const ticket = requireOpen(
      kernel,
      await tx
        .selectFrom('consultationParticipantTicket')
        .selectAll()
        .where('tokenHash', '=', hashOfToken(token))
        .forUpdate()
        .executeTakeFirst(),
      ctx.now,
    );
    await requireCheck(kernel, ctx, ticket, check);
    const exchangeCount = ticket.exchangeCount + 1;
    await tx.updateTable('consultationParticipantTicket').set({ exchangeCount, wrongCount: 0 }).where('id', '=', ticket.id).execute();
    if (exchangeCount >= MOST_EXCHANGES) await moveTicket(ctx, ticket, 'expire');
    const participantToken = newToken();
    const expiresAt = plusMs(ctx.now, hours(SESSION_HOURS));
    const { imUserId, groupId } = ticket;
    await tx
      .insertInto('consultationParticipantSession')
      .values({
        tokenHash: hashOfToken(participantToken),
        ticketId: ticket.id,
        imUserId,
        expiresAt,
        userAgent: ctx.userAgent.slice(0, AGENT_LENGTH),
        createdAt: ctx.now,
      })
      .execute();
    const { nick } = await tx.selectFrom('consultationImUser').select('nick').where('imUserId', '=', imUserId).executeTakeFirstOrThrow();
    return {
      participantToken,
      expiresAt,
      nick,
      userRole: roleOf(imUserId) ?? 'PATIENT',
      ...(await issueUserSig(kernel, imUserId, expiresAt)),
      runtime: { mode: imModeOf(kernel), socketPath: '/im', recallSec: imEngine(kernel).limits.recallSec },
      groups: await groupsOf(ctx.tx, { imUserId, groupId }),
    };
  }),
];
