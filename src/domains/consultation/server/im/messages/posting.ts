import { sql } from 'kysely';
import { platformErrors, refuse, type Refusal } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ImError, imCodes } from '../../../contract/im/codes.ts';
import { SYSTEM_USER } from '../../../contract/im/ids.ts';
import { messageTypes } from '../../../contract/im/types.ts';
import { postThroughVendor } from '../../tencent/post.ts';
import { lockConversations } from '../conversations/conversations.ts';
import { imEngine } from '../engine.ts';
import { sendKey, type Earlier } from './insertMessages.ts';
import { messageId } from './present.ts';
import { isRefused, refusal, type Post, type Send, type Stored } from './sending.ts';
import { storeBatch } from './storeBatch.ts';

/**
 * Writes messages from the server, in the caller's transaction; delivered after its commit. The same `clientMsgId` again answers the
 * first message, whoever its sender.
 * @returns for each what was stored, or why not, in their order: SCM90040 where there is no such conversation, else the chat's number;
 *   two of one key are one message
 */
export async function postAllStored(
  kernel: Kernel,
  writing: Writing,
  posts: readonly Post[],
  now: Instant,
): Promise<(Stored | ImError | Refusal)[]> {
  if (posts.length === 0) return [];
  const locked = await lockConversations(
    writing.tx,
    posts.map(({ convId }) => convId),
  );
  const results = new Map<Post, Stored | ImError | Refusal>();
  const { posted, own } = await findBefore(writing.tx, posts);
  for (const post of posts) {
    const found = posted.get(`${post.convId}|${post.clientMsgId}`);
    const answer = found
      ? { ...found, duplicate: true }
      : locked.has(post.convId)
        ? await postThroughVendor(kernel, writing, post, now)
        : refuse(platformErrors.NOT_FOUND);
    if (answer) results.set(post, answer);
  }
  const left = posts.filter((post) => !results.has(post));
  if (left.length > 0) {
    const outcomes = await storeBatch(imEngine(kernel), writing, left.map(sendOf), now, { careful: true, locked, earlier: own });
    left.forEach((post, at) => {
      const outcome = outcomes[at] ?? refusal('STORE_FAILED');
      results.set(post, isRefused(outcome) ? new ImError(imCodes[outcome.refused][0], outcome.message) : outcome);
    });
  }
  return posts.map((post) => results.get(post)!);
}

/** What engines wrote under the posts' keys, by `{conversation}|{key}`, and what their senders wrote by hand, by the key of a send. */
async function findBefore(
  tx: Tx,
  posts: readonly Post[],
): Promise<{ posted: ReadonlyMap<string, Omit<Stored, 'duplicate'>>; own: ReadonlyMap<string, Earlier> }> {
  const { rows } = await sql<Earlier & { auto: boolean }>`
    select m.conv_id, m.sender_id, m.client_msg_id, m.seq, m.sent_at, m.payload_hash, m.auto
      from unnest(
        ${posts.map(({ convId }) => convId)}::bigint[], ${posts.map(({ clientMsgId }) => clientMsgId)}::text[],
        ${posts.map(({ senderId }) => senderId)}::text[]
      ) as v (conv, client, sender)
      join consultation_im_message m on m.conv_id = v.conv and m.client_msg_id = v.client and (m.auto or m.sender_id = v.sender)`.execute(
    tx,
  );
  return {
    posted: new Map(rows.filter(({ auto }) => auto).map((row) => [`${row.convId}|${row.clientMsgId}`, storedAs(row)])),
    own: new Map(rows.filter(({ auto }) => !auto).map((row) => [sendKey(row), row])),
  };
}

const sendOf = (post: Post): Send => ({
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
});

/** Writes one message as `postAllStored` does many. @throws ImError or Refusal where it may not be sent. */
export async function postStored(kernel: Kernel, writing: Writing, post: Post, now: Instant): Promise<Stored> {
  const [answer] = await postAllStored(kernel, writing, [post], now);
  if (answer instanceof Error) throw answer;
  return answer!;
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

const storedAs = ({ convId, seq, sentAt }: Pick<Earlier, 'convId' | 'seq' | 'sentAt'>): Omit<Stored, 'duplicate'> => ({
  ID: messageId(convId, seq),
  seq: Number(seq),
  at: Date.parse(sentAt),
});

/** Messages that engines wrote under these keys, by `{conversation}|{key}`. */
export async function findPosted(
  db: Db | Tx,
  keys: readonly { conversationId: string; clientMsgId: string }[],
): Promise<ReadonlyMap<string, Omit<Stored, 'duplicate'>>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ convId: string; clientMsgId: string; seq: string; sentAt: Instant }>`
    select m.conv_id, m.client_msg_id, m.seq, m.sent_at
      from unnest(
        ${keys.map(({ conversationId }) => conversationId)}::bigint[], ${keys.map(({ clientMsgId }) => clientMsgId)}::text[]
      ) as v (conv, client)
      join consultation_im_message m on m.conv_id = v.conv and m.client_msg_id = v.client and m.auto`.execute(db);
  return new Map(rows.map((row) => [`${row.convId}|${row.clientMsgId}`, storedAs(row)]));
}

/** The message that an engine wrote under this key; null when it wrote none. */
export const findByClientMsgId = async (
  db: Db | Tx,
  conversationId: string,
  clientMsgId: string,
): Promise<Omit<Stored, 'duplicate'> | null> =>
  (await findPosted(db, [{ conversationId, clientMsgId }])).get(`${conversationId}|${clientMsgId}`) ?? null;
