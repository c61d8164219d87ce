import { sql } from 'kysely';
import type { CategoryNode } from '../../contract/calls/categories.ts';
import { own, type DoctorDb, type DoctorTx } from '../database.ts';
import type { Db } from '#kernel/server/context.ts';

const readable = (db: DoctorDb | DoctorTx) =>
  db
    .selectFrom('doctorServiceCategory as c')
    .select(['c.id', 'c.parentId', 'c.code', 'c.depth', 'c.name', 'c.icon', 'c.sort', 'c.visibleTo', 'c.state', 'c.version'])
    .select(sql<number>`(select count(*)::int from doctor_service_item i where i.category_id = c.id)`.as('itemCount'));

/** The whole tree, parents before children, siblings in their order. */
export async function allCategories(db: Db): Promise<CategoryNode[]> {
  return readable(own(db)).orderBy('c.depth').orderBy('c.sort').orderBy('c.id').execute();
}

export async function categoryNode(db: DoctorDb | DoctorTx, id: string): Promise<CategoryNode | null> {
  return (await readable(db).where('c.id', '=', id).executeTakeFirst()) ?? null;
}
