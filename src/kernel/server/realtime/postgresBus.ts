import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { meaning } from '../database/away.ts';
import type { DatabaseListener } from '../database/listener.ts';
import type { Logger } from '../logger.ts';
import { Topics, type NodeBus } from './nodeBus.ts';

const CHANNEL = 'kangqiao_bus';
/** A notification carries at most 8,000 bytes; a character takes three at most, half of a pair two. */
const PART = 2_500;
const HELLO_MS = 10_000;
/** A process that was not heard for so long is gone. */
const GONE_MS = 35_000;

interface Letter {
  topic: string;
  payload: unknown;
}

/** Cuts a text into parts that a notification can carry, never between the halves of one character. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + PART);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

/**
 * Over LISTEN and NOTIFY of the shared database, for deployments without Redis. What is published while another
 * notification is on its way travels together with the next one; alone, a process sends nothing but its greeting.
 */
export async function postgresBus(pool: pg.Pool, notifications: DatabaseListener, log: Logger): Promise<NodeBus> {
  const node = randomUUID().slice(0, 8);
  const topics = new Topics();
  const peers = new Map<string, number>();
  const open = new Map<string, string[]>();
  let waiting: Letter[] = [];
  let sending: Promise<void> | null = null;
  let closed = false;
  let serial = 0;

  const send = async (letters: readonly Letter[]) => {
    const id = `${node}.${++serial}`;
    const parts = partsOf(JSON.stringify(letters)).map((part, index, all) => `${id}|${index}|${all.length}|${part}`);
    await pool.query('select pg_notify($1, part) from unnest($2::text[]) with ordinality as t (part, n) order by n', [CHANNEL, parts]);
  };
  const drain = async () => {
    while (waiting.length > 0 && !closed) {
      const letters = waiting;
      waiting = [];
      await send(letters).catch((error: unknown) => log.warn({ error: meaning(error) }, 'a message to the other processes was lost'));
    }
    sending = null;
  };
  const post = (letter: Letter) => {
    waiting.push(letter);
    sending ??= drain();
  };
  const isAlone = () => {
    const oldest = performance.now() - GONE_MS;
    for (const [peer, at] of peers) if (at < oldest) peers.delete(peer);
    return peers.size === 0;
  };

  const take = (text: string) => {
    const [id = '', index = '', count = ''] = text.split('|', 3);
    const from = id.split('.')[0] ?? '';
    if (from === node) return;
    const parts = open.get(id) ?? [];
    parts[Number(index)] = text.slice(id.length + index.length + count.length + 3);
    if (Number(index) + 1 < Number(count)) return void open.set(id, parts);
    open.delete(id);
    const known = peers.has(from);
    peers.set(from, performance.now());
    const letters = JSON.parse(parts.join('')) as Letter[];
    for (const { topic, payload } of letters) {
      if (topic === 'bye') peers.delete(from);
      else if (topic === 'hello' && !known) post({ topic: 'hello', payload: null });
      else topics.deliver(topic, payload, from);
    }
  };

  const listener = await notifications.on(CHANNEL, { hear: take, up: () => post({ topic: 'hello', payload: null }) });
  const greeting = setInterval(() => post({ topic: 'hello', payload: null }), HELLO_MS);
  greeting.unref();

  return {
    node,
    publish(topic, payload) {
      if (!isAlone()) post({ topic, payload });
    },
    subscribe: (topic, hear) => topics.subscribe(topic, hear),
    redisUp: () => null,
    async close() {
      clearInterval(greeting);
      post({ topic: 'bye', payload: null });
      await sending;
      closed = true;
      listener.close();
    },
  };
}
