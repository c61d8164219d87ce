import { Refusal, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { batchChangeQrCodeState, changeQrCodeState } from '../../contract/calls/codes.ts';
import { channelErrors } from '../../contract/errors.ts';
import { codeStates } from '../../contract/states.ts';
import { codes } from '../access.ts';
import { ownTx } from '../database.ts';
import { CODE_TARGET } from './save.ts';

type Move = 'disable' | 'enable' | 'void';

async function moveCode(ctx: CommandContext, row: Awaited<ReturnType<typeof codes.lock>>, action: Move, opinion: string | undefined) {
  const state = await moveState(ctx, codeStates, {
    targetType: CODE_TARGET,
    targetId: row.id,
    targetNo: row.token,
    action,
    from: row.state,
    opinion,
  });
  await ownTx(ctx.tx)
    .updateTable('channelQrCode')
    .set((eb) => ({ state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', row.id)
    .execute();
  return state;
}

/** 停用, 启用, 作废; 删除 only of a code that nobody has scanned and no batch counts. */
export const changeCodeState = command(changeQrCodeState, async ({ id, version, action, opinion }, ctx) => {
  const row = await codes.lockVersion(ctx, id, version, (seen) => seen);
  if (action === 'delete') {
    const scan = await ownTx(ctx.tx).selectFrom('channelQrScan').select('id').where('codeId', '=', id).limit(1).executeTakeFirst();
    if (scan || row.batchId !== null || row.kind !== 'COMMON')
      throw refuse(channelErrors.CODE_SCANNED, scan ? {} : { message: '该二维码属于批次、场景码或活码，只能停用或作废' });
    const changed = await ownTx(ctx.tx)
      .selectFrom('channelQrTargetHistory')
      .select('id')
      .where('codeId', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (changed) throw refuse(channelErrors.CODE_SCANNED, { message: '该二维码已更换过目标，只能停用或作废' });
    await ownTx(ctx.tx).deleteFrom('channelQrCode').where('id', '=', id).execute();
    ctx.target({ type: CODE_TARGET, id, no: row.token });
    return { id, state: 'DELETED', version: row.version, allowedActions: [] };
  }
  const state = await moveCode(ctx, row, action, opinion);
  return actionAnswer(ctx, codeStates, { id, state, version: row.version + 1 });
});

/** Row by row: a code that cannot move says why and stops nobody else. */
export const batchChangeCodeState = command(batchChangeQrCodeState, async ({ ids, action, opinion }, ctx) => {
  const outcomes: { id: string; ok: boolean; message: string }[] = [];
  for (const id of [...new Set(ids)].sort((a, b) => Number(a) - Number(b))) {
    try {
      await moveCode(ctx, await codes.lock(ctx.tx, ctx.staff, id), action, opinion);
      outcomes.push({ id, ok: true, message: '成功' });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.push({ id, ok: false, message: error.fields?.[0]?.message ?? error.message });
    }
  }
  return outcomes;
});
