import { CompiledQuery, type Compilable } from 'kysely';
import type { Db } from '../context.ts';

const CHUNK = 1_000;
let opened = 0;

/**
 * Reads a query of any length in its own order, a thousand rows at a time, through a cursor of the database: the order
 * is planned once, and no column has to carry a position. The cursor ends with the transaction that `db` must be.
 */
export async function* rowsOf<Row>(db: Db, query: Compilable<Row>): AsyncGenerator<Row[]> {
  const { sql: text, parameters } = query.compile();
  opened += 1;
  const cursor = `kq_rows_${opened}`;
  // All rows are read: a plan that hopes to find the first ones soon would be the wrong one.
  await db.executeQuery(CompiledQuery.raw('set local cursor_tuple_fraction = 1'));
  await db.executeQuery(CompiledQuery.raw(`declare ${cursor} no scroll cursor for ${text}`, [...parameters]));
  for (;;) {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(`fetch ${CHUNK} from ${cursor}`));
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK) return;
  }
}
