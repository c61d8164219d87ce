import type { CategoryNode } from '../../contract/calls/categories.ts';
import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import type { PharmaTx } from '../database.ts';

export const MAX_DEPTH = 4;

interface Place {
  kind: CategoryNode['kind'];
  parentId: string | null;
}
interface Writer {
  updatedAt: Instant;
  updatedBy: string | null;
}

const siblings = (tx: PharmaTx, { kind, parentId }: Place) =>
  tx
    .selectFrom('pharmaCategory')
    .where('kind', '=', kind)
    .where('parentId', parentId === null ? 'is' : '=', parentId);

/** @throws Refusal SCM05062 */
export async function requireFreeName(tx: PharmaTx, place: Place, name: string, exceptId: string | null): Promise<void> {
  let same = siblings(tx, place).select('id').where('name', '=', name);
  if (exceptId !== null) same = same.where('id', '<>', exceptId);
  if (await same.executeTakeFirst())
    throw refuse(pharmaErrors.CATEGORY_NAME_TAKEN, { fields: [{ path: 'name', message: pharmaErrors.CATEGORY_NAME_TAKEN.text }] });
}

/**
 * Puts a node at a place among its siblings and numbers them anew.
 * @param reordered whoever saw the former order holds stale versions of all siblings; else of those alone that changed
 */
export async function arrange(tx: PharmaTx, place: Place, id: string, index: number, stamp: Writer, reordered = false): Promise<void> {
  const others = await siblings(tx, place).select('id').where('id', '<>', id).orderBy('sort').orderBy('id').execute();
  const order = others.map((row) => row.id);
  order.splice(Math.min(index, order.length), 0, id);
  await sql`
    update pharma_category c set sort = o.place, version = c.version + 1, updated_at = ${stamp.updatedAt}, updated_by = ${stamp.updatedBy}
    from unnest(${order}::bigint[]) with ordinality as o (id, place)
    where c.id = o.id and (c.sort <> o.place or c.id = ${id} or ${reordered}::boolean)`.execute(tx);
}

/** Hangs a node, with everything below it, under another parent. @throws Refusal SCM05060 */
export async function rewritePaths(
  tx: PharmaTx,
  node: { id: string; path: string; depth: number },
  parent: { id: string; path: string; depth: number } | null,
): Promise<void> {
  const depth = parent === null ? 1 : parent.depth + 1;
  const path = parent === null ? node.id : `${parent.path}.${node.id}`;
  const deepest = await tx
    .selectFrom('pharmaCategory')
    .select(sql<number>`max(depth)`.as('depth'))
    .where((eb) => eb.or([eb('id', '=', node.id), eb('path', 'like', `${node.path}.%`)]))
    .executeTakeFirstOrThrow();
  if (deepest.depth - node.depth + depth > MAX_DEPTH) throw refuse(pharmaErrors.CATEGORY_DEPTH);
  await sql`
    update pharma_category
      set path = ${path}::text || substr(path, ${node.path.length + 1}::int), depth = depth + ${depth - node.depth}::int,
        parent_id = case when id = ${node.id} then ${parent?.id ?? null}::bigint else parent_id end
      where id = ${node.id} or path like ${`${node.path}.%`}`.execute(tx);
}
