import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { savingRoundTrips, WITH_COMMIT } from './roundTrips.ts';

const LOG = `insert into log values ($1)${WITH_COMMIT}`;
let sent: string[] = [];
/** Those of them that went out in one write with others. */
let together: string[] = [];
/** Statements whose text holds this word fail. */
let failing: string | null = null;

/** A connection that only notes what it is sent. */
async function connection() {
  const client: pg.Client & { release(): void } = Object.assign(new pg.Client(), {
    release: () => undefined,
    query: (text: string) => {
      sent.push(text);
      if (client.connection.stream.writableCorked > 0) together.push(text);
      return failing !== null && text.includes(failing) ? Promise.reject(new Error(`no ${text}`)) : Promise.resolve({ rows: [] });
    },
  });
  const pool = Object.assign(new pg.Pool(), { connect: () => Promise.resolve(client) });
  const { query } = await savingRoundTrips(pool).connect();
  return { query: (text: string) => query(text) };
}

beforeEach(() => {
  sent = [];
  together = [];
  failing = null;
});

describe('savingRoundTrips', () => {
  it('sends begin with the first statement, and the marked ones with the commit, each time in one write', async () => {
    const client = await connection();
    await client.query('begin');
    expect(sent).toEqual([]);
    await client.query('update a');
    await client.query('update b');
    await client.query(LOG);
    await client.query(LOG);
    expect(sent).toEqual(['begin', 'update a', 'update b']);
    await client.query('commit');
    expect(sent).toEqual(['begin', 'update a', 'update b', LOG, LOG, 'commit']);
    expect(together).toEqual(['begin', 'update a', LOG, LOG, 'commit']);
  });

  it('sends a marked statement that begins a transaction with what follows it', async () => {
    const client = await connection();
    await client.query('begin');
    await client.query(LOG);
    expect(sent).toEqual([]);
    await client.query('update a');
    expect(together).toEqual(['begin', LOG, 'update a']);
    await client.query('commit');
    await client.query('begin');
    await client.query(LOG);
    await client.query('rollback');
    expect(sent).toEqual(['begin', LOG, 'update a', 'commit']);
  });

  it('sends nothing of a transaction in which nothing was done', async () => {
    const client = await connection();
    await client.query('start transaction isolation level repeatable read');
    await client.query('commit');
    await client.query('begin');
    await client.query('rollback');
    expect(sent).toEqual([]);
    await client.query('begin; update a; commit');
    expect(sent).toEqual(['begin; update a; commit']);
  });

  it('sends a marked statement before any other that follows, and drops it with a rollback', async () => {
    const client = await connection();
    await client.query('begin');
    await client.query(LOG);
    await client.query('savepoint a');
    expect(sent).toEqual(['begin', LOG, 'savepoint a']);
    await client.query(LOG);
    await client.query('rollback');
    expect(sent).toEqual(['begin', LOG, 'savepoint a', 'rollback']);
  });

  it('sends a marked statement at once outside a transaction', async () => {
    const client = await connection();
    await client.query(LOG);
    await client.query('begin');
    await client.query('update a');
    await client.query('commit');
    await client.query(LOG);
    expect(sent).toEqual([LOG, 'begin', 'update a', 'commit', LOG]);
  });

  it('fails the commit with the reason of the statement that went with it', async () => {
    const client = await connection();
    failing = 'log';
    await client.query('begin');
    await client.query(LOG);
    await expect(client.query('commit')).rejects.toThrow(`no ${LOG}`);
  });

  it('fails a statement by itself, whatever went out with it', async () => {
    const client = await connection();
    failing = 'update a';
    await client.query('begin');
    await expect(client.query('update a')).rejects.toThrow('no update a');
  });
});
