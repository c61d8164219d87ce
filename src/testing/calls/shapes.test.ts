import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { checkAgainst, MOST_FAULTS } from '#kernel/contract/faults.ts';
import type { TestStaff } from '../staff.ts';
import { startTestApp, type TestApp } from '../testApp.ts';
import { bodyAt, placesOf, readAt, shownAt, withAt, WRONG } from './shapes.ts';

// Generated from the call table: whatever the shape of what is sent, no call ends in 系统异常.

let app: TestApp;
let calls: readonly Call[];
beforeAll(async () => {
  app = await startTestApp();
  calls = app.kernel.registry.calls;
});
afterAll(() => app.close());

const bodiesOf = (call: Call) => (['least', 'most'] as const).map((end) => bodyAt(call.input, end));

describe('every schema', () => {
  it('judges whatever it is given, wrong in one place of a body that is otherwise right', () => {
    const faults: string[] = [];
    let judged = 0;
    for (const call of calls) {
      const right = bodyAt(call.input, 'most');
      for (const path of placesOf(right)) {
        for (const wrong of WRONG) {
          const body = withAt(right, path, wrong);
          judged += 1;
          try {
            if ((checkAgainst(call.input, body).faults?.length ?? 0) > MOST_FAULTS) faults.push(`${call.name}: too many faults`);
          } catch (error) {
            faults.push(`${call.name} ${shownAt(path, body)}: ${String(error)}`);
          }
        }
      }
    }
    expect(faults).toEqual([]);
    expect(judged).toBeGreaterThan(50_000);
  });
});

/** Largest value of the widest column of each name. */
async function largestOfColumns(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; width: number }>`
    select column_name as name, max(case data_type when 'smallint' then 2 when 'integer' then 4 else 8 end) as width
    from information_schema.columns
    where table_schema = 'public' and data_type in ('smallint', 'integer', 'bigint', 'numeric')
    group by column_name`.execute(app.db);
  const LARGEST: Readonly<Record<number, number>> = { 2: 2 ** 15 - 1, 4: 2 ** 31 - 1, 8: Number.MAX_SAFE_INTEGER };
  return new Map(rows.map(({ name, width }) => [name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), LARGEST[width]!]));
}

/** Refused by its handler, with a code of its own. */
const WEIGHED = new Set(['dayOffset']);

it('every whole number is bounded as the column of its name is, or as an integer', async () => {
  const columns = await largestOfColumns();
  // `beforeSeq` is compared with a column `seq`; amounts are kept in eight bytes everywhere.
  const largest = (name: string) =>
    columns.get(name) ??
    columns.get((/[A-Z][a-z]+$/.exec(name)?.[0] ?? '').toLowerCase()) ??
    (/fen|price|amount|balance/i.test(name) ? Number.MAX_SAFE_INTEGER : 2 ** 31 - 1);
  const wide: string[] = [];
  for (const call of calls) {
    const right = bodyAt(call.input, 'most');
    for (const path of placesOf(right)) {
      const value = readAt(right, path);
      const name = path.findLast((key) => typeof key === 'string') ?? '';
      if (typeof value === 'number' && value > largest(name) && !WEIGHED.has(name)) wide.push(`${call.name} ${path.join('.')}: ${value}`);
    }
  }
  expect(wide).toEqual([]);
});

describe('every call', () => {
  let everybody: TestStaff;
  const somebody = async () => (everybody = await app.staff({ permissions: app.kernel.registry.permissions.map(({ code }) => code) }));
  /** Makes the call with each body; @returns what ended in 系统异常. */
  async function broken(call: Call, bodies: readonly unknown[]): Promise<string[]> {
    const faults: string[] = [];
    for (const body of bodies) {
      const { envelope } = await app.send(call, body, { as: everybody });
      // Some calls end the caller's own session.
      if (envelope.code === 'SCM90002') await somebody();
      if (envelope.code === 'SCM99999') faults.push(`${call.name} ${JSON.stringify(body)?.slice(0, 300)}`);
    }
    return faults;
  }

  it('refuses a body of another shape, and takes its fields at both of their ends', async () => {
    await somebody();
    const faults: string[] = [];
    for (const call of calls) {
      const shapes: readonly unknown[] = call.method === 'GET' ? [] : [[[[[]]]], 'x'];
      faults.push(...(await broken(call, [...shapes, ...bodiesOf(call)])));
    }
    expect(faults).toEqual([]);
  });
});
