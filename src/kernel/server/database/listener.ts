import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '../logger.ts';

const AGAIN_MS = 1_000;
const BEAT_MS = 2_000;

export interface Listening {
  hear(payload: string): void;
  /** From now on every notification is heard. */
  up?(): void;
  /** Notifications may be lost until `up`. */
  down?(): void;
}

/**
 * Hears the notifications of a channel on a connection of its own, and connects again after it was lost. It sends itself a beat: a
 * connection that does not bring it back until the next one (cut without a word, or lent to others by a pooler) counts as lost.
 * @throws what the first connection throws.
 */
export async function listenTo(pool: pg.Pool, channel: string, { hear, up, down }: Listening, log: Logger): Promise<{ close(): void }> {
  const beat = `beat ${randomUUID()}`;
  let listener: pg.PoolClient | null = null;
  let heard = false;
  let waiting = false;
  let closed = false;

  const lost = (client: pg.PoolClient) => {
    if (listener !== client) return;
    listener = null;
    heard = false;
    client.release(true);
    down?.();
    if (!closed) again();
  };
  const again = () => {
    setTimeout(() => {
      if (!closed) open().catch(again);
    }, AGAIN_MS).unref();
  };
  const take = (client: pg.PoolClient, payload: string) => {
    if (!payload.startsWith('beat ')) return hear(payload);
    if (payload !== beat || listener !== client) return;
    waiting = false;
    if (heard) return;
    heard = true;
    up?.();
  };
  const send = (client: pg.PoolClient) => {
    waiting = true;
    client.query('select pg_notify($1, $2)', [channel, beat]).catch(() => lost(client));
  };
  const open = async (): Promise<void> => {
    const client = await pool.connect();
    client.on('notification', ({ payload }) => payload && take(client, payload));
    // A dying connection reports more than once (the server's farewell, then the end of the line): every report needs a listener.
    client.on('error', () => lost(client));
    try {
      await client.query(`listen ${channel}`);
    } catch (error) {
      client.release(true);
      throw error;
    }
    if (closed) return client.release(true);
    listener = client;
    send(client);
  };
  const beating = setInterval(() => {
    const client = listener;
    if (!client) return;
    if (!waiting) return send(client);
    log.warn({ channel }, 'notifications of the database are not heard');
    lost(client);
  }, BEAT_MS);
  beating.unref();
  await open();

  return {
    close() {
      closed = true;
      clearInterval(beating);
      listener?.release(true);
      listener = null;
      down?.();
    },
  };
}
