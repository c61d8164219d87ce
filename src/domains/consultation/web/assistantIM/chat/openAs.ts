import { send } from '#kernel/web/http/client.ts';
import { addParticipantTicket } from '../../../contract/calls/tickets.ts';

/** Opens the participant's page in the name of somebody of the demonstration. */
export async function openAs(imUserId: string, groupId: string | null): Promise<void> {
  const ticket = await send(addParticipantTicket, {
    imUserId,
    reason: '演示：打开参与者页面',
    demo: true,
    ...(groupId ? { groupId } : {}),
  }).catch(() => null);
  if (ticket) window.open(ticket.url, '_blank', 'noopener');
}
