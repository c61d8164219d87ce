import { sql } from 'kysely';
import { platformErrors, Refusal, refuse } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import { command, procedure, query, type Handler } from '#kernel/server/handler.ts';
import { signDownload } from '#domains/files/server/index.ts';
import type { CommandContext, Context, Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import {
  addQualityCheck,
  auditVisitRecord,
  batchArchiveVisitRecord,
  exportVisitRecordPdf,
  modifyVisitRecord,
  queryVisitMessageOriginal,
  queryVisitMessages,
  queryVisitRecordDetail,
  queryVisitRecordSums,
  revealVisitField,
} from '../../contract/calls/visits.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { inquiryMachine } from '../../contract/states.ts';
import { ownTx } from '../database.ts';
import { deedOf } from '../deed.ts';
import { inquiryOf, type InquiryRow } from '../inquiries/rows.ts';
import { archiveRecord, placeOf } from './archive.ts';
import { correctRecord } from './correct.ts';
import { visitDetail } from './detail.ts';
import { requireOneMain, editRecord } from './edit.ts';
import { storePrint } from './files.ts';
import { messagesOf, originalsOf, stretchOf } from './messages.ts';
import { recordPdf } from './pdf.ts';
import { type VisitList, sumVisits } from './list.ts';
import { visitsSeen } from './query.ts';
import { lockRecord, presentRecord, RECORD_TARGET, versionsOf, type LockedRecord } from './records.ts';
import { inGroup } from './scope.ts';
import { transcriptPdf } from './transcript.ts';
import { moveRecord } from './write.ts';

const INQUIRY_TARGET = 'consultation.inquiry';

/** An inquiry in the caller's scope. @throws Refusal SCM90040 */
async function accessInquiry(db: Db | Tx, ctx: Pick<Context, 'staff'>, id: string): Promise<InquiryRow> {
  const row = await visitsSeen(db, ctx.staff).selectAll('i').where('i.id', '=', id).executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return inquiryOf(row);
}

/** What a change answers: the version as the caller may see it. */
function changed(ctx: CommandContext, { record, inquiry }: LockedRecord) {
  return presentRecord(record, {
    plain: true,
    newest: true,
    serverStatus: inquiry.serverStatus,
    has: ctx.has,
    confirmedBy: inquiry.doctorName,
  });
}

const audit = (kernel: Kernel): Handler =>
  command(auditVisitRecord, async ({ id, version, action, opinion }, ctx) => {
    const deed = deedOf(kernel, ctx);
    const locked = await lockRecord(ctx.tx, id, ctx.staff);
    await requireVersion(ctx, RECORD_TARGET, locked.record, version, () => ({ state: locked.record.state }));
    const perform = () => {
      if (action === 'archive') return archiveRecord(deed, locked);
      if (action === 'correct') return correctRecord(deed, locked, opinion);
      if (locked.record.state === 'DRAFT' && locked.record.diagnoses.length === 0) throw refuse(errors.NO_DIAGNOSIS);
      requireOneMain(locked.record.diagnoses);
      return moveRecord(deed, locked.record, 'submit', {}, { opinion });
    };
    return changed(ctx, { ...locked, record: await perform() });
  });

const batchArchive = (kernel: Kernel): Handler =>
  procedure(batchArchiveVisitRecord, async ({ items }, ctx) => {
    const results: { id: string; ok: boolean; code: string | null; message: string | null }[] = [];
    for (const { id, version } of items) {
      try {
        await ctx.transaction(async (one) => {
          const locked = await lockRecord(one.tx, id, one.staff);
          await requireVersion(one, RECORD_TARGET, locked.record, version, () => ({ state: locked.record.state }));
          await archiveRecord(deedOf(kernel, one), locked);
        });
        results.push({ id, ok: true, code: null, message: null });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        results.push({ id, ok: false, code: error.code, message: error.message });
      }
    }
    return results;
  });

const CHECKED = new Set(['4', '6', '7']);

const quality: Handler = command(addQualityCheck, async ({ serverId, version, score, tags, note }, ctx) => {
  await accessInquiry(ctx.tx, ctx, serverId);
  const row = inquiryOf(
    await ownTx(ctx.tx).selectFrom('consultationInquiry').selectAll().where('id', '=', serverId).forUpdate().executeTakeFirstOrThrow(),
  );
  await requireVersion(ctx, INQUIRY_TARGET, row, version, () => ({ serverStatus: row.serverStatus }));
  if (!CHECKED.has(row.serverStatus)) throw refuse(platformErrors.WRONG_STATE, { state: inquiryMachine.states[row.serverStatus].label });
  await ownTx(ctx.tx)
    .updateTable('consultationInquiry')
    .set({
      qcScore: score,
      qcTags: [...new Set(tags)],
      qcNote: note ?? null,
      qcBy: ctx.staff.userId,
      qcAt: ctx.now,
      version: row.version + 1,
      ...updatedColumns(ctx),
    })
    .where('id', '=', serverId)
    .execute();
  ctx.target({ type: INQUIRY_TARGET, id: serverId, no: row.inquiryNo });
  ctx.changed([{ path: 'qcScore', label: '质检得分', before: row.qcScore, after: score }]);
  return { serverId, version: row.version + 1 };
});

const print = (kernel: Kernel): Handler =>
  command(exportVisitRecordPdf, async ({ serverId, content }, ctx) => {
    const inquiry = await accessInquiry(ctx.tx, ctx, serverId);
    ctx.target({ type: INQUIRY_TARGET, id: serverId, no: inquiry.inquiryNo });
    const by = { name: ctx.staff.displayName, at: ctx.now };
    const answer = (fileId: string) => ({ fileId, url: signDownload(kernel, ctx, fileId) });
    if (content === 'chat')
      return answer(
        (
          await storePrint(
            kernel,
            ctx.tx,
            `聊天记录${inquiry.inquiryNo}.pdf`,
            await transcriptPdf(ctx.tx, inquiry, by),
            ctx.staff.userId,
            ctx.now,
          )
        ).fileId,
      );
    const versions = await versionsOf(ctx.tx, serverId);
    const record = versions.find(({ current }) => current) ?? versions[0];
    if (!record) throw refuse(platformErrors.NOT_FOUND, { message: '该问诊还没有就诊小结' });
    if (record.archivedFileId !== null) return answer(record.archivedFileId);
    return answer(
      (
        await storePrint(
          kernel,
          ctx.tx,
          `就诊小结${record.visitNo}.pdf`,
          recordPdf(record, inquiry, { ...(await placeOf(ctx, inquiry.doctorId)), by: by.name, at: by.at }),
          ctx.staff.userId,
          ctx.now,
        )
      ).fileId,
    );
  });

const reveal: Handler = command(revealVisitField, async ({ serverId }, ctx) => {
  const inquiry = await accessInquiry(ctx.tx, ctx, serverId);
  ctx.target({ type: INQUIRY_TARGET, id: serverId, no: inquiry.inquiryNo });
  const records = (await versionsOf(ctx.tx, serverId)).map(({ id, chiefComplaint, presentIllness, pastHistory, allergy, advice }) => ({
    id,
    chiefComplaint,
    presentIllness,
    pastHistory,
    allergy,
    advice,
  }));
  return { suffererName: inquiry.patientName, chiefComplaint: inquiry.chiefComplaint, allergyNote: inquiry.allergyNote, records };
});

const messages: Handler = query(queryVisitMessages, async ({ serverId, ...wish }, ctx) => {
  const inquiry = await visitsSeen(ctx.db, ctx.staff)
    .selectAll('i')
    .select(sql<boolean>`coalesce(${inGroup(ctx.staff.userId)}, false)`.as('member'))
    .where('i.id', '=', serverId)
    .executeTakeFirst();
  if (!inquiry) throw refuse(platformErrors.NOT_FOUND);
  const stretch = await stretchOf(ctx.db, inquiry);
  if (!stretch) return { messages: [], isCompleted: true };
  const page = await messagesOf(ctx.db, stretch, wish);
  // Whoever does not serve the patient reads the name here as the list shows it.
  return inquiry.member
    ? page
    : {
        ...page,
        messages: page.messages.map((message) => (message.role === 'PATIENT' ? { ...message, nick: mask('name', message.nick) } : message)),
      };
});
const originals: Handler = command(queryVisitMessageOriginal, async ({ serverId, seq }, ctx) => {
  const inquiry = await accessInquiry(ctx.tx, ctx, serverId);
  const stretch = await stretchOf(ctx.tx, inquiry);
  if (!stretch) throw refuse(platformErrors.NOT_FOUND);
  ctx.target({ type: 'consultation.message', id: `${stretch.convId}-${seq}`, no: inquiry.inquiryNo });
  return originalsOf(ctx.tx, stretch, seq);
});

export const visitHandlers = (kernel: Kernel, list: VisitList): readonly Handler[] => [
  list.handler,
  query(queryVisitRecordSums, (filter, ctx) => sumVisits(list, ctx, filter)),
  query(queryVisitRecordDetail, ({ serverId }, ctx) => visitDetail(ctx, serverId)),
  command(modifyVisitRecord, async (input, ctx) => changed(ctx, await editRecord(kernel, ctx, input))),
  audit(kernel),
  batchArchive(kernel),
  quality,
  print(kernel),
  reveal,
  messages,
  originals,
];
