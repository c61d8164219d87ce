import { sql } from 'kysely';
import type { Tx } from '../context.ts';

type Row = Readonly<Record<string, unknown>>;
const CHUNK = 2_000;
const snake = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Inserts many rows in a few statements; keys in camel case, ids as given, other columns by their defaults. */
export async function bulk(tx: Tx, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first).map((key) => [key, snake(key)] as const);
  const columns = sql.join(names.map(([, column]) => sql.raw(`"${column}"`)));
  for (let from = 0; from < rows.length; from += CHUNK) {
    const chunk = rows.slice(from, from + CHUNK).map((row) => Object.fromEntries(names.map(([key, column]) => [column, row[key]])));
    await sql`
      insert into ${sql.table(table)} (${columns}) overriding system value
        select ${columns}
          from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(chunk)}::jsonb)`.execute(tx);
  }
}

/** Takes ids out of a table's sequence, so that later rows get others. */
export async function reserve(tx: Tx, table: string, count: number, column = 'id'): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select nextval(pg_get_serial_sequence(${table}, ${column}))::text as id from generate_series(1, ${count})`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Always the same numbers, so that every demonstration looks alike. */
export function seeded(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    chance: (share: number) => next() < share,
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
  };
}
export type Random = ReturnType<typeof seeded>;
