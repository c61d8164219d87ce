import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { minutes } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { command, procedure, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { completeFor, fileBriefs, presign, signRead } from '#domains/files/server/index.ts';
import { completeMyFile, presignMyFile, queryMyFileUrl } from '../../contract/calls/participants.ts';
import { CHAT_PURPOSE } from '../files.ts';
import { inquiryOfGroup } from '../inquiries/facts.ts';
import { requireMine, participantOf, uploaderOf } from './enter.ts';

/** Reports belong to the record, whose domain named this purpose. */
const purposes = { CHAT: CHAT_PURPOSE, REPORT: 'PATIENT_RECORD' } as const;
const LINK_MINUTES = 10;

/** A file is shown with the message that carries it, or with the inquiry that it was handed in with. */
async function isShown(db: Db, wish: { groupId: string; convId: string; seq?: number | undefined; fileId: string }): Promise<boolean> {
  if (wish.seq === undefined) return (await inquiryOfGroup(db, wish.groupId))?.attachmentFileIds.includes(wish.fileId) === true;
  const { rows } = await sql<{ shown: boolean }>`
    select (
      m.revoked_at is null and ${wish.fileId} in (coalesce(m.payload->>'fileId', ''), coalesce(m.payload->>'thumbFileId', ''))
    ) as shown
      from consultation_im_message m
      where m.conv_id = ${wish.convId} and m.seq = ${wish.seq}`.execute(db);
  return rows[0]?.shown === true;
}

export const fileHandlers = (kernel: Kernel): readonly Handler[] => [
  command(presignMyFile, async ({ groupId, use, fileName, contentType, size, sha256 }, ctx) => {
    const mine = await requireMine(ctx.tx, ctx, groupId);
    const [upload] = await presign(
      kernel,
      ctx,
      { userId: uploaderOf(participantOf(ctx)), name: mine.nick, sessionId: null },
      purposes[use],
      [{ fileName, size, contentType, sha256 }],
      ctx.now,
    );
    const { fileId, headers, url, parts } = upload!;
    return { fileId, headers, parts: parts.length > 0 || url === '' ? parts : [{ no: 1, size, url }] };
  }),
  procedure(completeMyFile, async ({ groupId, fileId }, ctx) => {
    await requireMine(ctx.db, ctx, groupId);
    const userId = uploaderOf(participantOf(ctx));
    // It belongs to the group from the message on that carries it.
    const { state } = await completeFor(kernel, userId, fileId, (work) => ctx.transaction(work), ctx.now);
    return { fileId, state };
  }),
  query(queryMyFileUrl, async ({ groupId, seq, fileId, use }, ctx) => {
    const { convId } = await requireMine(ctx.db, ctx, groupId);
    const isTold = await isShown(ctx.db, { groupId, convId, seq, fileId });
    const [file] = isTold ? await fileBriefs(ctx.db, [fileId], { purpose: CHAT_PURPOSE }) : [];
    if (!file) throw refuse(platformErrors.NOT_FOUND);
    return {
      url: signRead(kernel, { fileId, use, original: true, sessionId: null, marks: null }, ctx.now, minutes(LINK_MINUTES)),
      fileName: file.fileName,
    };
  }),
];
