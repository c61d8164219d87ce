import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db, QueryContext } from '#kernel/server/context.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { groupConversation } from '../../contract/im/ids.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { CHAT_PURPOSE } from '../files.ts';
import { inquiryAnswer } from '../inquiries/facts.ts';
import { inquiryOf } from '../inquiries/rows.ts';
import { presentRecord, RECORD_TARGET, versionsOf, type RecordRow } from './records.ts';
import { departmentsOf, selected, visitRow } from './rows.ts';
import { visitsSeen, type VisitQuery } from './query.ts';

const one = (query: VisitQuery, id: string) => query.where('i.id', '=', id);

async function videosOf(db: Db, inquiryId: string) {
  const rooms = await own(db)
    .selectFrom('consultationVideoRoom')
    .select(['roomId', 'state', 'startedAt', 'endedAt', 'talkSec', 'doctorPatientSec', 'endReason'])
    .where('inquiryId', '=', inquiryId)
    .orderBy('startedAt')
    .execute();
  if (rooms.length === 0) return [];
  const people = await own(db)
    .selectFrom('consultationVideoParticipant as v')
    .leftJoin('consultationImUser as u', 'u.imUserId', 'v.imUserId')
    .select(['v.roomId', 'v.imUserId', 'u.nick', 'v.joinedAt', 'v.leftAt'])
    .where(
      'v.roomId',
      'in',
      rooms.map(({ roomId }) => roomId),
    )
    .orderBy('v.joinedAt')
    .execute();
  return rooms.map((room) => ({
    ...room,
    participants: people
      .filter(({ roomId }) => roomId === room.roomId)
      .map(({ nick, imUserId, joinedAt, leftAt }) => ({ nick: nick ?? imUserId, joinedAt, leftAt })),
  }));
}

const boardOf = (db: Db, inquiryId: string) =>
  own(db)
    .selectFrom('consultationGroupBoard as b')
    .leftJoin('consultationAssistantDuty as f', 'f.assistantId', 'b.fromAssistantId')
    .leftJoin('consultationAssistantDuty as t', 't.assistantId', 'b.toAssistantId')
    .select(['b.action', 'f.name as fromName', 't.name as toName', 'b.reason', 'b.waitSec', 'b.at'])
    .where('b.inquiryId', '=', inquiryId)
    .orderBy('b.id')
    .execute();

/** The trail of the inquiry and of all versions of its record, oldest first. */
async function timelineOf(db: Db, inquiryId: string, records: readonly RecordRow[]) {
  const trails = await Promise.all([
    trailOf(db, 'consultation.inquiry', inquiryId),
    ...records.map(({ id }) => trailOf(db, RECORD_TARGET, id)),
  ]);
  return trails.flat().toSorted((a, b) => a.at.localeCompare(b.at) || Number(a.id) - Number(b.id));
}

/** Everything that the drawer shows of one inquiry. @throws Refusal SCM90040 outside the scope. */
export async function visitDetail(ctx: QueryContext, serverId: string) {
  const { db } = ctx;
  const row = await selected(one(visitsSeen(db, ctx.staff), serverId), ctx.staff).executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  const inquiry = inquiryOf(row);
  const records = await versionsOf(db, serverId);
  const plain = row.member || (ctx.has(may['visit.edit']) && ctx.has(may['inquiry.reveal']));
  const files = plain ? await fileBriefs(db, inquiry.attachmentFileIds, { purpose: CHAT_PURPOSE }) : [];
  const [checker] = inquiry.qcBy === null ? [] : await userBrief(db, [inquiry.qcBy]);
  const { rateTags, stars, rateText, ratedAt, qcScore, qcTags, qcNote, qcAt } = inquiry;
  return {
    row: visitRow(row, await departmentsOf(db, [row]), ctx),
    plain,
    inquiry: inquiryAnswer(
      inquiry,
      inquiry,
      { plain, has: ctx.has, now: ctx.now },
      files.map(({ fileId, fileName, detectedType }) => ({ fileId, fileName, detectedType })),
    ),
    startSeq: inquiry.startSeq === null ? null : Number(inquiry.startSeq),
    endSeq: inquiry.endSeq === null ? null : Number(inquiry.endSeq),
    conversationID: inquiry.groupId === null ? null : groupConversation(inquiry.groupId),
    records: records.map((record, index) =>
      presentRecord(record, {
        plain,
        newest: index === 0,
        serverStatus: inquiry.serverStatus,
        has: ctx.has,
        confirmedBy: inquiry.doctorName,
      }),
    ),
    videos: await videosOf(db, serverId),
    board: await boardOf(db, serverId),
    timeline: await timelineOf(db, serverId, records),
    rating: stars === null || ratedAt === null ? null : { stars, tags: rateTags, text: rateText, at: ratedAt },
    quality:
      qcScore === null || qcAt === null ? null : { score: qcScore, tags: qcTags, note: qcNote, by: checker?.displayName ?? null, at: qcAt },
  };
}
