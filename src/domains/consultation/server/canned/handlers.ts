import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { fileBriefs, registerOwner } from '../../../files/server/index.ts';
import {
  addCannedReply,
  delCannedReply,
  importCannedReply,
  modifyCannedReply,
  queryCannedReplyList,
  renderCannedReply,
  useCannedReply,
} from '../../contract/calls/canned.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { ownDb, ownTx } from '../database.ts';
import { cannedImporter } from './importer.ts';
import { valuesFor } from './render.ts';
import { addReply, CANNED_TARGET, deleteReply, modifyReply } from './save.ts';
import { fillVariables } from './variables.ts';

const like = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Attachments of public replies are everybody's who chats, those of a private one its owner's. */
export function registerCannedFiles(): void {
  const reads = async ({ db, staff }: Parameters<Parameters<typeof registerOwner>[1]['canRead']>[0], id: string): Promise<boolean> => {
    const row = await ownDb(db).selectFrom('consultationCannedReply').select(['scope', 'ownerId']).where('id', '=', id).executeTakeFirst();
    return row !== undefined && staff.permissions.has(may['chat.send'].code) && (row.scope === 'PUBLIC' || row.ownerId === staff.userId);
  };
  registerOwner(CANNED_TARGET, { canRead: reads, canReadOriginal: reads });
}

const list: Handler = query(queryCannedReplyList, async ({ pageNo, pageSize, keyword, scope, category, enabled }, ctx) => {
  let matching = ownDb(ctx.db)
    .selectFrom('consultationCannedReply')
    .where((eb) => eb.or([eb('scope', '=', 'PUBLIC'), eb('ownerId', '=', ctx.staff.userId)]));
  if (scope) matching = matching.where('scope', '=', scope);
  if (category) matching = matching.where('category', '=', category);
  if (enabled !== undefined) matching = matching.where('enabled', '=', enabled);
  if (keyword)
    matching = matching.where(sql<SqlBool>`(shortcut || ' ' || title || ' ' || title_pinyin || ' ' || content) ilike ${like(keyword)}`);
  const starts = keyword ? sql`(shortcut like ${like(keyword.toLowerCase()).slice(1)}) desc, ` : sql``;
  const rows = await matching
    .selectAll()
    .select(sql<number>`(select count(*)::int from (${matching.select('id')}) as counted)`.as('total'))
    .orderBy(sql`${starts}scope desc`)
    .orderBy('useCount', 'desc')
    .orderBy('category')
    .orderBy('id')
    .limit(pageSize)
    .offset(offsetOf({ pageNo, pageSize }))
    .execute();
  const files = new Map(
    (await fileBriefs(ctx.db, [...new Set(rows.flatMap(({ attachmentFileIds }) => attachmentFileIds))])).map((file) => [file.fileId, file]),
  );
  return {
    rows: rows.map((row) => ({
      id: row.id,
      scope: row.scope,
      category: row.category,
      shortcut: row.shortcut,
      title: row.title,
      titlePinyin: row.titlePinyin,
      content: row.content,
      useCount: row.useCount,
      enabled: row.enabled,
      version: row.version,
      attachments: row.attachmentFileIds
        .flatMap((id) => files.get(id) ?? [])
        .map(({ fileId, fileName, detectedType }) => ({ fileId, fileName, detectedType })),
      canEdit: row.scope === 'PRIVATE' || ctx.has(may['canned.manage']),
    })),
    total: rows[0]?.total ?? (pageNo === 1 ? 0 : await totalUpTo(ownDb(ctx.db), matching)),
  };
});

const render: Handler = query(renderCannedReply, async ({ id, groupId, conversationID }, ctx) => {
  const reply = await ownDb(ctx.db)
    .selectFrom('consultationCannedReply')
    .select(['scope', 'ownerId', 'content'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!reply || (reply.scope === 'PRIVATE' && reply.ownerId !== ctx.staff.userId)) throw refuse(platformErrors.NOT_FOUND);
  return fillVariables(reply.content, await valuesFor(ctx, { groupId, conversationID }));
});

export const cannedHandlers = (kernel: Kernel): readonly Handler[] => [
  list,
  render,
  command(addCannedReply, (input, ctx) => addReply(ctx, input)),
  command(modifyCannedReply, (input, ctx) => modifyReply(ctx, input)),
  command(delCannedReply, ({ id, version }, ctx) => deleteReply(ctx, id, version)),
  command(useCannedReply, async ({ id }, ctx) => {
    const used = await ownTx(ctx.tx)
      .updateTable('consultationCannedReply')
      .set((eb) => ({ useCount: eb('useCount', '+', 1) }))
      .where('id', '=', id)
      .where((eb) => eb.or([eb('scope', '=', 'PUBLIC'), eb('ownerId', '=', ctx.staff.userId)]))
      .returning('id')
      .executeTakeFirst();
    if (!used) throw refuse(platformErrors.NOT_FOUND);
    return used;
  }),
  command(importCannedReply, ({ fileId, mode }, ctx) =>
    kernel.ports.importTasks.start(ctx, { importerCode: cannedImporter.code, fileId, params: {}, mode, staff: ctx.staff }, ctx.now),
  ),
];
