import { sql, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { attach, detach } from '#domains/files/server/index.ts';
import type { addCannedReply } from '../../contract/calls/canned.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { own, ownTx } from '../database.ts';
import { CHAT_PURPOSE } from '../files.ts';
import { isUnique } from '../unique.ts';
import { unknownVariable } from './variables.ts';

export const CANNED_TARGET = 'consultation.cannedReply';
export const NOBODY = '0';
type Fields = Omit<CheckedInputOf<typeof addCannedReply>, 'scope'>;

/** Public ones are everybody's: only who manages them changes them. @throws Refusal SCM90010 */
const requireScope = (ctx: CommandContext, scope: string): void => {
  if (scope === 'PUBLIC') ctx.requirePermission(may['canned.manage']);
};

function requireVariables(content: string): void {
  const unknown = unknownVariable(content);
  if (unknown !== null)
    throw refuse(errors.VARIABLE_UNKNOWN, { name: unknown }, { fields: [{ path: 'content', message: `变量“${unknown}”不存在` }] });
}

/** The index decides between two who choose one shortcut at the same moment. */
async function once<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUnique(error, 'consultation_canned_reply_scope_owner_id_shortcut_key'))
      throw refuse(errors.SHORTCUT_EXISTS, { fields: [{ path: 'shortcut', message: errors.SHORTCUT_EXISTS.text }] });
    throw error;
  }
}

const columns = ({ category, shortcut, title, content, attachmentFileIds }: Fields) => ({
  category,
  shortcut,
  title,
  titlePinyin: pinyinText(title),
  content,
  attachmentFileIds: [...new Set(attachmentFileIds)],
});
const keep = (ctx: CommandContext, id: string, fileIds: readonly string[]) =>
  attach(
    ctx.tx,
    { fileIds, purpose: CHAT_PURPOSE, ownerType: CANNED_TARGET, ownerId: id, field: 'attachment', userId: ctx.staff.userId },
    ctx.now,
  );

export async function addReply(
  ctx: CommandContext,
  { scope, ...fields }: CheckedInputOf<typeof addCannedReply>,
): Promise<{ id: string; version: number }> {
  requireScope(ctx, scope);
  requireVariables(fields.content);
  const saved = await once(() =>
    ownTx(ctx.tx)
      .insertInto('consultationCannedReply')
      .values({
        scope,
        ownerId: scope === 'PUBLIC' ? NOBODY : ctx.staff.userId,
        ...columns(fields),
        ...authorColumns(ctx),
        updatedAt: ctx.now,
      })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow(),
  );
  await keep(ctx, saved.id, fields.attachmentFileIds);
  ctx.target({ type: CANNED_TARGET, id: saved.id, no: fields.shortcut });
  return saved;
}

/** A public reply, or one's own. */
const replies = recordOf((db) => own(db).selectFrom('consultationCannedReply as r').selectAll('r')).with({
  type: CANNED_TARGET,
  id: 'r.id',
  scope: ({ userId }) => sql<SqlBool>`(r.scope <> 'PRIVATE' or r.owner_id = ${userId})`,
});

/** @throws Refusal SCM90040 for another's, SCM90010, SCM90030 */
export async function lockReply(ctx: CommandContext, id: string, seen: number) {
  const row = await replies.lock(ctx.tx, ctx.staff, id);
  requireScope(ctx, row.scope);
  await requireVersion(ctx, CANNED_TARGET, row, seen, () => ({ title: row.title, content: row.content }));
  ctx.target({ type: CANNED_TARGET, id, no: row.shortcut });
  return row;
}

export async function modifyReply(
  ctx: CommandContext,
  { id, version, enabled, ...fields }: Fields & { id: string; version: number; enabled: boolean },
): Promise<{ id: string; version: number }> {
  const row = await lockReply(ctx, id, version);
  requireVariables(fields.content);
  const saved = await once(() =>
    ownTx(ctx.tx)
      .updateTable('consultationCannedReply')
      .set({ ...columns(fields), enabled, version: row.version + 1, updatedAt: ctx.now })
      .where('id', '=', id)
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow(),
  );
  await keep(ctx, id, fields.attachmentFileIds);
  await detach(
    ctx.tx,
    {
      fileIds: row.attachmentFileIds.filter((one) => !fields.attachmentFileIds.includes(one)),
      ownerType: CANNED_TARGET,
      ownerId: id,
      field: 'attachment',
    },
    ctx.now,
  );
  return saved;
}

export async function deleteReply(ctx: CommandContext, id: string, version: number): Promise<{ id: string }> {
  const row = await lockReply(ctx, id, version);
  await detach(ctx.tx, { fileIds: row.attachmentFileIds, ownerType: CANNED_TARGET, ownerId: id, field: 'attachment' }, ctx.now);
  await ownTx(ctx.tx).deleteFrom('consultationCannedReply').where('id', '=', id).execute();
  return { id };
}
