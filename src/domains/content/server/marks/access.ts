import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import type { CommandContext, Context } from '#kernel/server/context.ts';
import { lockWithin } from '#kernel/server/record/lockWithin.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { markPermissions as may } from '../../contract/marks/permissions.ts';
import { own, ownTx } from '../database.ts';

export const GROUP_TARGET = 'content.tagGroup';
export const MARK_TARGET = 'content.mark';

/** Medical groups of patients are there only for who may see them. */
export const seesGroup = (ctx: Pick<Context, 'has'>, group: { objectType: string; sensitive: boolean }): boolean =>
  !(group.sensitive && group.objectType === 'PATIENT') || ctx.has(may['mark.sensitive']);

// Who sees a group hangs on a right and not on a scope of data: `seesGroup` is asked of each, before its version is compared.
export const groupRecords = recordOf((db) => own(db).selectFrom('contentTagGroup as g').selectAll('g')).with({
  noun: '标签组',
  type: GROUP_TARGET,
  id: 'g.id',
  scope: unscoped,
});
export const markMissing = () => refuse(platformErrors.NOT_FOUND, { message: '标签不存在或已删除' });

type Ctx = Pick<CommandContext, 'tx' | 'has' | 'nameOf'>;

/**
 * A group, locked: whatever changes its marks or what carries them waits for each other.
 * @param missing the refusal where it was a mark that was asked for
 */
export async function lockGroup(ctx: Ctx, id: string, missing = groupRecords.missing) {
  const row = await groupRecords.lock(ctx.tx, groupRecords.everyone, id);
  if (!seesGroup(ctx, row)) throw missing();
  return row;
}

/** The same for who saw a version of it. */
export async function lockGroupVersion(ctx: Ctx, id: string, version: number) {
  const row = await lockGroup(ctx, id);
  await requireVersion(ctx, GROUP_TARGET, row, version, () => row);
  return row;
}

/** A mark with its group, both locked, the group first. */
export async function lockMark(ctx: Ctx, id: string) {
  const { row: mark, place: group } = await lockWithin(
    own(ctx.tx).selectFrom('contentMark').selectAll().where('id', '=', id),
    { key: ({ groupId }) => groupId, lock: (groupId) => lockGroup(ctx, groupId, markMissing) },
    markMissing,
  );
  return { group, mark };
}

export async function lockMarkVersion(ctx: Ctx, id: string, version: number) {
  const found = await lockMark(ctx, id);
  await requireVersion(ctx, MARK_TARGET, found.mark, version, () => found.mark);
  return found;
}

/** A mark that a rule puts on things stays: a draft alone does not hold it from being merged. The mark is locked. */
export async function requireUnruled(ctx: Pick<CommandContext, 'tx'>, markId: string, act: '删除' | '合并'): Promise<void> {
  const rule = await ownTx(ctx.tx)
    .selectFrom('contentMarkRule')
    .select('ruleNo')
    .where('markId', '=', markId)
    .$if(act === '合并', (rows) => rows.where('state', 'in', ['RUNNING', 'PAUSED']))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (rule) throw refuseField(act === '合并' ? 'fromId' : 'id', `标签已用于打标规则${rule.ruleNo}，不能${act}`);
}
