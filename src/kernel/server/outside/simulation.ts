import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { plusMs, type Instant } from '../../contract/time.ts';
import type { Db } from '../context.ts';
import type { OutsidePort } from './ports.ts';

/** Parts that every stand-in works with. */
export interface SimulationParts {
  db: Db;
  now(): Instant;
}

/** Something that was asked of a stand-in. */
export interface Taken<Facts> {
  ref: string;
  facts: Facts;
  takenAt: Instant;
  /** Whether its answer is there by now. */
  isAnswered: boolean;
}

interface Asked<Facts> {
  ref: string;
  /** What it is asked for together with. */
  group: string;
  facts: Facts;
  /** Milliseconds until it is answered; null: never. */
  answersAfter: number | null;
}

/** Digits of a number that a stand-in gives out: the same for the same text. At most 28. */
export const digitsOf = (text: string, count: number): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 24)}`)
    .toString()
    .padStart(28, '0')
    .slice(0, count);

/** What a stand-in was asked, kept in the own database: all processes of a product have one. */
export function simulation<Facts extends object>(port: OutsidePort, { db, now }: SimulationParts) {
  const select = (where: ReturnType<typeof sql>) => sql<Taken<Facts>>`
    select ref, facts, taken_at, coalesce(answers_at <= ${now()}::timestamptz, false) as is_answered
      from kernel_simulation
      where port = ${port} and ${where}
      order by ref`;
  return {
    /** What was asked before stays as it was asked first. @returns references of what was not */
    async take(asked: readonly Asked<Facts>[]): Promise<string[]> {
      const at = now();
      const rows = asked.map(({ ref, group, facts, answersAfter }) => ({
        ref,
        group_ref: group,
        facts,
        answers_at: answersAfter === null ? null : plusMs(at, answersAfter),
      }));
      const taken = await sql<{ ref: string }>`
        insert into kernel_simulation (port, ref, group_ref, facts, taken_at, answers_at)
        select ${port}, r.ref, r.group_ref, r.facts, ${at}, r.answers_at
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(ref text, group_ref text, facts jsonb, answers_at timestamptz)
        on conflict do nothing
        returning ref`.execute(db);
      return taken.rows.map(({ ref }) => ref);
    },
    async find(ref: string): Promise<Taken<Facts> | null> {
      const { rows } = await select(sql`ref = ${ref}`).execute(db);
      return rows[0] ?? null;
    },
    async group(group: string): Promise<Taken<Facts>[]> {
      const { rows } = await select(sql`group_ref = ${group}`).execute(db);
      return rows;
    },
  };
}
