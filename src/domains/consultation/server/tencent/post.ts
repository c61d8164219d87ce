import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { SYSTEM_USER } from '../../contract/im/ids.ts';
import { seal } from '../../contract/im/vendor.ts';
import { own } from '../database.ts';
import { imEngine } from '../im/engine.ts';
import type { Post, Stored } from '../im/messages/sending.ts';
import { bodyOf } from './elements.ts';
import { vendorOf } from './mode.ts';
import { recordMessages } from './record.ts';
import { callVendor, nothing } from './rest.ts';

const sent = z.looseObject({
  MsgSeq: z.optional(z.int()),
  MsgTime: z.int(),
  MsgKey: z.optional(z.string()),
  MsgId: z.optional(z.string()),
});

/** The same for the same message: the vendor drops what comes twice with one number within minutes. */
export const randomOf = (clientMsgId: string): number => createHash('sha256').update(clientMsgId).digest().readUInt32BE(0);

/** Sends what the server says, once: what our record holds already is not sent again. */
export const vendorPostJob = job<Post>({
  name: 'consultation.vendorPost',
  label: '发送会话消息（腾讯云）',
  subject: ({ convId }) => convId,
  async run(post, { kernel, db, transaction }) {
    const conv = await imEngine(kernel).names.byId(db, post.convId);
    if (!conv) return;
    const earlier = await own(db)
      .selectFrom('consultationImMessage')
      .select('seq')
      .where('convId', '=', post.convId)
      .where('clientMsgId', '=', post.clientMsgId)
      .where('auto', '=', true)
      .executeTakeFirst();
    if (earlier) return;
    const sealed = {
      clientMsgId: post.clientMsgId,
      custom: post.cloudCustomData ?? '',
      quoteSeq: null,
      modifyVersion: 0,
      auto: true,
      sourceRef: post.sourceRef ?? null,
      countsUnread: post.countsUnread ?? true,
    };
    const common = { MsgBody: bodyOf(post), CloudCustomData: seal(sealed) };
    const asSystem = post.senderId === SYSTEM_USER;
    const single = conv.groupId === null;
    // In single chats somebody must stand behind what the system says: the assistant.
    const from = single && asSystem ? (conv.userLow ?? '') : post.senderId;
    const answer = single
      ? await callVendor(
          kernel,
          'openim/sendmsg',
          {
            SyncOtherMachine: 1,
            From_Account: from,
            To_Account: from === conv.userLow ? conv.userHigh : conv.userLow,
            MsgRandom: randomOf(post.clientMsgId),
            ...common,
            ForbidCallbackControl: ['ForbidBeforeSendMsgCallback'],
            ...(sealed.countsUnread ? {} : { SendMsgControl: ['NoUnread'] }),
          },
          sent,
        )
      : await callVendor(
          kernel,
          'group_open_http_svc/send_group_msg',
          {
            GroupId: conv.groupId,
            Random: randomOf(post.clientMsgId),
            ...(asSystem ? {} : { From_Account: from }),
            ...common,
            ForbidCallbackControl: ['ForbidBeforeSendMsgCallback'],
            ...(sealed.countsUnread ? {} : { SendMsgControl: ['NoUnread'] }),
          },
          sent,
        );
    await transaction((writing) =>
      recordMessages(kernel, writing, post.convId, [
        {
          seq: single ? null : (answer.MsgSeq ?? null),
          senderId: asSystem ? SYSTEM_USER : post.senderId,
          vendorId: answer.MsgKey ?? answer.MsgId ?? post.clientMsgId,
          type: post.type,
          payload: post.payload,
          sealed,
          time: answer.MsgTime,
        },
      ]),
    );
  },
});

/** In the vendor's mode a message gets its number from him, after the commit; @returns null where our own service numbers it. */
export async function postThroughVendor(kernel: Kernel, writing: Writing, post: Post, now: Instant): Promise<Stored | null> {
  if (!vendorOf(kernel)) return null;
  await writing.enqueue(vendorPostJob, { ...post });
  return { ID: post.clientMsgId, seq: 0, at: Date.parse(now), duplicate: false };
}

export const vendorRecallJob = job<{ groupId: string; seq: number; reason: string }>({
  name: 'consultation.vendorRecall',
  label: '撤回会话消息（腾讯云）',
  subject: ({ groupId }) => groupId,
  async run({ groupId, seq, reason }, { kernel }) {
    await callVendor(
      kernel,
      'group_open_http_svc/group_msg_recall',
      { GroupId: groupId, MsgSeqList: [{ MsgSeq: seq }], Reason: reason },
      nothing,
    );
  },
});

/** A supervisor's recall reaches the vendor's clients too. */
export async function recallAtVendor(kernel: Kernel, writing: Writing, groupId: string | null, seq: number, reason: string): Promise<void> {
  if (vendorOf(kernel) && groupId !== null) await writing.enqueue(vendorRecallJob, { groupId, seq, reason });
}
