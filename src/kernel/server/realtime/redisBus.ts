import { createClient } from 'redis';
import type { Logger } from '../logger.ts';
import { Topics, type NodeBus } from './nodeBus.ts';

const CHANNEL = 'kangqiao_bus';
/** Topic by which a process without Redis asks the others, over the database, to speak that way too. */
const AWAY = 'redis.away';
const AWAY_MS = 10_000;
/** A process that said so and was not heard again for so long has ended. */
const FORGET_MS = 35_000;
/** Commands are not kept for a connection that is gone: what is published then goes over the database. */
const COMMAND_MS = 2_000;
const AGAIN_MS = 2_000;

/** As it goes through Redis. */
interface Letter {
  node: string;
  topic: string;
  payload: unknown;
}

const isLetter = (value: unknown): value is Letter =>
  typeof value === 'object' && value !== null && 'node' in value && 'topic' in value && typeof value.topic === 'string';

/**
 * Over a channel of Redis, which is quicker than the database's notifications and never needed: while this process or another one does
 * not reach Redis, all publish over `database`, which all hear at all times. An outage is logged when it begins and when it ends.
 * @param database the bus under it; closed with this one.
 */
export function redisBus(url: string, database: NodeBus, log: Logger): NodeBus {
  const { node } = database;
  const topics = new Topics();
  const away = new Map<string, number>();
  let subscribed = false;
  /** Null until Redis was reached or missed for the first time. */
  let up: boolean | null = null;
  let closed = false;

  const writer = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: COMMAND_MS },
    socket: { reconnectStrategy: (retries) => Math.min(100 * (retries + 1), AGAIN_MS) },
  });
  const reader = writer.duplicate();
  const settle = (error?: unknown) => {
    const now = subscribed && writer.isReady && reader.isReady;
    if (now === up || closed || (!now && up === null && error === undefined)) return;
    up = now;
    if (up) log.info({}, 'Redis is reached');
    else log.warn({ error }, 'Redis is not reached: the processes speak over the database until it is back');
    database.publish(AWAY, !up);
  };
  for (const client of [writer, reader]) {
    client.on('error', (error: unknown) => settle(error));
    client.on('ready', () => settle());
    client.on('end', () => settle());
  }
  database.subscribe<boolean>(AWAY, (isAway, from) => {
    if (isAway) away.set(from, performance.now());
    else away.delete(from);
  });
  const hear = (text: string) => {
    const letter: unknown = JSON.parse(text);
    if (isLetter(letter) && letter.node !== node) topics.deliver(letter.topic, letter.payload, letter.node);
  };
  // Neither is awaited: a start without Redis goes on, and the clients connect by themselves when it is there.
  writer.connect().catch((error: unknown) => log.warn({ error }, 'The connection to Redis was given up'));
  reader
    .connect()
    .then(async () => {
      await reader.subscribe(CHANNEL, hear);
      subscribed = true;
      settle();
    })
    .catch((error: unknown) => log.warn({ error }, 'The connection to Redis was given up'));
  const reminding = setInterval(() => {
    if (up === false) database.publish(AWAY, true);
    const oldest = performance.now() - FORGET_MS;
    for (const [peer, at] of away) if (at < oldest) away.delete(peer);
  }, AWAY_MS);
  reminding.unref();

  return {
    node,
    publish(topic, payload) {
      if (!up || away.size > 0) return database.publish(topic, payload);
      writer.publish(CHANNEL, JSON.stringify({ node, topic, payload } satisfies Letter)).catch(() => database.publish(topic, payload));
    },
    subscribe(topic, listener) {
      topics.subscribe(topic, listener);
      database.subscribe(topic, listener);
    },
    redisUp: () => up === true,
    async close() {
      closed = true;
      clearInterval(reminding);
      for (const client of [writer, reader]) client.destroy();
      await database.close();
    },
  };
}
