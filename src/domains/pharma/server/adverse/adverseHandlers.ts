import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { hours, plusMs, showInstant } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState, trailOf } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import {
  closeAdverseReport,
  forwardAdverseReport,
  invalidAdverseReport,
  queryAdverseReportTrail,
  revealAdverseReport,
} from '../../contract/calls/adverse.ts';
import { seriousnessLevels } from '../../contract/dictionaries.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { adverseMachine } from '../../contract/states.ts';
import { adverseRecords } from '../access.ts';
import { own, ownTx } from '../database.ts';
import type { Mailer } from '../mailer.ts';
import { describe, presentReport, reportColumns, reports, type StoredReport } from './adverseRows.ts';
import { adverseForm } from './form.ts';
import { reportKey } from './receiveReport.ts';

const place = (row: Pick<StoredReport, 'id' | 'reportNo'>) => ({
  targetType: 'pharma.adverseReport',
  targetId: row.id,
  targetNo: row.reportNo,
});

async function openReport(ctx: CommandContext, id: string, version: number): Promise<StoredReport> {
  await adverseRecords.lock(ctx.tx, ctx.staff, id);
  const row = await reportColumns(reports(ownTx(ctx.tx)))
    .where('r.id', '=', id)
    .executeTakeFirstOrThrow();
  await requireVersion(ctx, 'pharma.adverseReport', { id: row.id, version: row.version, updatedBy: row.invalidBy }, version, () =>
    presentReport(row, ctx.now),
  );
  return row;
}

export const adverseHandlers = (kernel: Kernel, mailer: Mailer): readonly Handler[] => [
  command(forwardAdverseReport, async ({ id, version }, ctx) => {
    const row = await openReport(ctx, id, version);
    if (!row.pvEmail) throw refuse(pharmaErrors.NO_PV_CONTACT);
    const state = await moveState(ctx, adverseMachine, {
      ...place(row),
      action: 'forward',
      from: row.state,
    });
    const description = describe(kernel.secrets, row);
    const body = await adverseForm({
      reportNo: row.reportNo,
      medicine: `${row.genericName} ${row.strength ?? ''}（${row.approvalNo}）`,
      company: row.companyName ?? '',
      seriousness: seriousnessLevels.label(row.seriousness),
      isNew: row.isNew,
      description,
      occurredOn: row.occurredOn ?? '',
      receivedAt: showInstant(row.receivedAt),
      forwardedAt: showInstant(ctx.now),
      forwardedBy: ctx.staff.displayName,
    });
    const name = `不良反应报告${row.reportNo}.pdf`;
    const file = await kernel.ports.files.store(
      ctx.tx,
      {
        purpose: 'EVIDENCE',
        name,
        body,
        contentType: 'application/pdf',
        createdBy: ctx.staff.userId,
        sensitive: true,
        retainUntil: plusMs(ctx.now, hours(24 * 365 * 5)),
      },
      ctx.now,
    );
    await mailer.send(ctx, {
      to: row.pvEmail,
      subject: `不良反应报告 ${row.reportNo} ${row.genericName}`,
      text: `${row.pvName ?? '药物警戒联系人'}您好：附件为${row.genericName}的不良反应报告，请查收并回复回执编号。`,
      fileIds: [file.fileId],
    });
    await ownTx(ctx.tx)
      .updateTable('pharmaAdverseReport')
      .set({ state, forwardedAt: ctx.now, forwardFileId: file.fileId, version: version + 1, updatedAt: ctx.now })
      .where('id', '=', id)
      .execute();
    await kernel.ports.notices.closeTodo(ctx.tx, reportKey(id), ctx.now);
    return actionAnswer(ctx, adverseMachine, { id, state, version: version + 1 });
  }),

  command(closeAdverseReport, async ({ id, version, receiptNo }, ctx) => {
    const row = await openReport(ctx, id, version);
    const state = await moveState(ctx, adverseMachine, {
      ...place(row),
      action: 'close',
      from: row.state,
      differences: [{ path: 'companyReceiptNo', label: '回执编号', before: null, after: receiptNo }],
    });
    await ownTx(ctx.tx)
      .updateTable('pharmaAdverseReport')
      .set({ state, companyReceiptNo: receiptNo, version: version + 1, updatedAt: ctx.now })
      .where('id', '=', id)
      .execute();
    return actionAnswer(ctx, adverseMachine, { id, state, version: version + 1 });
  }),

  // The first person proposes, another one decides.
  command(invalidAdverseReport, async ({ id, version, opinion }, ctx) => {
    const row = await openReport(ctx, id, version);
    if (row.invalidBy === ctx.staff.userId) throw refuse(pharmaErrors.SAME_PERSON);
    const action = row.invalidBy === null ? 'proposeInvalid' : 'invalidate';
    const state = await moveState(ctx, adverseMachine, {
      ...place(row),
      action,
      from: row.state,
      opinion,
    });
    await ownTx(ctx.tx)
      .updateTable('pharmaAdverseReport')
      .set({
        state,
        ...(action === 'proposeInvalid' ? { invalidBy: ctx.staff.userId, invalidOpinion: opinion } : {}),
        version: version + 1,
        updatedAt: ctx.now,
      })
      .where('id', '=', id)
      .execute();
    if (action === 'invalidate') await kernel.ports.notices.closeTodo(ctx.tx, reportKey(id), ctx.now);
    return actionAnswer(ctx, adverseMachine, { id, state, version: version + 1 });
  }),

  command(revealAdverseReport, async ({ id }, ctx) => {
    const row = await adverseRecords.lock(ctx.tx, ctx.staff, id);
    ctx.target({ type: 'pharma.adverseReport', id, no: row.reportNo });
    return { value: describe(kernel.secrets, row) };
  }),

  query(queryAdverseReportTrail, async ({ id }, ctx) => {
    const row = await own(ctx.db).selectFrom('pharmaAdverseReport').select('id').where('id', '=', id).executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    return trailOf(ctx.db, 'pharma.adverseReport', id);
  }),
];
