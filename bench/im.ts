import type { Socket } from 'socket.io-client';
import { sendOf, startCrowd, type Crowd } from './im/crowd.ts';
import type { BenchPerson } from './im/node.ts';
import { median } from './load.ts';
import { atMostRow, ratioRow, type Row } from './table.ts';

const WINDOW = 20;

/** Messages per second until everybody has heard all of them; each sender keeps some on the way. */
async function fanOut(
  crowd: Crowd,
  space: '/im' | '/raw',
  who: readonly BenchPerson[],
  groupSize: number,
  messages: number,
): Promise<number> {
  let heard = 0;
  let all = () => {};
  const sockets = await crowd.connect(space, who, ({ type }) => {
    if (type === 'msg' && (heard += 1) === messages * groupSize) all();
  });
  const everything = new Promise<void>((resolve) => (all = resolve));
  let next = 0;
  const began = performance.now();
  const run = async (socket: Socket, { groupID }: BenchPerson) => {
    while (next < messages) {
      next += 1;
      const answer = (await socket.emitWithAck('send', sendOf(groupID, next))) as { code: number };
      if (answer.code !== 0) throw new Error(`a send was answered ${JSON.stringify(answer)}`);
    }
  };
  await Promise.all(
    sockets.flatMap((socket, at) =>
      Array.from({ length: Math.max(1, Math.floor((WINDOW * 10) / sockets.length)) }, () => run(socket, who[at]!)),
    ),
  );
  await everything;
  const rate = messages / ((performance.now() - began) / 1000);
  for (const socket of sockets) socket.disconnect();
  return rate;
}

/** Rounds in turn, so that both meet the same machine. */
async function measureFanOut(): Promise<Row> {
  const groupSize = 20;
  const crowd = await startCrowd({ groups: 20, groupSize });
  try {
    const ratios: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const raw = await fanOut(crowd, '/raw', crowd.people, groupSize, 3_000);
      const stored = await fanOut(crowd, '/im', crowd.people, groupSize, 3_000);
      console.log(`fan-out: bare ${raw.toFixed(0)}/s, stored ${stored.toFixed(0)}/s`);
      // The first round warms up.
      if (round > 0) ratios.push(stored / raw);
    }
    return ratioRow('chat: fan-out with storing against a bare Socket.IO echo, groups of 20', median(ratios), 0.6);
  } finally {
    await crowd.stop();
  }
}

/** Acknowledgement (that is, commit) of 500 messages a second among 2,000 connections. */
async function measureLatency(): Promise<Row> {
  const crowd = await startCrowd({ groups: 500, groupSize: 4 });
  try {
    const sockets = await crowd.connect('/im', crowd.people, () => {});
    const took: number[] = [];
    const pending: Promise<void>[] = [];
    const seconds = 12;
    const began = performance.now();
    for (let n = 0; n < seconds * 500; n += 1) {
      const due = began + n * 2;
      const wait = due - performance.now();
      if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
      const at = n % sockets.length;
      const sent = performance.now();
      pending.push(
        sockets[at]!.emitWithAck('send', sendOf(crowd.people[at]!.groupID, n)).then(() => void took.push(performance.now() - sent)),
      );
    }
    await Promise.all(pending);
    // The first two seconds warm up.
    const counted = took.slice(1_000).toSorted((a, b) => a - b);
    console.log(`acknowledgement: p50 ${counted[Math.floor(counted.length / 2)]!.toFixed(1)} ms`);
    return atMostRow(
      'chat: acknowledgement p99 at 500 messages/s, 2,000 connections',
      counted[Math.floor(counted.length * 0.99)]!,
      20,
      ' ms',
    );
  } finally {
    await crowd.stop();
  }
}

export async function measureIm(): Promise<Row[]> {
  return [await measureFanOut(), await measureLatency()];
}
