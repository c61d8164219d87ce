import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Registry } from 'prom-client';
import type { Call } from '../../contract/call.ts';
import type { Kernel } from '../kernel.ts';
import { openApiOf } from './openapi.ts';

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;
const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whoever shows the token, or asks from this machine itself and not through a proxy on it. */
function mayRead({ headers, socket }: FastifyRequest, token: string | null): boolean {
  const shown = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  if (token !== null && shown !== undefined && timingSafeEqual(digest(shown), digest(token))) return true;
  return LOOPBACK.test(socket.remoteAddress ?? '') && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

interface Scraped {
  registry: Registry;
  /** Brings what is asked for by the scrape alone up to date; never waits long. */
  upToDate(): Promise<void>;
}

/** `/healthz` (the process lives), `/readyz` (database and migrations), `/metrics`, `/openapi.json` outside production. */
export function registerHealth(app: FastifyInstance, kernel: Kernel, metrics: Scraped, calls: readonly Call[]): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    try {
      const { rows } = await sql<{ migrations: number }>`select count(*)::int as migrations from kernel_migration`.execute(kernel.db);
      return { status: 'ready', migrations: rows[0]!.migrations };
    } catch (error) {
      kernel.log.warn({ error }, 'not ready');
      return reply.status(503).send({ status: 'not ready' });
    }
  });

  app.get('/metrics', async (request, reply) => {
    if (kernel.config.mode === 'production' && !mayRead(request, kernel.config.metricsToken)) return reply.status(404).send('');
    await metrics.upToDate();
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });

  if (kernel.config.mode !== 'production') {
    app.get('/openapi.json', async () => openApiOf(calls, kernel.config.prefixes));
  }
}
