import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { io, type Socket } from 'socket.io-client';
import { EMBEDDED_APP_ID } from '#domains/consultation/server/im/engine.ts';
import { PROTOCOL } from '#domains/consultation/contract/im/wire.ts';
import type { BenchFacts, BenchPerson } from './node.ts';

export interface Crowd {
  people: BenchPerson[];
  /** Connects these to a namespace; `onEvent` for every delivered message. */
  connect(space: '/im' | '/raw', who: readonly BenchPerson[], onEvent: (event: { type: string }) => void): Promise<Socket[]>;
  stop(): Promise<void>;
}

const AT_ONCE = 50;

export async function startCrowd(facts: BenchFacts): Promise<Crowd> {
  const server: ChildProcess = fork(path.join(import.meta.dirname, 'node.ts'), [JSON.stringify(facts)], { stdio: 'inherit' });
  const [{ port, people }] = (await once(server, 'message')) as [{ port: number; people: BenchPerson[] }];
  const sockets: Socket[] = [];
  const one = (space: string, { userID, userSig, groupID }: BenchPerson, onEvent: (event: { type: string }) => void) =>
    new Promise<Socket>((resolve, reject) => {
      const auth = {
        v: PROTOCOL,
        userID,
        userSig,
        sdkAppID: EMBEDDED_APP_ID,
        device: 'bot',
        clientId: crypto.randomUUID(),
        room: `GROUP${groupID}`,
      };
      const socket = io(`http://127.0.0.1:${port}${space}`, { auth, transports: ['websocket'], forceNew: true, reconnection: false });
      socket.on('ev', (events: { type: string } | { type: string }[]) =>
        Array.isArray(events) ? events.forEach(onEvent) : onEvent(events),
      );
      socket.once('connect_error', reject);
      socket.once(space === '/im' ? 'ready' : 'connect', () => resolve(socket));
    });
  return {
    people,
    async connect(space, who, onEvent) {
      const opened: Socket[] = [];
      for (let at = 0; at < who.length; at += AT_ONCE)
        opened.push(...(await Promise.all(who.slice(at, at + AT_ONCE).map((person) => one(space, person, onEvent)))));
      sockets.push(...opened);
      return opened;
    },
    async stop() {
      for (const socket of sockets) socket.disconnect();
      server.send('stop');
      await once(server, 'exit');
    },
  };
}

/** The same request for both namespaces. */
export const sendOf = (groupID: string, n: number) => ({
  clientMsgId: crypto.randomUUID(),
  conversationID: `GROUP${groupID}`,
  type: 'TIMTextElem',
  payload: { text: `第${n}条：医生您好，昨天按您说的服药，早晨血压一百三十八，晚上一百四十二，没有头晕。` },
});
