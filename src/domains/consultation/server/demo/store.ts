import { randomUUID } from 'node:crypto';
import { instantOf } from '#kernel/contract/time.ts';
import { bulk } from '#kernel/server/demo/bulk.ts';
import type { Tx } from '#kernel/server/context.ts';
import { digestOf } from '../../contract/im/cards.ts';
import { roleOf } from '../../contract/im/ids.ts';
import { gramsOf, searchTextOf } from '../im/messages/searching.ts';
import { payloadHash } from '../im/messages/sending.ts';
import type { Line, Talk } from './line.ts';

const RECALL_MS = 30_000;

/** A conversation with who is in it and how far everybody has read. */
export interface Stored extends Talk {
  name: string | null;
  low: string | null;
  high: string | null;
  createdAt: number;
  members: { imUserId: string; readSeq: number; rings: boolean; helps: boolean }[];
}

const quoted = ({ quotes }: Line): string => (quotes ? JSON.stringify({ quote: { seq: quotes.seq, digest: digestOf(quotes) } }) : '');

function messageRow(convId: string, line: Line, now: string) {
  const { sender, type, payload, auto, countsUnread, recall, seq, quotes } = line;
  const cloudCustomData = quoted(line);
  const sentAt = instantOf(line.at);
  const back = recall ? instantOf(Math.min(line.at + RECALL_MS, Date.parse(now))) : null;
  return {
    convId,
    seq,
    senderId: sender,
    clientMsgId: line.clientMsgId ?? randomUUID(),
    type,
    payload: recall ? {} : payload,
    payloadHash: payloadHash({ type, payload, cloudCustomData }),
    cloudCustomData: recall ? '' : cloudCustomData,
    atUserList: line.mentions ?? [],
    quoteSeq: quotes?.seq ?? null,
    needReadReceipt: false,
    countsUnread,
    auto,
    sourceRef: line.sourceRef ?? null,
    sentAt,
    modifiedAt: back,
    modifyVersion: 0,
    revokedAt: back,
    revokedBy: recall?.by ?? null,
    revokeReason: recall?.reason ?? null,
    searchTokens: recall ? [] : gramsOf(searchTextOf(type, payload)),
    riskHit: line.risk ?? null,
  };
}

/** Conversations, members, messages and what was said before a recall. */
export async function writeTalks(tx: Tx, talks: readonly Stored[], now: string): Promise<void> {
  await bulk(
    tx,
    'consultation_im_conversation',
    talks.map(({ convId, groupId, name, low, high, lines, createdAt }) => ({
      convId,
      type: groupId === null ? 'C2C' : 'GROUP',
      groupId,
      name,
      userLow: low,
      userHigh: high,
      lastSeq: lines.length,
      lastMessageAt: instantOf(lines.at(-1)?.at ?? createdAt),
      recentSends: [],
      recentEngineSends: [],
      createdAt: instantOf(createdAt),
    })),
  );
  await bulk(
    tx,
    'consultation_im_member',
    talks.flatMap(({ convId, members, createdAt }) =>
      members.map(({ imUserId, readSeq, rings, helps }) => ({
        convId,
        imUserId,
        userRole: roleOf(imUserId),
        fromSeq: 1,
        readSeq,
        readAt: now,
        joinTime: instantOf(createdAt),
        isPinned: false,
        remindType: rings ? 'AcceptAndNotify' : 'AcceptNotNotify',
        draftText: '',
        clearedSeq: 0,
        isMarked: false,
        collaborate: helps,
      })),
    ),
  );
  await bulk(
    tx,
    'consultation_im_message',
    talks.flatMap(({ convId, lines }) => lines.map((line) => messageRow(convId, line, now))),
  );
  await bulk(
    tx,
    'consultation_im_message_original',
    talks.flatMap(({ convId, lines }) =>
      lines.flatMap((line) =>
        line.recall === undefined
          ? []
          : [
              {
                convId,
                seq: line.seq,
                modifyVersion: 0,
                payload: line.payload,
                cloudCustomData: quoted(line),
                by: line.recall.by,
                at: instantOf(Math.min(line.at + RECALL_MS, Date.parse(now))),
                reason: line.recall.reason,
              },
            ],
      ),
    ),
  );
}
