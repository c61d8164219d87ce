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
 * Hears the notifications of a channel on a connection of its own, and connects again after it was lost. A connection that no
 * longer answers counts as lost at the second beat.
 * @throws what the first connection throws.
 */
export async function listenTo(pool: pg.Pool, channel: string, { hear, up, down }: Listening, log: Logger): Promise<{ close(): void }> {
  let listener: pg.PoolClient | null = null;
  let closed = false;
  let answered = true;

  const lost = (client: pg.PoolClient) => {
    if (listener !== client) return;
    listener = null;
    client.release(true);
    down?.();
    if (!closed) again();
  };
  const again = () => {
    setTimeout(() => {
      if (!closed) open().catch(again);
    }, AGAIN_MS).unref();
  };
  const open = async (): Promise<void> => {
    const client = await pool.connect();
    client.on('notification', ({ payload }) => payload && hear(payload));
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
    answered = true;
    up?.();
  };
  const beat = setInterval(() => {
    const client = listener;
    if (!client) return;
    if (!answered) {
      log.warn({ channel }, 'the connection for notifications does not answer');
      return lost(client);
    }
    answered = false;
    client.query('select 1').then(
      () => void (answered = true),
      () => lost(client),
    );
  }, BEAT_MS);
  beat.unref();
  await open();

  return {
    close() {
      closed = true;
      clearInterval(beat);
      listener?.release(true);
      listener = null;
      down?.();
    },
  };
}
