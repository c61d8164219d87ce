import pg from 'pg';
import { expect, it } from 'vitest';
import { CommittedWrites } from './committedWrites.ts';

/** Sends statements over a connection that tells. @returns after which of them a write to `thing` was told. */
async function heardAfter(statements: readonly string[], failing?: string): Promise<readonly string[]> {
  const heard: string[] = [];
  let sent = '';
  // Nothing is connected: the database is what answers here.
  const client: pg.PoolClient = Object.assign(new pg.Client(), { release: () => undefined });
  Object.assign(client, {
    query: async (text: string) => {
      sent = text;
      if (text === failing) throw new Error('the line is gone');
    },
  });
  const pool = new pg.Pool();
  Object.assign(pool, { connect: async () => client });
  const writes = new CommittedWrites();
  writes.watch(/\bupdate "?thing"?/, () => void heard.push(sent));
  const connection = await writes.reporting(pool).connect();
  for (const text of statements) await connection.query(text).catch(() => undefined);
  return heard;
}

it.each([
  ['a write outside a transaction', ['update "thing" set a = 1'], ['update "thing" set a = 1']],
  ['a transaction, at its end alone', ['begin', 'update thing set a = 1', 'select 1', 'commit'], ['commit']],
  ['one of another isolation', ['start transaction isolation level serializable', 'update thing set a = 1', 'commit'], ['commit']],
  ['a write inside a WITH', ['begin', 'with x as (update thing set a = 1 returning id) select * from x', 'commit'], ['commit']],
  [
    'what a savepoint took back, for safety',
    ['begin', 'savepoint s', 'update thing set a = 1', 'rollback to savepoint s', 'commit'],
    ['commit'],
  ],
])('tells of %s', async (_name, statements, heard) => {
  expect(await heardAfter(statements)).toEqual(heard);
});

it.each([
  ['reading', ['select * from thing', 'begin', 'select 1 from thing for update', 'commit']],
  ['a transaction that was rolled back', ['begin', 'update thing set a = 1', 'rollback', 'begin', 'select 1', 'commit']],
  ['other tables', ['begin', 'update other set a = 1', 'commit']],
])('says nothing of %s', async (_name, statements) => {
  expect(await heardAfter(statements)).toEqual([]);
});

it('takes a commit whose answer was lost for done', async () => {
  expect(await heardAfter(['begin', 'update thing set a = 1', 'commit'], 'commit')).toEqual(['commit']);
});
