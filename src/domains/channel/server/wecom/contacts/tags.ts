import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { own, ownTx } from '../../database.ts';
import { noteCall } from '../corps.ts';
import { type Corp, type RemoteTag, WecomError, type WecomPort } from '../port/port.ts';

/** Names of the tags of a row (`alias`.tag_ids), in their groups' order. */
export const tagNames = (alias: 'l' | 't') =>
  sql<string[]>`array(select g.name from channel_wecom_tag g where g.id = any(${sql.ref(`${alias}.tag_ids`)}) order by g.group_name, g.id)`;

/** @throws Refusal SCM90040 for tags that the company does not have. */
export async function requireTags(tx: Tx, corpRowId: string, tagIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(tagIds)];
  if (wanted.length === 0) return;
  const found = await ownTx(tx)
    .selectFrom('channelWecomTag')
    .select('id')
    .where('corpRowId', '=', corpRowId)
    .where('removed', '=', false)
    .where('id', 'in', wanted)
    .execute();
  if (found.length < wanted.length) throw refuse(platformErrors.NOT_FOUND, { message: '所选标签不存在或已删除' });
}

/** Brings the company's list here. A tag that is gone stays as a row, for the contacts that name it. */
export async function keepTags(
  db: Db,
  corpRowId: string,
  remote: readonly RemoteTag[],
  now: Instant,
): Promise<{ added: number; changed: number; removed: number }> {
  const known = new Map(
    (await own(db).selectFrom('channelWecomTag').selectAll().where('corpRowId', '=', corpRowId).execute()).map((tag) => [tag.tagId, tag]),
  );
  const tally = { added: 0, changed: 0, removed: 0 };
  for (const { tagId, name, groupName } of remote) {
    const before = known.get(tagId);
    known.delete(tagId);
    if (before && !before.removed && before.name === name && before.groupName === groupName) continue;
    tally[before ? 'changed' : 'added'] += 1;
    const values = { name, groupName, removed: false, updatedAt: now };
    await own(db)
      .insertInto('channelWecomTag')
      .values({ corpRowId, tagId, ...values })
      .onConflict((conflict) => conflict.columns(['corpRowId', 'tagId']).doUpdateSet(values))
      .execute();
  }
  const gone = [...known.values()].filter(({ removed }) => !removed);
  tally.removed = gone.length;
  if (gone.length > 0)
    await own(db)
      .updateTable('channelWecomTag')
      .set({ removed: true, updatedAt: now })
      .where(
        'id',
        'in',
        gone.map(({ id }) => id),
      )
      .execute();
  return tally;
}

/** Rows of the tags that WeChat Work names; ones that the last sync has not seen are left out. */
export async function tagRows(db: Db, corpRowId: string, tagIds: readonly string[]): Promise<string[]> {
  if (tagIds.length === 0) return [];
  return (
    await own(db)
      .selectFrom('channelWecomTag')
      .select('id')
      .where('corpRowId', '=', corpRowId)
      .where('tagId', 'in', [...tagIds])
      .orderBy('id')
      .execute()
  ).map(({ id }) => id);
}

/**
 * Gives a contact the tags of the live code by which it came; again is the same as once.
 * @throws WecomError when WeChat Work asks to slow down, so that the callback is taken up later.
 */
export async function giveTags(
  ctx: Pick<JobContext, 'db' | 'kernel'>,
  port: WecomPort,
  corp: Corp,
  contact: { id: string; liveCodeId: string; wecomUserId: string; externalUserId: string },
): Promise<void> {
  const { rows } = await sql<{ id: string; tagId: string }>`
    select g.id, g.tag_id
      from channel_live_code l
      join channel_wecom_tag g on g.id = any(l.tag_ids)
      where l.id = ${contact.liveCodeId} and not g.removed
      order by g.id`.execute(ctx.db);
  if (rows.length === 0) return;
  const now = ctx.kernel.clock.now();
  const failure = await port
    .markTags(corp, { wecomUserId: contact.wecomUserId, externalUserId: contact.externalUserId, tagIds: rows.map(({ tagId }) => tagId) })
    .then(
      () => null,
      (error: unknown) => (error instanceof WecomError ? error : new WecomError(-1, String(error))),
    );
  await noteCall(ctx.db, corp.id, failure, now);
  if (failure?.limited) throw failure;
  if (failure) return;
  await sql`
    update channel_wecom_contact
      set tag_ids = array(select distinct unnest(tag_ids || ${rows.map(({ id }) => id)}::bigint[]) order by 1), updated_at = ${now}
      where id = ${contact.id}`.execute(ctx.db);
}
