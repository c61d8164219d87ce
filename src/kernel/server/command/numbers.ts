import { sql } from 'kysely';
import type { Day } from '../../contract/time.ts';
import type { Tx } from '../context.ts';

/**
 * Next number of a series that people talk about: `DC` → `DC20261121000001`.
 * Unique; a rolled-back transaction gives its number back, so calls of one series wait for each other.
 */
export async function nextNumber(tx: Tx, prefix: string, day: Day, digits = 6): Promise<string> {
  const { rows } = await sql<{ last: string }>`
    insert into kernel_number (prefix, day, last) values (${prefix}, ${day}, 1)
    on conflict (prefix, day) do update set last = kernel_number.last + 1
    returning last`.execute(tx);
  return `${prefix}${day.replaceAll('-', '')}${rows[0]!.last.padStart(digits, '0')}`;
}

/**
 * A run of `count` numbers of a series at once, for imports: one row is written instead of `count`.
 */
export async function nextNumbers(tx: Tx, prefix: string, day: Day, count: number, digits = 6): Promise<string[]> {
  const { rows } = await sql<{ last: string }>`
    insert into kernel_number (prefix, day, last) values (${prefix}, ${day}, ${count})
    on conflict (prefix, day) do update set last = kernel_number.last + excluded.last
    returning last`.execute(tx);
  const last = Number(rows[0]!.last);
  return Array.from(
    { length: count },
    (_, index) => `${prefix}${day.replaceAll('-', '')}${String(last - count + 1 + index).padStart(digits, '0')}`,
  );
}

/** Next number of a series without a date: `KQ` → `KQ0001`. */
export async function nextSerial(tx: Tx, prefix: string, digits: number): Promise<string> {
  const { rows } = await sql<{ last: string }>`
    insert into kernel_number (prefix, day, last) values (${prefix}, '2000-01-01', 1)
    on conflict (prefix, day) do update set last = kernel_number.last + 1
    returning last`.execute(tx);
  return `${prefix}${rows[0]!.last.padStart(digits, '0')}`;
}
