import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { command } from '#kernel/server/handler.ts';
import { changeSceneCodeState, modifySceneCode } from '../../contract/calls/scenes.ts';
import { sceneCodeStates } from '../../contract/states.ts';
import { sceneCodes } from '../access.ts';
import { keepLogo } from '../codes/save.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CodeStyle } from '../../contract/calls/codeFields.ts';
import { requireReadable, requireStyle } from '../codes/target.ts';
import { ownTx } from '../database.ts';
import { SCENE_TARGET } from './add.ts';

/** Scene, channel and doctor are what the printed code says; the rest may change. */
export const modifyOne = (kernel: Kernel) =>
  command(modifySceneCode, async ({ id, version, style, ...fields }, ctx) => {
    const before = await sceneCodes.lockVersion(ctx, id, version, (row) => row);
    if (before.state === 'VOID') throw refuse(platformErrors.WRONG_STATE, { state: sceneCodeStates.dictionary.label('VOID') });
    const code = await ownTx(ctx.tx)
      .selectFrom('channelQrCode')
      .select(['token', 'style'])
      .where('id', '=', before.codeId)
      .executeTakeFirstOrThrow();
    const printed = code.style as CodeStyle;
    requireStyle(style);
    if (style.logoFileId !== printed.logoFileId) await keepLogo(ctx, SCENE_TARGET, id, style);
    if (JSON.stringify(style) !== JSON.stringify(printed)) await requireReadable(kernel, ctx.tx, style, code.token);
    await ownTx(ctx.tx)
      .updateTable('channelSceneCode')
      .set((eb) => ({ ...fields, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    await ownTx(ctx.tx)
      .updateTable('channelQrCode')
      .set({ style: JSON.stringify(style), updatedAt: ctx.now })
      .where('id', '=', before.codeId)
      .execute();
    ctx.target({ type: SCENE_TARGET, id, no: before.sceneCodeNo });
    ctx.changed(
      differencesOf(
        { ...before, style: printed },
        { ...fields, style },
        { entry: '进入方式', itemId: '服务项目', assistantId: '医助', remark: '备注', style: '样式' },
      ),
    );
    return actionAnswer(ctx, sceneCodeStates, { id, state: before.state, version: version + 1 });
  });

/** The code's own state follows, so that the common list shows the same. */
export const moveOne = command(changeSceneCodeState, async ({ id, version, action, opinion }, ctx) => {
  const before = await sceneCodes.lockVersion(ctx, id, version, (row) => row);
  const state = await moveState(ctx, sceneCodeStates, {
    targetType: SCENE_TARGET,
    targetId: id,
    targetNo: before.sceneCodeNo,
    action,
    from: before.state,
    opinion,
  });
  const stamp = { state, ...updatedColumns(ctx) };
  await ownTx(ctx.tx)
    .updateTable('channelSceneCode')
    .set((eb) => ({ ...stamp, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await ownTx(ctx.tx)
    .updateTable('channelQrCode')
    .set((eb) => ({ ...stamp, version: eb('version', '+', 1) }))
    .where('id', '=', before.codeId)
    .execute();
  return actionAnswer(ctx, sceneCodeStates, { id, state, version: version + 1 });
});
