import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import {
  queryMessageOriginal,
  queryStoredMessages,
  revokeMessageBySupervisor,
  searchMessages,
  type StoredWire,
} from '../../contract/calls/messages.ts';
import type { WireMessage } from '../../contract/im/wire.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { recallMessage } from '../im/messages/changing.ts';
import { imEngine } from '../im/engine.ts';
import { readHistory } from '../im/messages/history.ts';
import { searchMessages as search } from '../im/messages/searching.ts';
import { seeGroup } from '../people/access.ts';
import { meOf } from '../people/me.ts';
import { recallAtVendor } from '../tencent/post.ts';
import { readablePlace, type Place } from './place.ts';

const wire = (message: WireMessage): StoredWire => ({ ...message, payload: { ...message.payload } });
const target = ({ conv, name }: Place, seq?: number) => ({
  type: seq === undefined ? 'consultation.conversation' : 'consultation.message',
  id: seq === undefined ? conv.convId : `${conv.convId}-${seq}`,
  no: name,
});

const stored = (kernel: Kernel): Handler =>
  query(queryStoredMessages, async ({ conversationID, pageSize, ...wish }, ctx) => {
    const { conv, viewer, first } = await readablePlace(kernel, ctx.db, ctx, conversationID);
    const { messages, isCompleted } = await readHistory(ctx.db, conv, viewer, first, { ...wish, limit: pageSize });
    return { messages: messages.map(wire), isCompleted };
  });

const find: Handler = query(searchMessages, async ({ groupId, pageSize, ...wish }, ctx) => {
  if (groupId === undefined && [...wish.keyword.trim()].length < 2) throw refuseField('keyword', '请至少输入2个字，或在会话内搜索');
  const me = await meOf(ctx.db, ctx);
  const group = groupId === undefined ? null : (await seeGroup(ctx.db, ctx, groupId)).group;
  const where = group ? { convIds: [group.convId] } : { convIds: null, everywhere: ctx.has(may['chat.watch']) };
  const { hits, nextCursor } = await search(ctx.db, me.imUserId, { ...wish, ...where, limit: pageSize });
  return { hits: hits.map(({ message, ...hit }) => ({ ...hit, message: wire(message) })), nextCursor };
});

const revoke = (kernel: Kernel): Handler =>
  command(revokeMessageBySupervisor, async ({ conversationID, seq, reason }, ctx) => {
    const me = await meOf(ctx.tx, ctx);
    const place = await readablePlace(kernel, ctx.tx, ctx, conversationID);
    const recalled = await recallMessage(ctx, imEngine(kernel), place.conv, seq, { imUserId: me.imUserId, reason }, ctx.now);
    if ('refused' in recalled) throw refuse(platformErrors.NOT_FOUND);
    await recallAtVendor(kernel, ctx, place.conv.groupId, seq, reason);
    ctx.target(target(place, seq));
    return { message: wire(recalled) };
  });

const originals = (kernel: Kernel): Handler =>
  query(queryMessageOriginal, async ({ conversationID, seq }, ctx) => {
    const { conv } = await readablePlace(kernel, ctx.db, ctx, conversationID);
    const rows = await own(ctx.db)
      .selectFrom('consultationImMessageOriginal as o')
      .innerJoin('consultationImMessage as m', (join) => join.onRef('m.convId', '=', 'o.convId').onRef('m.seq', '=', 'o.seq'))
      .leftJoin('consultationImUser as u', 'u.imUserId', 'o.by')
      .select(['o.modifyVersion', 'm.type', 'o.payload', 'u.nick', 'o.at', 'o.reason'])
      .where('o.convId', '=', conv.convId)
      .where('o.seq', '=', String(seq))
      .orderBy('o.modifyVersion')
      .execute();
    if (rows.length === 0) throw refuse(platformErrors.NOT_FOUND);
    return {
      versions: rows.map(({ nick, payload, ...row }) => ({ ...row, payload: payload as Record<string, unknown>, byName: nick ?? '系统' })),
    };
  });

/** The store over HTTP: transcripts, search, recall by supervisors, what was recalled. */
export const messageHandlers = (kernel: Kernel): readonly Handler[] => [stored(kernel), find, revoke(kernel), originals(kernel)];
