import { io, type Socket } from 'socket.io-client';
import type { Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { operatorIdOf, roleOf } from '../../contract/im/ids.ts';
import { PROTOCOL, type Answers, type RequestName } from '../../contract/im/wire.ts';
import { modules } from '../../../../modules.ts';
import { ensureAccount, ensureSystemAccount, issueUserSig } from '../im/accounts/accounts.ts';
import { EMBEDDED_APP_ID, imEngine } from '../im/engine.ts';
import { standAlone } from '../im/hooks.ts';
import { createGroup } from '../im/conversations/groups.ts';
import { consultationModule } from '../module.ts';

/** The product with this domain, whether or not it is registered yet. */
export const withConsultation = modules.includes(consultationModule) ? modules : [...modules, consultationModule];

export interface ImWorld {
  app: TestApp;
  kernel: Kernel;
  address: string;
  write<T>(work: (writing: Writing, now: string) => Promise<T>): Promise<T>;
  /** Makes accounts where there are none. */
  accounts(...userIDs: string[]): Promise<void>;
  /** A group `YH…` of these. @returns its conversation id in the store. */
  group(groupID: string, ...userIDs: string[]): Promise<string>;
  sign(userID: string): Promise<string>;
  close(): Promise<void>;
}

export async function makeAccounts(kernel: Kernel, writing: Writing, userIDs: readonly string[], now: string): Promise<void> {
  for (const id of userIDs)
    await ensureAccount(
      kernel,
      writing,
      { kind: roleOf(id)!, operatorId: operatorIdOf(id), refId: operatorIdOf(id), nick: `昵称${id}`, avatar: null },
      now,
    );
}

/** An application with the chat open on loopback, behind a proxy of the same machine. */
export async function startImWorld(): Promise<ImWorld> {
  const app = await startTestApp({ modules: withConsultation, config: { trustedProxies: ['loopback'] } });
  const { kernel } = app;
  // The store alone: its groups have no inquiry that could forbid anything.
  imEngine(kernel).hooks = standAlone;
  const address = await app.listen();
  const write: ImWorld['write'] = (work) => kernel.transactions.run('test', (writing) => work(writing, kernel.clock.now()));
  await write((writing, now) => ensureSystemAccount(writing.tx, now));
  return {
    app,
    kernel,
    address,
    write,
    accounts: (...userIDs) => write((writing, now) => makeAccounts(kernel, writing, userIDs, now)),
    group: (groupId, ...imUserIds) =>
      write(async (writing, now) => {
        await makeAccounts(kernel, writing, imUserIds, now);
        return createGroup(kernel, writing, { groupId, name: `群${groupId}`, imUserIds, createdBy: null }, now);
      }),
    sign: async (userID) => (await issueUserSig(kernel, userID)).userSig,
    close: () => app.close(),
  };
}

export interface RawClient {
  socket: Socket;
  ask<N extends RequestName>(name: N, data: unknown): Promise<{ code: number; data: Answers[N]; message?: string }>;
  /** Every `ev` so far. */
  events: { n: number; type: string }[];
}

/** A bare socket on `/im`, without the client's care. @throws what `connect_error` says. */
export function connectRaw(
  address: string,
  userID: string,
  userSig: string,
  more: Record<string, unknown> = {},
  forwardedFor?: string,
): Promise<RawClient> {
  return new Promise((resolve, reject) => {
    const auth = { v: PROTOCOL, userID, userSig, sdkAppID: EMBEDDED_APP_ID, device: 'console', clientId: crypto.randomUUID(), ...more };
    const socket = io(`${address}/im`, {
      auth,
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      ...(forwardedFor ? { extraHeaders: { 'X-Forwarded-For': forwardedFor } } : {}),
    });
    const events: RawClient['events'] = [];
    socket.on('ev', (heard: RawClient['events'][number] | RawClient['events']) => void events.push(...[heard].flat()));
    socket.once('connect_error', (error: Error & { data?: unknown }) => reject(Object.assign(error, { data: error.data })));
    socket.once('ready', () => resolve({ socket, events, ask: (name, data) => socket.timeout(15_000).emitWithAck(name, data) as never }));
  });
}

export const textSend = (conversationID: string, text: string, clientMsgId: string = crypto.randomUUID()) => ({
  clientMsgId,
  conversationID,
  type: 'TIMTextElem',
  payload: { text },
});
