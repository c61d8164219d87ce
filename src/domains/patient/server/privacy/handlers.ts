import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { ZipStream } from '#kernel/server/documents/zipStream.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { assertOtherPerson } from '#domains/identity/server/index.ts';
import { addPrivacyRequest, handlePrivacyRequest } from '../../contract/calls/privacy.ts';
import { privacyKinds } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientPermissions } from '../../contract/permissions.ts';
import { privacyMachine } from '../../contract/states.ts';
import { lockPatient, noteAccess, seesPatient, type Seen } from '../access.ts';
import { ownTx } from '../database.ts';
import { attachProduced } from '../files.ts';
import { cancelPatient } from '../persons/operate.ts';
import { allParts, recordOf, recordPdf } from '../records/recordPdf.ts';
import { privacyAnswer, privacyList, requests } from './list.ts';

const TARGET = 'patient.privacyRequest';
/** Days that the law leaves for an answer. */
const DAYS = 15;
const todoKey = (id: string) => `patient.privacy:${id}`;

async function* zipOf(files: readonly { name: string; body: Buffer }[]): AsyncGenerator<Buffer> {
  const zip = new ZipStream();
  for (const { name, body } of files) yield* zip.entry(name, [body]);
  yield zip.end();
}

/** The patient's own copy: the record to read and the same as data. */
async function makeCopy(kernel: Kernel, ctx: CommandContext, seen: Seen, requestNo: string): Promise<string> {
  const data = await recordOf(ctx.tx, seen, allParts, ctx.today);
  const pdf = recordPdf(seen, data, allParts, { name: ctx.staff.displayName, at: ctx.now, purpose: `查阅复制${requestNo}` });
  const chunks: Buffer[] = [];
  for await (const chunk of zipOf([
    { name: `患者档案${seen.patientNo}.pdf`, body: pdf },
    { name: `患者档案${seen.patientNo}.json`, body: Buffer.from(JSON.stringify(data, null, 2)) },
  ]))
    chunks.push(chunk);
  const file = await kernel.ports.files.store(
    ctx.tx,
    {
      purpose: 'EXPORT',
      name: `${requestNo}.zip`,
      body: Buffer.concat(chunks),
      contentType: 'application/zip',
      createdBy: ctx.staff.userId,
      sensitive: true,
    },
    ctx.now,
  );
  await attachProduced(ctx, ctx.staff.userId, seen.id, 'privacy', file.fileId);
  await noteAccess(ctx.tx, ctx, { patientId: seen.id, kind: 'EXPORT', fields: allParts, reason: `隐私请求${requestNo}` });
  return file.fileId;
}

export const privacyHandlers = (kernel: Kernel): readonly Handler[] => [
  privacyList.handler,
  command(addPrivacyRequest, async ({ patientId, kind, detail }, ctx) => {
    const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    const requestNo = await nextNumber(ctx.tx, 'GX', ctx.today);
    const { id } = await ownTx(ctx.tx)
      .insertInto('patientPrivacyRequest')
      .values({
        requestNo,
        kind,
        patientId: seen.id,
        detail,
        dueAt: plusDays(ctx.today, DAYS),
        ...authorColumns(ctx),
        updatedAt: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ctx.target({ type: TARGET, id, no: requestNo });
    ctx.changed([{ path: 'kind', label: '隐私请求', before: null, after: privacyKinds.label(kind) }]);
    await kernel.ports.notices.addTodo(
      ctx.tx,
      {
        businessKey: todoKey(id),
        title: `隐私请求待办理：${requestNo}（${privacyKinds.label(kind)}）`,
        permission: patientPermissions['privacy.handle'].code,
      },
      ctx.now,
    );
    return privacyAnswer(ctx.tx, id, ctx);
  }),
  command(handlePrivacyRequest, async ({ id, version, action, opinion }, ctx) => {
    const row = await requests(ctx.tx)
      .selectAll('r')
      .where('r.id', '=', id)
      .where(seesPatient(ctx.staff, ctx.now))
      .forUpdate('r')
      .executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    await requireVersion(ctx, TARGET, { ...row, updatedBy: row.handlerId }, version, () => ({ state: row.state }));
    const state = await moveState(ctx, privacyMachine, {
      targetType: TARGET,
      targetId: id,
      targetNo: row.requestNo,
      action,
      from: row.state,
      opinion,
    });
    let resultFileId = row.resultFileId;
    if (action === 'finish' && row.kind !== 'CORRECT') {
      const seen = await lockPatient(ctx.tx, ctx.staff, row.patientId, ctx.now);
      if (row.kind === 'COPY') resultFileId = await makeCopy(kernel, ctx, seen, row.requestNo);
      else {
        assertOtherPerson(row.createdBy, ctx.staff.userId, patientErrors.MERGE_SAME_PERSON);
        await cancelPatient(ctx, seen, opinion || row.detail);
      }
    }
    const finished = state === 'DONE' || state === 'REFUSED';
    await ownTx(ctx.tx)
      .updateTable('patientPrivacyRequest')
      .set((eb) => ({
        state,
        resultFileId,
        handlerId: ctx.staff.userId,
        opinion: opinion || null,
        finishedAt: finished ? ctx.now : null,
        version: eb('version', '+', 1),
        updatedAt: ctx.now,
      }))
      .where('id', '=', id)
      .execute();
    if (finished) await kernel.ports.notices.closeTodo(ctx.tx, todoKey(id), ctx.now);
    return privacyAnswer(ctx.tx, id, ctx);
  }),
];
