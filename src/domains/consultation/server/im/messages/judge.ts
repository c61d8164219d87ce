import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { imCodes } from '../../../contract/im/codes.ts';
import type { ImLimits } from '../../../contract/im/limits.ts';
import { ownTx } from '../../database.ts';
import type { LockedConversation, LockedUser, MemberRow } from '../conversations/conversations.ts';
import type { ImHooks, SendWish } from '../hooks.ts';
import { filesIn, isStorable, payloadBytes, refusal, countSend, type Refused, type Send } from './sending.ts';
import { foldText, searchTextOf } from './searching.ts';

export interface Scene {
  conversations: ReadonlyMap<string, LockedConversation>;
  members: ReadonlyMap<string, MemberRow[]>;
  users: ReadonlyMap<string, LockedUser>;
  /** Pairs of those who write to one another of whom one does not want to: `owner|blocked`. */
  blocked: ReadonlySet<string>;
}
/** What a send was judged: why not, or the flagged words in it. */
export type Judgement = Refused | { riskHit: string[] };
export const isAccepted = (judgement: Judgement): judgement is { riskHit: string[] } => 'riskHit' in judgement;

/** Accounts, membership, mutes: the first part of the checks. The system itself is nobody's member. */
function judgeSender(send: Send, { conversations, members, users }: Scene, now: Instant): Refused | MemberRow | null {
  const conversation = conversations.get(send.convId);
  if (send.origin === 'SYSTEM') return conversation?.dissolvedAt === null ? null : refusal('DISSOLVED');
  if (users.get(send.senderId)?.disabledAt) return refusal('DISABLED');
  const member = members.get(send.convId)?.find(({ imUserId }) => imUserId === send.senderId);
  if (!member) return refusal('NOT_MEMBER');
  if (!conversation || conversation.dissolvedAt !== null) return refusal('DISSOLVED');
  const mute = [member.muteUntil, users.get(send.senderId)?.riskMuteUntil].some((until) => until && until > now);
  return mute ? refusal('MUTED') : member;
}

/** Whom a message of a single chat is for; of a group it is for nobody alone. */
const partnerOf = ({ senderId }: Send, conversation: LockedConversation | undefined): string | null =>
  conversation?.groupId !== null ? null : conversation.userLow === senderId ? conversation.userHigh : conversation.userLow;

/** Senders of single chats whose partner does not want to hear of them: `owner|blocked`. */
export async function blockedPairs(
  tx: Tx,
  sends: readonly Send[],
  conversations: ReadonlyMap<string, LockedConversation>,
): Promise<ReadonlySet<string>> {
  const pairs = sends.flatMap((send) => {
    const partner = send.origin === 'SYSTEM' ? null : partnerOf(send, conversations.get(send.convId));
    return partner === null ? [] : [[partner, send.senderId] as const];
  });
  if (pairs.length === 0) return new Set();
  const rows = await ownTx(tx)
    .selectFrom('consultationImBlacklist')
    .select(['ownerId', 'blockedId'])
    .where(
      'ownerId',
      'in',
      pairs.map(([owner]) => owner),
    )
    .where(
      'blockedId',
      'in',
      pairs.map(([, blocked]) => blocked),
    )
    .execute();
  return new Set(rows.map(({ ownerId, blockedId }) => `${ownerId}|${blockedId}`));
}

/** Content and rate: the last part of the checks, whose counters move only for what passed everything before. */
function judgeContent(send: Send, scene: Scene, hooks: ImHooks, limits: ImLimits, now: Instant): Judgement {
  if (!isStorable(send.payload, send.cloudCustomData)) return refusal('MALFORMED');
  if (payloadBytes(send.payload) > limits.messageBytes) return refusal('TOO_LONG');
  const words = hooks.riskWords();
  const text = words.block.length + words.flag.length > 0 ? foldText(searchTextOf(send.type, send.payload)) : '';
  const stands = (word: string) => text.includes(foldText(word));
  if (send.origin === 'HUMAN' && words.block.some(stands)) return refusal('SENSITIVE');
  const at = Date.parse(now);
  const conversation = scene.conversations.get(send.convId)!;
  const user = scene.users.get(send.senderId);
  if (send.origin === 'HUMAN' && user && !countSend(user.recentSends, limits.user, at)) return refusal('TOO_OFTEN');
  if (send.origin === 'HUMAN' && conversation.groupId !== null && !countSend(conversation.recentSends, limits.group, at))
    return refusal('TOO_OFTEN');
  if (send.origin === 'ENGINE' && !countSend(conversation.recentEngineSends, limits.engine, at)) return refusal('TOO_OFTEN');
  return { riskHit: words.flag.filter(stands) };
}

/** Judges sends in the order of the design's checks; the first failure answers. */
export async function judge(
  tx: Tx,
  sends: readonly Send[],
  scene: Scene,
  hooks: ImHooks,
  limits: ImLimits,
  now: Instant,
): Promise<Map<Send, Judgement>> {
  const judged = new Map<Send, Judgement>();
  const wishes = new Map<Send, SendWish>();
  for (const send of sends) {
    const sender = judgeSender(send, scene, now);
    if (sender !== null && 'refused' in sender) judged.set(send, sender);
    else if (sender && send.origin === 'HUMAN') {
      wishes.set(send, {
        convId: send.convId,
        groupId: scene.conversations.get(send.convId)?.groupId ?? null,
        senderId: send.senderId,
        role: sender.userRole,
        type: send.type,
        fileIds: filesIn(send.payload),
      });
    }
  }
  const denied = wishes.size > 0 ? await hooks.sendPolicy(tx, [...wishes.values()], now) : new Map<SendWish, string>();
  const carrying = [...wishes.values()].filter(({ fileIds }) => fileIds.length > 0);
  const unusable = carrying.length > 0 ? await hooks.unusableFiles(tx, carrying) : new Set<SendWish>();
  for (const send of sends) {
    if (judged.has(send)) continue;
    const wish = wishes.get(send);
    const denial = wish && denied.get(wish);
    const partner = partnerOf(send, scene.conversations.get(send.convId));
    if (denial !== undefined) judged.set(send, refusal('POLICY', denial || imCodes.POLICY[1]));
    else if (send.origin !== 'SYSTEM' && scene.blocked.has(`${partner}|${send.senderId}`)) judged.set(send, refusal('BLACKLISTED'));
    else if (wish && unusable.has(wish)) judged.set(send, refusal('FILE_UNUSABLE'));
    else judged.set(send, judgeContent(send, scene, hooks, limits, now));
  }
  return judged;
}
