import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { fileErrors } from '../../contract/errors.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { fileMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { linksOf } from './reading.ts';

/** 删除: by the uploader or who may delete files. @throws Refusal SCM02010 in use, SCM02011 in retention. */
export async function removeFile(fileId: string, ctx: CommandContext): Promise<void> {
  const file = await own(ctx.tx).selectFrom('filesFileObject').selectAll().where('id', '=', fileId).forUpdate().executeTakeFirst();
  const mine = file?.createdBy === ctx.staff.userId && file.source === 'UPLOAD';
  if (!file || (!mine && !ctx.has(filePermissions['object.manage']) && !ctx.has(filePermissions['object.remove'])))
    throw refuse(platformErrors.NOT_FOUND);
  if (!mine) ctx.requirePermission(filePermissions['object.remove']);
  if ((await linksOf(ctx.tx, fileId)).length > 0) throw refuse(fileErrors.LINKED);
  if (file.legalHold || (file.retainUntil !== null && file.retainUntil > ctx.now)) throw refuse(fileErrors.RETAINED);
  const state = await moveState(ctx, fileMachine, {
    targetType: 'files.fileObject',
    targetId: file.id,
    targetNo: file.fileNo,
    action: 'remove',
    from: file.state,
  });
  await own(ctx.tx)
    .updateTable('filesFileObject')
    .set((eb) => ({ state, deletedAt: ctx.now, deletedBy: ctx.staff.userId, version: eb('version', '+', 1) }))
    .where('id', '=', fileId)
    .execute();
}
