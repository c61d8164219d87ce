import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { platformErrors, refuseField, type Refusal } from '../../contract/errors.ts';
import type { Config } from '../config/config.ts';
import type { Handler } from '../handler.ts';
import { refusalOf, statusOf } from './answer.ts';
import { MOST_LEVELS, MOST_VALUES, overgrown } from './depth.ts';
import { protectiveHeaders, registerHeaders } from './headers.ts';
import { refuseConnection } from './refuseConnection.ts';
import type { Metrics } from './metrics.ts';
import { handleRequest, type Pipeline } from './pipeline.ts';
import { sentInput } from './sentInput.ts';

const BODY_LIMIT = 2 * 1024 * 1024;
/** Of calls that anybody makes: none of them takes more than a few fields. */
const PUBLIC_BODY_LIMIT = 64 * 1024;
const shownSize = (bytes: number) => (bytes < 1024 * 1024 ? `${bytes / 1024}KB` : `${bytes / 1024 / 1024}MB`);

const OVERGROWN = { DEEP: `请求内容的层级过深，最多${MOST_LEVELS}层`, MANY: `请求内容过多，最多${MOST_VALUES}项` } as const;

declare module 'fastify' {
  interface FastifyRequest {
    rawBody?: Buffer;
  }
}

/** On one deployment domain the product calls lie under another path segment (specification section 7). */
function rewriteProduct(config: Config, host: string | undefined, url: string): string {
  const rewrite = config.productRewrite;
  if (!rewrite || host?.split(':')[0] !== rewrite.host) return url;
  const from = `/${rewrite.segment}/`;
  return url.startsWith(from) ? `${config.prefixes.product}/${url.slice(from.length)}` : url;
}

/** `?a=1` as it was sent, or nothing. */
const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** Headers in lower case, one value each. */
function headersOf({ headers }: FastifyRequest): Record<string, string | undefined> {
  const single: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    single[name] = Array.isArray(value) ? value[0] : value;
  }
  return single;
}

/** What the server and its plugins throw of a request that no call has seen, as a refusal; null where it is our own fault. */
function callersFault(error: unknown, bodyLimit = BODY_LIMIT): Refusal | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? error.code : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuseField('body', `请求内容超过${shownSize(bodyLimit)}`);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refuseField('Content-Type', '请求内容须为JSON');
  const status = ['statusCode', 'status'].map((name) => Number(Reflect.get(error, name))).find((one) => one >= 400);
  return status !== undefined && status < 500 ? refuseField('url', '请求地址或格式不正确') : null;
}

async function sendFile(reply: FastifyReply, file: { name: string; contentType: string; body: unknown; rowCount: number | undefined }) {
  reply
    .header('Content-Type', file.contentType)
    .header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
    .header('Cache-Control', 'private, no-store');
  if (file.rowCount !== undefined) reply.header('X-Row-Count', String(file.rowCount));
  return reply.send(file.body);
}

/** The HTTP server with one route per registered call. */
export function makeHttp(pipeline: Pipeline, handlers: readonly Handler[], metrics: Metrics): FastifyInstance {
  const { kernel } = pipeline;
  const { config } = kernel;
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    logger: false,
    // A stop answers what is under way; a connection that only waits is closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { maxParamLength: 500 },
    // Raised before any hook: the router itself does not understand the address.
    frameworkErrors(error, _request, reply) {
      const body = Buffer.from(JSON.stringify(refusalOf(callersFault(error) ?? error, '')));
      const type = 'application/json; charset=utf-8';
      reply.raw.writeHead(400, { 'Content-Type': type, 'Content-Length': body.length, ...protectiveHeaders(config)(type) }).end(body);
      reply.hijack();
    },
    clientErrorHandler: refuseConnection(config),
    rewriteUrl: (request) => rewriteProduct(config, request.headers.host, request.url ?? '/'),
  });

  registerHeaders(app, config);
  let closing = false;
  app.addHook('preClose', async () => void (closing = true));
  // A connection that was busy when the stop began would wait for a next request, and the stop for it.
  app.addHook('onSend', async (_request, reply) => void (closing && reply.header('Connection', 'close')));
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer;
    if (request.rawBody.length === 0) return done(null, {});
    const fault = overgrown(request.rawBody);
    if (fault) return done(refuseField('body', OVERGROWN[fault]));
    try {
      done(null, JSON.parse(request.rawBody.toString('utf8')));
    } catch {
      done(refuseField('body', '请求内容不是有效的JSON'));
    }
  });

  app.setErrorHandler((error, request, reply) => {
    const envelope = refusalOf(callersFault(error, request.routeOptions.bodyLimit) ?? error, '');
    if (envelope.code === platformErrors.INTERNAL.code) kernel.log.error({ error }, 'a request failed outside any call');
    void reply.status(400).send(envelope);
  });

  for (const handler of handlers) {
    const { call } = handler;
    app.route({
      method: call.method,
      url: `${config.prefixes[call.host]}/${call.name}`,
      bodyLimit: call.access.kind === 'public' ? PUBLIC_BODY_LIMIT : BODY_LIMIT,
      handler: async (request, reply) => {
        const startedAt = performance.now();
        const headers = headersOf(request);
        const answer = await handleRequest(pipeline, handler, {
          method: call.method,
          url: `/${call.path}${queryOf(request.url)}`,
          headers,
          rawBody: request.rawBody ?? Buffer.alloc(0),
          ip: request.ip,
          now: kernel.clock.now(),
          body: sentInput(call, request),
          referer: headers['referer'],
          setHeader: (name, value) => void reply.header(name, value),
        });
        metrics.observe(call.name, answer.envelope?.code ?? '0000000', (performance.now() - startedAt) / 1000);
        if (answer.file) return sendFile(reply, answer.file);
        return (
          reply
            .status(statusOf(answer.envelope))
            .header('Cache-Control', 'no-store')
            .type('application/json; charset=utf-8')
            // As bytes: the server would measure a text, then write it more slowly.
            .send(Buffer.from(JSON.stringify(answer.envelope)))
        );
      },
    });
  }
  return app;
}
