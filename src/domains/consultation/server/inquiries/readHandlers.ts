import { query, type Handler } from '#kernel/server/handler.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { queryInquiryDetail, queryInquiryIdByGroupId } from '../../contract/calls/inquiry.ts';
import { seeGroup } from '../people/access.ts';
import { CHAT_PURPOSE } from '../files.ts';
import { inquiryAnswer, inquiryOfGroup, mayReadPlain } from './facts.ts';

const detail: Handler = query(queryInquiryDetail, async ({ groupId }, ctx) => {
  const seen = await seeGroup(ctx.db, ctx, groupId);
  const inquiry = await inquiryOfGroup(ctx.db, groupId);
  const plain = mayReadPlain(ctx, seen);
  const files = plain && inquiry ? await fileBriefs(ctx.db, inquiry.attachmentFileIds, { purpose: CHAT_PURPOSE }) : [];
  return inquiryAnswer(
    inquiry,
    seen.group,
    { plain, has: ctx.has, now: ctx.now },
    files.map(({ fileId, fileName, detectedType }) => ({ fileId, fileName, detectedType })),
  );
});

const idOfGroup: Handler = query(queryInquiryIdByGroupId, async ({ groupId }, ctx) => {
  const { group } = await seeGroup(ctx.db, ctx, groupId);
  const inquiry = await inquiryOfGroup(ctx.db, groupId);
  return { inquiryId: inquiry?.id ?? null, inquiryUserId: inquiry?.patientId ?? group.patientId };
});

export const inquiryReads: readonly Handler[] = [detail, idOfGroup];
