import type { IncomingHttpHeaders, Server as HttpServer } from 'node:http';
import type pg from 'pg';
import { Server } from 'socket.io';
import { Refusal } from '../../contract/errors.ts';
import { DatabaseAway } from '../database/away.ts';
import { refusalOf } from '../http/answer.ts';
import { protectiveHeaders } from '../http/headers.ts';
import type { Metrics } from '../http/metrics.ts';
import type { DatabaseListener } from '../database/listener.ts';
import type { Kernel } from '../kernel.ts';
import { clientAddress } from './clientAddress.ts';
import { postgresBus } from './postgresBus.ts';
import { redisBus } from './redisBus.ts';
import type { Realtime } from './realtime.ts';

export interface RealtimeServer extends Realtime {
  /** Parts from all sockets and takes no new one; what requests under way still push is for nobody here. */
  drain(): void;
  /** Whether Redis is reached; null where none is configured. */
  redisUp(): boolean | null;
  /** After the HTTP side has ended. */
  close(): Promise<void>;
}

/** Whether a handshake comes from a page of ours: of the host that it asks, or of the address under which visitors reach us. */
function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicOrigin: string | null): boolean {
  if (origin === undefined) return true;
  return origin === publicOrigin || (URL.canParse(origin) && new URL(origin).host === host);
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Socket.IO on the same port. A socket belongs to one session; it hears `user:{id}` and `session:{id}`.
 * The processes of a deployment speak over `REDIS_URL`, else over the notifications of the database, so a push
 * reaches pages on any of them. Domains add their own namespaces.
 */
export async function openRealtime(
  kernel: Kernel,
  http: HttpServer,
  pool: pg.Pool,
  notifications: DatabaseListener,
  metrics: Metrics,
  buildId: string,
): Promise<RealtimeServer> {
  const io = new Server(http, {
    serveClient: false,
    // A page of another site could open one with nothing but the visitor's browser; programs without a page send no origin.
    allowRequest: ({ headers }, decide) => decide(null, isOwnOrigin(headers, kernel.config.publicOrigin)),
  });
  // Its answers by long polling pass no hook of the HTTP side.
  const headers = Object.entries(protectiveHeaders(kernel.config)('application/json'));
  http.prependListener('request', ({ url }, response) => {
    if (url?.startsWith(io.path())) for (const [name, value] of headers) response.setHeader(name, value);
  });
  const database = await postgresBus(pool, notifications, kernel.log);
  const bus = kernel.config.redisUrl ? redisBus(kernel.config.redisUrl, database, kernel.log) : database;

  io.use((socket, next) => {
    const { token, opNo, userRoleMenu } = socket.handshake.auth as Record<string, unknown>;
    const bare = text(token);
    if (!bare) return next(new Error('SCM90002'));
    kernel.ports.sessions
      .read(kernel.db, {
        token: bare,
        opNo: text(opNo),
        userRoleMenu: text(userRoleMenu),
        ip: clientAddress(kernel.config.trustedProxies, socket.handshake.address, socket.handshake.headers['x-forwarded-for']),
        userAgent: socket.handshake.headers['user-agent'] ?? '',
        now: kernel.clock.now(),
        allowRestricted: false,
      })
      .then(async ({ staff }) => {
        await socket.join([`user:${staff.userId}`, `session:${staff.sessionId}`]);
        next();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Refusal || error instanceof DatabaseAway)) kernel.log.error({ error }, 'a realtime connection failed');
        next(new Error(refusalOf(error, '').code));
      });
  });

  io.on('connection', (socket) => {
    metrics.sockets.inc();
    socket.on('disconnect', () => metrics.sockets.dec());
    // Pages that were loaded from an older build offer to reload.
    socket.emit('build', { buildId });
  });

  interface Push {
    room: string | null;
    topic: string;
    payload: unknown;
    end: boolean;
  }
  const pushHere = ({ room, topic, payload, end }: Push) => {
    if (room === null) io.local.emit(topic, payload);
    else io.local.to(room).emit(topic, payload);
    if (end && room !== null) io.local.in(room).disconnectSockets(true);
  };
  bus.subscribe('push', pushHere);
  const push = (room: string | null, topic: string, payload: unknown, end = false) => {
    pushHere({ room, topic, payload, end });
    bus.publish('push', { room, topic, payload, end });
  };
  const opened = kernel.registry.modules.map((module) => module.sockets?.(io, bus));
  return {
    toUser: (userId, topic, payload) => push(`user:${userId}`, topic, payload),
    toSession: (sessionId, topic, payload) => push(`session:${sessionId}`, topic, payload),
    toAll: (topic, payload) => push(null, topic, payload),
    endSession: (sessionId, reason) => push(`session:${sessionId}`, 'sessionEnded', reason, true),
    redisUp: () => bus.redisUp(),
    drain: () => void io.engine.close(),
    async close() {
      for (const part of opened) await part?.close();
      await bus.close();
      await io.close();
    },
  };
}

/** Stands where sockets are opened only after the modules are built: forwards once a server is set. */
export function deferredRealtime(): { realtime: Realtime; set(server: Realtime): void } {
  let target: Realtime | null = null;
  return {
    realtime: {
      toUser: (userId, topic, payload) => target?.toUser(userId, topic, payload),
      toSession: (sessionId, topic, payload) => target?.toSession(sessionId, topic, payload),
      toAll: (topic, payload) => target?.toAll(topic, payload),
      endSession: (sessionId, reason) => target?.endSession(sessionId, reason),
    },
    set: (server) => void (target = server),
  };
}
