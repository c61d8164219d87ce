import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { savingRoundTrips, WITH_COMMIT } from './roundTrips.ts';

const LOG = `insert into log values ($1)${WITH_COMMIT}`;
let sent: string[] = [];
/** What went out in one write each. */
let writes: string[][] = [];
/** Statements whose text holds this word fail. */
let failing: string | null = null;

/** A connection that only notes what it is sent; answers come once it is written. */
async function connection() {
  let corked: { text: string; answer(): void }[] = [];
  const client: pg.Client & { release(): void } = Object.assign(new pg.Client(), {
    release: () => undefined,
    query: (text: string) => {
      sent.push(text);
      return new Promise((resolve, reject) => {
        const answer = () => (failing !== null && text.includes(failing) ? reject(new Error(`no ${text}`)) : resolve({ rows: [] }));
        corked.push({ text, answer });
      });
    },
  });
  const { stream } = client.connection;
  const uncork = stream.uncork.bind(stream);
  stream.uncork = () => {
    uncork();
    writes.push(corked.map(({ text }) => text));
    for (const { answer } of corked) answer();
    corked = [];
  };
  const pool = Object.assign(new pg.Pool(), { connect: () => Promise.resolve(client) });
  const { query } = await savingRoundTrips(pool).connect();
  return { query: (text: string) => query(text) };
}

beforeEach(() => {
  sent = [];
  writes = [];
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
    expect(writes).toEqual([['begin', 'update a'], ['update b'], [LOG, LOG, 'commit']]);
  });

  it('sends a marked statement that begins a transaction with what follows it', async () => {
    const client = await connection();
    await client.query('begin');
    await client.query(LOG);
    expect(sent).toEqual([]);
    await client.query('update a');
    expect(writes).toEqual([['begin', LOG, 'update a']]);
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

  it('sends in one write what nobody waits for in between', async () => {
    const client = await connection();
    await Promise.all([client.query('select a'), client.query('select b')]);
    await client.query('select c');
    expect(writes).toEqual([['select a', 'select b'], ['select c']]);
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
