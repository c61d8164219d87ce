import * as z from 'zod/mini';
import { id, idOut, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { ticketMachine } from '../states.ts';
import { groupId, imUserId } from './shared.ts';

// Calls of the workbench, which the page of participants does not load.
const service = declareService('ParticipantService');
const issue = may['ticket.issue'];
const ticketRow = z.strictObject({
  id: idOut,
  imUserId: z.string(),
  nick: z.string(),
  groupId: z.nullable(z.string()),
  state: ticketMachine.dictionary.schema,
  expiresAt: z.string(),
  exchangeCount: z.int(),
  demo: z.boolean(),
  issuedByName: z.nullable(z.string()),
  createdAt: z.string(),
});
/** The link is shown once; only its hash is kept. */
export const addParticipantTicket = service.act({
  operation: 'addParticipantTicket',
  label: '签发参与链接',
  access: issue,
  secretOutput: true,
  input: { imUserId, groupId: z.optional(groupId), reason: text('原因', 200, 2), demo: field('演示', z._default(z.boolean(), false)) },
  output: z.strictObject({ id: idOut, url: z.string(), expiresAt: z.string() }),
});
export const revokeParticipantTicket = service.act({
  operation: 'revokeParticipantTicket',
  label: '作废参与链接',
  access: issue,
  input: { id },
  output: z.strictObject({ id: idOut, state: ticketMachine.dictionary.schema }),
});
export const queryParticipantTickets = service.read({
  operation: 'queryParticipantTickets',
  label: '查询参与链接',
  access: issue,
  input: { groupId },
  output: z.array(ticketRow),
});
