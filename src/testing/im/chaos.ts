import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import { ensureSystemAccount, issueUserSig } from '#domains/consultation/server/im/accounts/accounts.ts';
import { createGroup } from '#domains/consultation/server/im/conversations/groups.ts';
import { consultationModule } from '#domains/consultation/server/module.ts';
import { makeAccounts } from '#domains/consultation/server/testing/imWorld.ts';
import type { EmbeddedImClient } from '#domains/consultation/web/im/embeddedImClient.ts';
import { assemble } from '#kernel/server/assemble.ts';
import { systemClock } from '#kernel/server/clock.ts';
import type { DatabaseAddress } from '#kernel/server/database/address.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { TEST_MASTER_KEY, testConfig } from '../testConfig.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import type { NodeFacts } from './chaosNode.ts';
import { makeClient } from './embeddedWorld.ts';

export interface ChaosWish {
  database: DatabaseAddress;
  dataDir: string;
  redisUrl: string | null;
  /** Begins with the writing, which goes on until it has ended: Redis that is away for a while. */
  meanwhile?: () => Promise<void>;
  participants: number;
  messagesEach: number;
  /** Processes killed with -9 while everybody writes. */
  kills: number;
  /** Members of a group. */
  groupSize: number;
}

export interface ChaosReport {
  sent: number;
  stored: number;
  lost: number;
  doubled: number;
  outOfOrder: number;
  wrongUnread: number;
  /** Receivers that heard something never, twice or in another order. */
  wrongReceivers: number;
  kills: number;
  cuts: number;
  seconds: number;
}

interface Person {
  userID: string;
  groupID: string;
  client: EmbeddedImClient;
  heard: number[];
  sent: number;
}

const ROLES = ['P', 'D', 'A'] as const;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Two processes behind a balancer, each started anew as soon as it was killed. */
class Nodes {
  readonly #facts: NodeFacts;
  readonly #balancer: Balancer;
  readonly #children = new Map<number, ChildProcess>();

  constructor(facts: NodeFacts, balancer: Balancer) {
    this.#facts = facts;
    this.#balancer = balancer;
  }

