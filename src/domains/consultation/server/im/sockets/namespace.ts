import { setImmediate as allTold } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Namespace, Server, Socket } from 'socket.io';
import { instantOf } from '#kernel/contract/time.ts';
import { isTooDeep } from '#kernel/server/http/depth.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { NodeBus } from '#kernel/server/realtime/nodeBus.ts';
import { imCodes, type ImCodeName } from '../../../contract/im/codes.ts';
import { NAMESPACE, requests, typingSchema, type KickReason, type Ready, type RequestName } from '../../../contract/im/wire.ts';
import { own } from '../../database.ts';
import { imEngine, type ImEngine } from '../engine.ts';
import { admit, connectError, forgetConnection, noteConnection, type Admitted } from './admission.ts';
import { expireInvites } from './invites.ts';
import { LOST_MS } from './presence.ts';
import { relayTyping, serving, type Client, type Serving } from './serving.ts';

const TICK_MS = 25_000;
const RING_MS = 1_000;
const TYPING_MS = 3_000;

type Reply = (answer: unknown) => void;
const failure = (name: ImCodeName, message: string = imCodes[name][1]) => ({ code: imCodes[name][0], message });

/**
 * Answers every request that its schema allows; what goes wrong inside is logged and answered as a failed store, which may be sent again.
 */
function listen(engine: ImEngine, table: Serving, client: Client): void {
  const { socket } = client;
  const answer = async <N extends RequestName>(name: N, data: unknown): Promise<unknown> => {
    if (isTooDeep(data)) return failure('MALFORMED');
    const parsed = requests[name].safeParse(data);
    if (!parsed.success) return failure('MALFORMED');
    try {
      const outcome = await table[name](client, parsed.data as Parameters<Serving[N]>[1]);
      if (typeof outcome === 'object' && outcome !== null && 'refused' in outcome)
        return { ...failure(outcome.refused, outcome.message), ...(outcome.refused === 'STORE_FAILED' ? { data: { again: true } } : {}) };
      return { code: 0, data: outcome };
    } catch (error) {
      engine.kernel.log.error({ error, request: name }, 'a request of the chat failed');
      return { ...failure('STORE_FAILED'), data: { again: true } };
    }
  };
  for (const name of Object.keys(requests) as RequestName[]) {
    socket.on(
      name,
      (data: unknown, reply?: Reply) => void answer(name, data).then((response) => typeof reply === 'function' && reply(response)),
    );
  }
  let typedAt = -TYPING_MS;
  socket.on('typing', (data: unknown) => {
    const parsed = typingSchema.safeParse(data);
    if (!parsed.success || (parsed.data.on && performance.now() - typedAt < TYPING_MS)) return;
    if (parsed.data.on) typedAt = performance.now();
    relayTyping(engine, client.userID, parsed.data.conversationID, parsed.data.on).catch((error: unknown) =>
      engine.kernel.log.warn({ error }, 'typing could not be told'),
    );
  });
}

function kick(socket: Socket, reason: KickReason): void {
  socket.emit('kicked', { reason });
  socket.disconnect(true);
}

/** Every 25 seconds: the last numbers, for whoever lost the last event; connections confirmed, those of dead processes forgotten. */
async function tick(engine: ImEngine, space: Namespace): Promise<void> {
  const { kernel, hub } = engine;
  const now = kernel.clock.now();
  for (const socket of space.sockets.values()) {
    if ((socket.data as Admitted).sign.endsAt <= Date.parse(now)) kick(socket, 'userSigExpired');
  }
  const users = hub.users();
  if (users.length === 0) return;
  const rows = await own(kernel.db)
    .selectFrom('consultationImUser')
    .select(['imUserId', 'lastEventSeq'])
    .where('imUserId', 'in', users)
    .execute();
  for (const { imUserId, lastEventSeq } of rows)
    for (const socket of hub.socketsOf(imUserId)) socket.emit('tick', { n: Number(lastEventSeq) });
  await sql`update consultation_im_connection set last_seen_at = ${now}::timestamptz where node = ${hub.node}`.execute(kernel.db);
  await sql`delete from consultation_im_connection where last_seen_at < ${instantOf(Date.parse(now) - LOST_MS * 4)}::timestamptz`.execute(
    kernel.db,
  );
}

/** Opens `/im` on the sockets of this process. */
export function openImNamespace(kernel: Kernel, io: Server, bus: NodeBus): { close(): Promise<void> } {
  const engine = imEngine(kernel);
  const space = io.of(NAMESPACE);
  engine.hub.attach(bus);
  engine.presence.attach(bus);
  const table = serving(engine);
  const loud = (work: Promise<unknown>, what: string) => void work.catch((error: unknown) => kernel.log.warn({ error }, what));

  space.use((socket, next) => {
    admit(engine, socket, space.sockets.size)
      .then((admitted) => {
        if (typeof admitted === 'string') return next(connectError(admitted));
        // Of one browser only the newest connection lives; the older one is what a cut network left behind.
        for (const old of engine.hub.socketsOf(admitted.userID))
          if ((old.data as Admitted).clientId === admitted.clientId) old.disconnect(true);
        engine.hub.kickElsewhere(admitted.userID, admitted.clientId);
        Object.assign(socket.data as object, admitted);
        return next();
      })
      .catch((error: unknown) => {
        kernel.log.error({ error }, 'a chat connection failed');
        next(connectError('BROKEN'));
      });
  });

  space.on('connection', (socket) => {
    const admitted = socket.data as Admitted;
    const { userID } = admitted;
    engine.hub.add(userID, socket);
    listen(engine, table, { userID, socket });
    const noted = noteConnection(engine, socket, admitted).then(() => engine.presence.changed(userID));
    loud(noted, 'a connection could not be noted');
    socket.on('disconnect', () => {
      engine.hub.remove(userID, socket);
      engine.presence.forget(socket);
      loud(
        noted.then(() => forgetConnection(engine, socket)).then(() => engine.presence.changed(userID)),
        'a connection could not be forgotten',
      );
    });
    const ready: Ready = {
      userID,
      serverTime: kernel.clock.now(),
      lastEventSeq: admitted.lastEventSeq,
      resumed: admitted.cursor !== null && admitted.cursor <= admitted.lastEventSeq,
      sign: admitted.sign,
    };
    socket.emit('ready', ready);
  });

  const ticking = setInterval(() => loud(tick(engine, space), 'the chat could not confirm its numbers'), TICK_MS);
  let ringing = false;
  const rings = setInterval(() => {
    if (ringing || space.sockets.size === 0) return;
    ringing = true;
    loud(
      kernel.transactions.run('im', (writing) => expireInvites(engine, writing, kernel.clock.now())).finally(() => (ringing = false)),
      'calls could not be ended',
    );
  }, RING_MS);
  ticking.unref();
  rings.unref();
  return {
    async close() {
      clearInterval(ticking);
      clearInterval(rings);
      await engine.queue.idle();
      await engine.reads.flush();
      // What was committed until here is still told.
      await allTold();
      engine.presence.close();
      engine.hub.detach();
      space.disconnectSockets(true);
    },
  };
}
