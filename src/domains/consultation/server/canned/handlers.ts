import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { allOf } from '#kernel/contract/field.ts';
import { containsPattern, startsPattern } from '#kernel/server/database/search.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { fileBriefs, registerOwner } from '#domains/files/server/index.ts';
import {
  addCannedReply,
  delCannedReply,
  modifyCannedReply,
  queryCannedReplyList,
  renderCannedReply,
  useCannedReply,
} from '../../contract/calls/canned.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { own, ownTx } from '../database.ts';
import { CHAT_PURPOSE } from '../files.ts';
import { valuesFor } from './render.ts';
import { addReply, CANNED_TARGET, deleteReply, modifyReply } from './save.ts';
import { fillVariables } from './variables.ts';

/** Attachments of public replies are everybody's who chats, those of a private one its owner's. */
export function registerCannedFiles(): void {
  const reads = async ({ db, staff }: Parameters<Parameters<typeof registerOwner>[1]['canRead']>[0], id: string): Promise<boolean> => {
    const row = await own(db).selectFrom('consultationCannedReply').select(['scope', 'ownerId']).where('id', '=', id).executeTakeFirst();
    return row !== undefined && staff.permissions.has(may['chat.send'].code) && (row.scope === 'PUBLIC' || row.ownerId === staff.userId);
  };
  registerOwner(CANNED_TARGET, { canRead: reads, canReadOriginal: reads });
}

/** Everybody's public replies and one's own, those first whose shortcut begins with what is typed. */
const cannedList = listOf(queryCannedReplyList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('consultationCannedReply as r')
      .where((eb) => eb.or([eb('r.scope', '=', 'PUBLIC'), eb('r.ownerId', '=', staff.userId)])),
  )
  .with({
    where: {
      keyword: (_eb, keyword) =>
        sql<SqlBool>`(r.shortcut || ' ' || r.title || ' ' || r.title_pinyin || ' ' || r.content) ilike ${containsPattern(keyword)}`,
      scope: 'r.scope',
      category: 'r.category',
      enabled: 'r.enabled',
    },
    id: 'r.id',
    unsorted: 'what begins with the typed letters first, then what is used most',
    order: ({ filter: { keyword } }) => [
      ...(keyword ? [[sql`(r.shortcut like ${startsPattern(keyword.toLowerCase())})`, 'desc'] as const] : []),
      ['r.scope', 'desc'],
      ['r.useCount', 'desc'],
      ['r.category', 'asc'],
    ],
    select: (query) => query.selectAll('r'),
    async present(rows, { db, has }) {
      const files = new Map(
        (
          await fileBriefs(db, [...new Set(rows.flatMap(({ attachmentFileIds }) => attachmentFileIds))], {
            purpose: CHAT_PURPOSE,
            ownerType: CANNED_TARGET,
          })
        ).map((file) => [file.fileId, file]),
      );
      return rows.map((row) => ({
        ...allOf(row, ['id', 'scope', 'category', 'shortcut', 'title', 'titlePinyin', 'content', 'useCount', 'enabled', 'version']),
        attachments: row.attachmentFileIds
          .flatMap((id) => files.get(id) ?? [])
          .map(({ fileId, fileName, detectedType }) => ({ fileId, fileName, detectedType })),
        canEdit: row.scope === 'PRIVATE' || has(may['canned.manage']),
      }));
    },
  });

const render: Handler = query(renderCannedReply, async ({ id, groupId, conversationID }, ctx) => {
  const reply = await own(ctx.db)
    .selectFrom('consultationCannedReply')
    .select(['scope', 'ownerId', 'content'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!reply || (reply.scope === 'PRIVATE' && reply.ownerId !== ctx.staff.userId)) throw refuse(platformErrors.NOT_FOUND);
  return fillVariables(reply.content, await valuesFor(ctx, { groupId, conversationID }));
});

export const cannedHandlers: readonly Handler[] = [
  cannedList.handler,
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
];
