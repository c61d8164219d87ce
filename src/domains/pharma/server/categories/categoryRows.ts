import { sql } from 'kysely';
import type { CategoryNode } from '../../contract/calls/categories.ts';
import type { PharmaDb } from '../database.ts';

const nodes = (db: PharmaDb) =>
  db
    .selectFrom('pharmaCategory as c')
    .select(['c.id', 'c.parentId', 'c.code', 'c.name', 'c.icon', 'c.depth', 'c.sort', 'c.kind', 'c.state', 'c.version'])
    .select((eb) =>
      eb
        .selectFrom('pharmaMedicine as m')
        .whereRef('m.categoryId', '=', 'c.id')
        .where('m.state', '<>', 'VOID')
        .select(sql<number>`count(*)::int`.as('n'))
        .as('medicineCount'),
    );

type Stored = Awaited<ReturnType<ReturnType<typeof nodes>['executeTakeFirstOrThrow']>>;
const present = (row: Stored): CategoryNode => ({
  ...row,
  medicineCount: row.medicineCount ?? 0,
});

/** The whole tree, parents before children. */
export async function categoryTree(db: PharmaDb, kind: CategoryNode['kind']): Promise<CategoryNode[]> {
  return (await nodes(db).where('c.kind', '=', kind).orderBy('c.depth').orderBy('c.sort').orderBy('c.id').execute()).map(present);
}

export async function categoryById(db: PharmaDb, id: string): Promise<CategoryNode | null> {
  const row = await nodes(db).where('c.id', '=', id).executeTakeFirst();
  return row ? present(row) : null;
}