  async start(): Promise<void> {
    const child = fork(path.join(import.meta.dirname, 'chaosNode.ts'), [JSON.stringify(this.#facts)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    this.#children.set(port, child);
    this.#balancer.targets.add(port);
  }

  /** Kills one without warning and puts another in its place. */
  async kill(): Promise<void> {
    const ports = [...this.#children.keys()];
    const port = ports[Math.floor(Math.random() * ports.length)]!;
    this.#balancer.targets.delete(port);
    this.#children.get(port)!.kill('SIGKILL');
    this.#children.delete(port);
    await this.start();
  }

  stop(): void {
    for (const child of this.#children.values()) child.kill('SIGKILL');
  }
}

/** Lets everybody write while processes die and networks fail, then compares what each has heard with what is stored. */
export async function runChaos(wish: ChaosWish): Promise<ChaosReport> {
  const began = performance.now();
  const opened = createDb(wish.database, { log: silentLogger, max: 6 });
  const secrets = makeSecrets(TEST_MASTER_KEY);
  const config = testConfig(wish.dataDir);
  const { kernel, queue } = await assemble({
    config,
    clock: systemClock,
    log: silentLogger,
    db: opened.db,
    readDb: opened.db,
    pool: opened.pool,
    committedWrites: opened.committedWrites,
    secrets,
    storage: makeStorage(config, secrets),
    modules: [consultationModule],
    loops: false,
    browser: null,
  });
  const balancer = await startBalancer();
  const nodes = new Nodes({ database: wish.database, redisUrl: wish.redisUrl, dataDir: wish.dataDir }, balancer);
  const people: Person[] = [];
  try {
    await Promise.all([nodes.start(), nodes.start()]);
    await kernel.transactions.run('chaos', async (writing) => {
      const now = kernel.clock.now();
      await ensureSystemAccount(writing.tx, now);
      for (let first = 0; first < wish.participants; first += wish.groupSize) {
        const groupId = `YH${30_000_000 + first}`;
        const imUserIds = Array.from(
          { length: Math.min(wish.groupSize, wish.participants - first) },
          (_, at) => `${ROLES[Math.min(at, 2)]}${first + at + 1}`,
        );
        await makeAccounts(kernel, writing, imUserIds, now);
        await createGroup(kernel, writing, { groupId, name: groupId, imUserIds, createdBy: null }, now);
        for (const userID of imUserIds) people.push({ userID, groupID: groupId, client: makeClient(balancer.address), heard: [], sent: 0 });
      }
    });
    for (const chunk of chunks(people, 20)) await Promise.all(chunk.map((person) => enter(person, kernel)));

    let disturbed = true;
    const meanwhile = (wish.meanwhile?.() ?? Promise.resolve()).finally(() => (disturbed = false));
    const writing = Promise.all([meanwhile, ...people.map((person) => write(person, wish.messagesEach, () => disturbed))]);
    let kills = 0;
    let cuts = 0;
    let done = false;
    void writing.then(
      () => (done = true),
      () => (done = true),
    );
    while (kills < wish.kills || !done) {
      await pause(300 + Math.random() * 700);
      cuts += balancer.cut(kills % 2 === 0 ? 0.2 : 0.5);
      if (kills >= wish.kills) {
        if (done) break;
        continue;
      }
      await nodes.kill();
      kills += 1;
    }
    await writing;
    const sent = people.reduce((sum, person) => sum + person.sent, 0);
    const report = await compare(people, opened.db, sent);
    return { ...report, kills, cuts, seconds: (performance.now() - began) / 1000 };
  } finally {
    for (const { client } of people) await client.destroy();
    nodes.stop();
    await balancer.close();
    await queue.boss.stop({ graceful: false });
    await opened.close();
  }
}

function* chunks<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

async function enter(person: Person, kernel: Parameters<typeof issueUserSig>[0]): Promise<void> {
  const { client, userID, groupID } = person;
  client.on('onMessageReceived', ({ data }) => {
    for (const message of data) if (message.conversationID === `GROUP${groupID}`) person.heard.push(message.sequence);
  });
  await client.login({ userID, userSig: (await issueUserSig(kernel, userID)).userSig });
}

/** Writes one message after another, and on in a person's pace while something is away; now and then reads what there is. */
async function write(person: Person, count: number, goesOn: () => boolean): Promise<void> {
  const { client, groupID, userID } = person;
  for (let n = 0; n < count || goesOn(); n += 1) {
    await client.sendMessage(client.createTextMessage({ to: groupID, conversationType: 'GROUP', payload: { text: `${userID}:${n}` } }));
    person.sent = n + 1;
    if (n % 7 === 3) await client.setMessageRead({ conversationID: `GROUP${groupID}` }).catch(() => {});
    await pause(Math.random() * (n < count ? 40 : 4_000));
  }
}

interface StoredRow {
  groupId: string;
  seq: number;
  senderId: string;
  text: string;
}
interface Counted {
  groupId: string;
  imUserId: string;
  unread: number;
}

async function compare(
  people: readonly Person[],
  db: ReturnType<typeof createDb>['db'],
  sent: number,
): Promise<Omit<ChaosReport, 'kills' | 'cuts' | 'seconds'>> {
  const { rows } = await sql<StoredRow>`
    select c.group_id, m.seq::int as seq, m.sender_id, m.payload ->> 'text' as text
      from consultation_im_message m
      join consultation_im_conversation c on c.conv_id = m.conv_id
      order by c.group_id, m.seq`.execute(db);
  const groups = Map.groupBy(rows, ({ groupId }) => groupId);
  const distinct = new Set(rows.map(({ text }) => text));
  let outOfOrder = 0;
  for (const messages of groups.values()) {
    if (!messages.every(({ seq }, index) => seq === index + 1)) outOfOrder += 1;
    for (const own of Map.groupBy(messages, ({ senderId }) => senderId).values()) {
      if (!own.every(({ text }, index) => Number(text.split(':')[1]) === index)) outOfOrder += 1;
    }
  }
  const expected = ({ groupID, userID }: Person) =>
    (groups.get(groupID) ?? []).filter(({ senderId }) => senderId !== userID).map(({ seq }) => seq);
  const isRight = (person: Person) => JSON.stringify(person.heard) === JSON.stringify(expected(person));
  // Calm: everybody has thirty seconds to catch up.
  for (const until = performance.now() + 30_000; performance.now() < until && !people.every(isRight);) await pause(100);

  const recount = await sql<Counted>`
    select c.group_id, m.im_user_id,
      (
        select count(*)::int
          from consultation_im_message x
          where x.conv_id = m.conv_id and x.seq > m.read_seq and x.sender_id <> m.im_user_id and x.revoked_at is null and x.counts_unread
      ) as unread
      from consultation_im_member m join consultation_im_conversation c on c.conv_id = m.conv_id`.execute(db);
  const unread = new Map(recount.rows.map(({ imUserId, unread: count }) => [imUserId, Math.min(100, count)]));
  const wrongUnread = people.filter(({ client, userID }) => client.getTotalUnreadMessageCount() !== unread.get(userID)).length;
  return {
    sent,
    stored: rows.length,
    lost: sent - distinct.size,
    doubled: rows.length - distinct.size,
    outOfOrder,
    wrongUnread,
    wrongReceivers: people.filter((person) => !isRight(person)).length,
  };
}
