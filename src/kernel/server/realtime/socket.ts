import type { Server as HttpServer } from 'node:http';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import { createClient } from 'redis';
import { Server } from 'socket.io';
import { Refusal } from '../../contract/errors.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Kernel } from '../kernel.ts';
import type { Realtime } from './realtime.ts';

export interface RealtimeServer extends Realtime {
  close(): Promise<void>;
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Socket.IO on the same port. A socket belongs to one session; it hears `user:{id}` and `session:{id}`.
 * With `REDIS_URL` the processes of a deployment share one stream, so a push reaches pages on any of them.
 */
export async function openRealtime(kernel: Kernel, http: HttpServer, metrics: Metrics, buildId: string): Promise<RealtimeServer> {
  const redis = kernel.config.redisUrl ? createClient({ url: kernel.config.redisUrl }) : null;
  if (redis) {
    redis.on('error', (error: unknown) => kernel.log.error({ error }, 'redis is not reachable'));
    await redis.connect();
  }
  const io = new Server(http, { serveClient: false, ...(redis ? { adapter: createAdapter(redis) } : {}) });

  io.use((socket, next) => {
    const { token, opNo, userRoleMenu } = socket.handshake.auth as Record<string, unknown>;
    const bare = text(token);
    if (!bare) return next(new Error('SCM90002'));
    kernel.ports.sessions
      .read(kernel.db, {
        token: bare,
        opNo: text(opNo),
        userRoleMenu: text(userRoleMenu),
        ip: socket.handshake.address,
        userAgent: socket.handshake.headers['user-agent'] ?? '',
        now: kernel.clock.now(),
        allowRestricted: false,
      })
      .then(async ({ staff }) => {
        await socket.join([`user:${staff.userId}`, `session:${staff.sessionId}`]);
        next();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) kernel.log.error({ error }, 'a realtime connection failed');
        next(new Error(error instanceof Refusal ? error.code : 'SCM99999'));
      });
  });

  io.on('connection', (socket) => {
    metrics.sockets.inc();
    socket.on('disconnect', () => metrics.sockets.dec());
    // Pages that were loaded from an older build offer to reload.
    socket.emit('build', { buildId });
  });

  const push = (room: string, topic: string, payload: unknown) => void io.to(room).emit(topic, payload);
  return {
    toUser: (userId, topic, payload) => push(`user:${userId}`, topic, payload),
    toSession: (sessionId, topic, payload) => push(`session:${sessionId}`, topic, payload),
    toAll: (topic, payload) => void io.emit(topic, payload),
    endSession(sessionId, reason) {
      push(`session:${sessionId}`, 'sessionEnded', reason);
      io.in(`session:${sessionId}`).disconnectSockets(true);
    },
    async close() {
      await io.close();
      await redis?.quit();
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
