import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '../logger.ts';

const AGAIN_MS = 1_000;
const BEAT_MS = 2_000;
const BEAT_CHANNEL = 'kangqiao_beat';

export interface Listening {
  hear(payload: string): void;
  /** From now on every notification is heard. */
  up?(): void;
  /** Notifications may be lost until `up`. */
  down?(): void;
}

export interface DatabaseListener {
  /**
   * Hears the notifications of a channel until it is closed.
   * @throws what the first connection throws.
   */
  on(channel: string, listening: Listening): Promise<{ close(): void }>;
}

interface Connection {
  client: pg.PoolClient;
  listened: Set<string>;
  /** Statements run one after the other. */
  last: Promise<unknown>;
  /** Its beat has come back. */
  heard: boolean;
  waiting: boolean;
}

/**
 * Hears notifications of all channels on one connection, which is there while somebody listens, and connects again after it was lost. It
 * sends itself a beat: a connection that does not bring it back until the next one (cut without a word, or lent to others by a pooler)
 * counts as lost.
 */
export function listenOn(pool: pg.Pool, log: Logger): DatabaseListener {
  const beat = randomUUID();
  const hearers = new Set<Listening & { channel: string }>();
  let connection: Connection | null = null;
  let opening: Promise<void> | null = null;
  let beating: NodeJS.Timeout | null = null;

  const ask = (on: Connection, text: string, values: string[] = []): Promise<unknown> =>
    (on.last = on.last.catch(() => {}).then(() => on.client.query(text, values)));
  const listenTo = async (on: Connection, channels: readonly string[]) => {
    for (const channel of channels.filter((one) => !on.listened.has(one))) {
      await ask(on, `listen ${channel}`);
      on.listened.add(channel);
    }
  };

  const lost = (gone: Connection) => {
    if (connection !== gone) return;
    connection = null;
    gone.client.release(true);
    for (const { down } of hearers) down?.();
    again();
  };
  const again = () => {
    setTimeout(() => {
      if (hearers.size > 0) connect().catch(again);
    }, AGAIN_MS).unref();
  };
  const take = (on: Connection, { channel, payload = '' }: pg.Notification) => {
    if (channel !== BEAT_CHANNEL) {
      for (const one of hearers) if (one.channel === channel) one.hear(payload);
      return;
    }
    if (payload !== beat || connection !== on) return;
    on.waiting = false;
    if (on.heard) return;
    on.heard = true;
    for (const { channel: own, up } of hearers) if (on.listened.has(own)) up?.();
  };
  const sendBeat = (on: Connection) => {
    on.waiting = true;
    ask(on, 'select pg_notify($1, $2)', [BEAT_CHANNEL, beat]).catch(() => lost(on));
  };

  const open = async (): Promise<void> => {
    const client = await pool.connect();
    const made: Connection = { client, listened: new Set(), last: Promise.resolve(), heard: false, waiting: false };
    client.on('notification', (message) => take(made, message));
    // A dying connection reports more than once (the server's farewell, then the end of the line): every report needs a listener.
    client.on('error', () => lost(made));
    try {
      await listenTo(made, [BEAT_CHANNEL, ...Array.from(hearers, ({ channel }) => channel)]);
    } catch (error) {
      client.release(true);
      throw error;
    }
    if (hearers.size === 0) return client.release(true);
    connection = made;
    sendBeat(made);
  };
  const connect = (): Promise<void> => (opening ??= open().finally(() => (opening = null)));

  const watch = () => {
    const on = connection;
    if (!on) return;
    if (!on.waiting) return sendBeat(on);
    log.warn({ channels: Array.from(hearers, ({ channel }) => channel) }, 'notifications of the database are not heard');
    lost(on);
  };
  const close = (hearer: Listening & { channel: string }) => {
    if (!hearers.delete(hearer)) return;
    hearer.down?.();
    if (hearers.size > 0 || !beating) return;
    clearInterval(beating);
    beating = null;
    connection?.client.release(true);
    connection = null;
  };

  return {
    async on(channel, listening) {
      const hearer = { ...listening, channel };
      hearers.add(hearer);
      beating ??= setInterval(watch, BEAT_MS).unref();
      try {
        if (!connection) await connect();
        const on = connection;
        // One that was opened without it, or is there already.
        if (on && !on.listened.has(channel)) {
          await listenTo(on, [channel]);
          if (on.heard && connection === on) hearer.up?.();
        } else if (on?.heard) hearer.up?.();
      } catch (error) {
        close(hearer);
        throw error;
      }
      return { close: () => close(hearer) };
    },
  };
}
