import * as z from 'zod/mini';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { cardOf, cardSenders } from '../../contract/im/cards.ts';
import { groupConversation, roleOf, singleConversation } from '../../contract/im/ids.ts';
import { messageTypes, type CustomPayload } from '../../contract/im/types.ts';
import { unseal } from '../../contract/im/vendor.ts';
import { payloadSchemas } from '../../contract/im/wire.ts';
import { ownTx } from '../database.ts';
import { lockConversations, lockUsers, membersOf } from '../im/conversations/conversations.ts';
import { imEngine } from '../im/engine.ts';
import { blockedPairs, isAccepted, judge } from '../im/messages/judge.ts';
import { refusal, type Refused, type Send } from '../im/messages/sending.ts';
import { elements, messageOf } from './elements.ts';
import { vendorOf } from './mode.ts';

export const wish = z.looseObject({
  From_Account: z.string(),
  To_Account: z.optional(z.string()),
  GroupId: z.optional(z.string()),
  OnlineOnlyFlag: z.optional(z.int()),
  MsgBody: elements,
  CloudCustomData: z.optional(z.string()),
});

/** The counters of the rate limit move with what passes here. */
async function keepSendCounts(
  tx: Tx,
  sends: { convId: string; recent: readonly number[] },
  user: { imUserId: string; recent: readonly number[] },
): Promise<void> {
  await ownTx(tx)
    .updateTable('consultationImConversation')
    .set({ recentSends: sends.recent.map(String) })
    .where('convId', '=', sends.convId)
    .execute();
  await ownTx(tx)
    .updateTable('consultationImUser')
    .set({ recentSends: user.recent.map(String) })
    .where('imUserId', '=', user.imUserId)
    .execute();
}

/** An assistant may begin a single chat with a patient, nobody else. */
async function mayBegin(tx: Tx, from: string, to: string): Promise<boolean> {
  if (roleOf(from) !== 'ASSISTANT' || roleOf(to) !== 'PATIENT') return false;
  const there = await ownTx(tx)
    .selectFrom('consultationImUser')
    .select('imUserId')
    .where('imUserId', 'in', [from, to])
    .where('disabledAt', 'is', null)
    .execute();
  return there.length === 2;
}

/** Whether a message may be sent: the same checks as in our own service, in their order. @returns null when it may. */
export async function judgeBefore(kernel: Kernel, kind: 'GROUP' | 'C2C', body: unknown): Promise<Refused | null> {
  const asked = wish.parse(body);
  const { From_Account: from, To_Account: to = '', GroupId: groupId = '', OnlineOnlyFlag: onlineOnly } = asked;
  if (from === vendorOf(kernel)?.admin) return null;
  const message = messageOf(asked.MsgBody);
  return kernel.transactions.run('im', async (writing: Writing) => {
    const { tx } = writing;
    const conv = await imEngine(kernel).names.find(tx, from, kind === 'GROUP' ? groupConversation(groupId) : singleConversation(to));
    if (!conv) return kind === 'C2C' && (await mayBegin(tx, from, to)) ? null : refusal(kind === 'C2C' ? 'NOT_MEMBER' : 'DISSOLVED');
    const members = await membersOf(tx, [conv.convId]);
    // Typing and signals are for those who are there and stay nowhere: being a member is enough.
    if (onlineOnly === 1) return members.get(conv.convId)?.some(({ imUserId }) => imUserId === from) ? null : refusal('NOT_MEMBER');
    if (message.type === messageTypes.TIP || asked.MsgBody.length !== 1 || !payloadSchemas[message.type].safeParse(message.payload).success)
      return refusal('MALFORMED');
    if (message.type === messageTypes.CUSTOM) {
      const card = cardOf(message.payload as CustomPayload);
      if (card && !(cardSenders[card.businessID]?.includes(from[0] ?? '') ?? false)) return refusal('MALFORMED');
    }
    const conversations = await lockConversations(tx, [conv.convId]);
    const users = await lockUsers(
      tx,
      (members.get(conv.convId) ?? []).map(({ imUserId }) => imUserId),
    );
    const sealed = unseal(asked.CloudCustomData);
    const send: Send = {
      convId: conv.convId,
      senderId: from,
      clientMsgId: sealed?.clientMsgId ?? '',
      ...message,
      cloudCustomData: sealed?.custom ?? '',
      atUserList: [],
      quoteSeq: null,
      needReadReceipt: false,
      countsUnread: true,
      origin: 'HUMAN',
      sourceRef: null,
    };
    const { hooks, limits } = imEngine(kernel);
    const blocked = await blockedPairs(tx, [send], conversations);
    const judgement = (await judge(tx, [send], { conversations, members, users, blocked }, hooks, limits, kernel.clock.now())).get(send);
    if (!judgement || !isAccepted(judgement)) return judgement ?? refusal('STORE_FAILED');
    const user = users.get(from);
    if (user)
      await keepSendCounts(
        tx,
        { convId: conv.convId, recent: conversations.get(conv.convId)?.recentSends ?? [] },
        { imUserId: from, recent: user.recentSends },
      );
    return null;
  });
}
