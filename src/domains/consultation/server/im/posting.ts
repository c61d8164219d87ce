import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Db, Tx, Writing } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { ImError, imCodes } from '../../contract/im/codes.ts';
import { SYSTEM_USER } from '../../contract/im/ids.ts';
import { messageTypes } from '../../contract/im/types.ts';
import { ownDb } from '../database.ts';
import { lockConversations } from './conversations.ts';
import { imEngine } from './engine.ts';
import { messageId } from './present.ts';
import type { Post } from './post.ts';
import { isRefused, type Stored } from './sending.ts';
import { storeBatch } from './storeBatch.ts';
import { postThroughVendor } from '../tencent/post.ts';

/**
 * Writes a message from the server, in the caller's transaction; delivered after its commit. The same `clientMsgId` again answers the
 * first message, whoever its sender.
 * @throws ImError with the chat's number where it may not be sent.
 */
export async function postStored(kernel: Kernel, writing: Writing, post: Post, now: Instant): Promise<Stored> {
  const engine = imEngine(kernel);
  await lockConversations(writing.tx, [post.convId]);
  const earlier = await findByClientMsgId(writing.tx, post.convId, post.clientMsgId);
  if (earlier) return { ...earlier, duplicate: true };
  const underway = await postThroughVendor(kernel, writing, post, now);
  if (underway) return underway;
  const [outcome] = await storeBatch(
    engine,
    writing,
    [
      {
        convId: post.convId,
        senderId: post.senderId,
        clientMsgId: post.clientMsgId,
        type: post.type,
        payload: post.payload,
        cloudCustomData: post.cloudCustomData ?? '',
        atUserList: [],
        quoteSeq: null,
        needReadReceipt: false,
        countsUnread: post.countsUnread ?? true,
        origin: post.senderId === SYSTEM_USER ? 'SYSTEM' : 'ENGINE',
        sourceRef: post.sourceRef ?? null,
      },
    ],
    now,
    true,
  );
  if (!outcome || isRefused(outcome))
    throw new ImError(imCodes[outcome?.refused ?? 'STORE_FAILED'][0], outcome?.message ?? imCodes.STORE_FAILED[1]);
  return outcome;
}

/** A line in the middle of the chat; never counted as unread. */
export const postTip = (
  kernel: Kernel,
  writing: Writing,
  tip: { convId: string; clientMsgId: string; text: string },
  now: Instant,
): Promise<Stored> =>
  postStored(
    kernel,
    writing,
    {
      convId: tip.convId,
      senderId: SYSTEM_USER,
      clientMsgId: tip.clientMsgId,
      type: messageTypes.TIP,
      payload: { text: tip.text },
      countsUnread: false,
    },
    now,
  );

/** The message that an engine wrote under this key; null when it wrote none. */
export async function findByClientMsgId(db: Db | Tx, convId: string, clientMsgId: string): Promise<Omit<Stored, 'duplicate'> | null> {
  const row = await ownDb(db)
    .selectFrom('consultationImMessage')
    .select(['seq', 'sentAt'])
    .where('convId', '=', convId)
    .where('clientMsgId', '=', clientMsgId)
    .where('auto', '=', true)
    .executeTakeFirst();
  return row ? { ID: messageId(convId, row.seq), seq: Number(row.seq), at: Date.parse(row.sentAt) } : null;
}
