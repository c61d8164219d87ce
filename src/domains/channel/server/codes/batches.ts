import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { command, procedure } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { addQrBatch, cancelQrBatch, downloadQrBatch, retryQrBatch, voidQrBatch } from '../../contract/calls/codes.ts';
import { channelErrors } from '../../contract/errors.ts';
import { batchStates } from '../../contract/states.ts';
import { channels, batches } from '../access.ts';
import { ownTx } from '../database.ts';
import { readList } from './batchList.ts';
import { makeBatch } from './makeBatch.ts';
import { keepLogo } from './save.ts';
import { requireReadable, requireStyle, requireTarget, requireValidity } from './target.ts';

export const BATCH_TARGET = batches.type;
const MOST = 5_000;
/** Queues a batch; its codes are made by a job, with progress. */
export const addBatch = (kernel: Kernel) =>
  command(addQrBatch, async (input, ctx) => {
    const channel = await channels.get(ctx.tx, ctx.staff, input.template.channelId);
    if (channel.state === 'DISABLED') throw refuse(channelErrors.CHANNEL_DISABLED);
    requireValidity(input.template);
    requireStyle(input.template.style);
    await requireTarget(ctx.tx, input.template.target);
    if (input.mode === 'LIST' && input.fileId === null) throw refuseField('fileId', '请上传清单');
    const items = input.mode === 'LIST' ? await readList(kernel, ctx.tx, ctx.staff, input.fileId!, channel.id, ctx.now) : null;
    const quantity = items?.length ?? input.quantity ?? 0;
    if (quantity < 1 || quantity > MOST) throw refuse(channelErrors.QUANTITY);
    await requireReadable(kernel, ctx.tx, input.template.style);
    const batchNo = await nextNumber(ctx.tx, 'MP', ctx.today);
    const { id } = await ownTx(ctx.tx)
      .insertInto('channelQrBatch')
      .values({
        batchNo,
        name: input.name,
        mode: input.mode,
        channelId: channel.id,
        quantity,
        template: JSON.stringify(input.template),
        namePattern: input.namePattern,
        items: items === null ? null : JSON.stringify(items),
        ...authorColumns(ctx),
        updatedAt: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await keepLogo(ctx, BATCH_TARGET, id, input.template.style);
    await ctx.enqueue(makeBatch, { batchId: id }, { singletonKey: `batch:${id}` });
    ctx.target({ type: BATCH_TARGET, id, no: batchNo });
    return { id, batchNo, quantity, version: 1 };
  });

/** Makes what failed once more. */
export const retryBatch = command(retryQrBatch, async ({ id, version }, ctx) => {
  const row = await batches.lockVersion(ctx, id, version, (seen) => seen);
  const state = await moveState(ctx, batchStates, {
    targetType: BATCH_TARGET,
    targetId: id,
    targetNo: row.batchNo,
    action: 'retry',
    from: row.state,
  });
  await ownTx(ctx.tx)
    .updateTable('channelQrBatch')
    .set((eb) => ({ state, failed: 0, failures: '[]', failReason: null, version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', id)
    .execute();
  await ctx.enqueue(makeBatch, { batchId: id }, { singletonKey: `batch:${id}` });
  return actionAnswer(ctx, batchStates, { id, state, version: version + 1 });
});

const voidCodes = (tx: Parameters<typeof batches.lock>[0], batchId: string, now: string, userId: string) =>
  sql`
    update channel_qr_code
      set state = 'VOID', version = version + 1, updated_at = ${now}, updated_by = ${userId}
      where batch_id = ${batchId} and state <> 'VOID'`.execute(tx);

/** Stops a batch; what was made of it is void. The running job sees the state and ends. */
export const cancelBatch = command(cancelQrBatch, async ({ id }, ctx) => {
  const row = await batches.lock(ctx.tx, ctx.staff, id);
  const state = await moveState(ctx, batchStates, {
    targetType: BATCH_TARGET,
    targetId: id,
    targetNo: row.batchNo,
    action: 'cancel',
    from: row.state,
  });
  await ownTx(ctx.tx)
    .updateTable('channelQrBatch')
    .set((eb) => ({ state, version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', id)
    .execute();
  await voidCodes(ctx.tx, id, ctx.now, ctx.staff.userId);
  return { id, state, version: row.version + 1, allowedActions: [] };
});

/** Voids all codes of a batch; codes that were scanned ask for their number once more. */
export const voidBatch = command(voidQrBatch, async ({ id, version, opinion, confirmScanned }, ctx) => {
  const row = await batches.lockVersion(ctx, id, version, (seen) => seen);
  if (batchStates.canStart('void', row.state)) {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from channel_qr_code where batch_id = ${id} and ok_count > 0`.execute(ctx.tx);
    const { n } = rows[0]!;
    if (n > 0 && confirmScanned !== n)
      throw refuse(platformErrors.MALFORMED, {
        fields: [{ path: 'confirmScanned', message: `本批次已有${n}个码被扫过，确认作废？` }],
        data: { scanned: n },
        message: `本批次已有${n}个码被扫过，确认作废？`,
      });
  }
  const state = await moveState(ctx, batchStates, {
    targetType: BATCH_TARGET,
    targetId: id,
    targetNo: row.batchNo,
    action: 'void',
    from: row.state,
    opinion,
  });
  await ownTx(ctx.tx)
    .updateTable('channelQrBatch')
    .set((eb) => ({ state, version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', id)
    .execute();
  await voidCodes(ctx.tx, id, ctx.now, ctx.staff.userId);
  return { id, state, version: version + 1, allowedActions: [] };
});

/** The archive; one that has expired is made again and fetched later. */
export const downloadBatch = (kernel: Kernel) =>
  procedure(downloadQrBatch, async ({ id }, ctx) => {
    const found = await ctx.transaction(async (work) => {
      const row = await batches.lock(work.tx, work.staff, id);
      work.target({ type: BATCH_TARGET, id, no: row.batchNo });
      if (!['READY', 'PARTIAL'].includes(row.state))
        throw refuse(platformErrors.WRONG_STATE, { state: batchStates.dictionary.label(row.state) });
      const expired = row.zipFileId === null || row.zipExpireAt === null || row.zipExpireAt <= work.now;
      if (expired) await work.enqueue(makeBatch, { batchId: id, rezip: true }, { singletonKey: `batch:${id}` });
      return { row, expired };
    });
    if (found.expired) throw refuse(channelErrors.ZIP_EXPIRED);
    const file = await kernel.ports.files.openRead(ctx.db, found.row.zipFileId!);
    return new FileAnswer({
      name: `${found.row.batchNo}_${found.row.name}.zip`,
      contentType: 'application/zip',
      body: file.body,
      rowCount: found.row.done,
    });
  });
