import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

/** Where the vendor's chat and rooms connect to, as he lists it for firewalls; only pages of a deployment in his mode may. */
const VENDOR_HOSTS = [
  '*.im.qcloud.com',
  '*.tim.qq.com',
  '*.im.tencent.cn',
  '*.my-imcloud.com',
  '*.my-cpaas.com',
  '*.rtc.qcloud.com',
  '*.rtc.qq.com',
  '*.cloud-rtc.com',
  '*.cloud-rtc.net',
  '*.rtc-web.com',
  '*.rtc-web.io',
];

type PolicyConfig = Pick<Config, 's3' | 'tencentIm'>;

/** What a page of ours may load and reach. `'self'` covers the sockets of the same host; bytes go to the object store, and come from us. */
export function pagePolicy({ s3, tencentIm }: PolicyConfig): string {
  const connect = [
    "'self'",
    ...(s3 ? [new URL(s3.endpoint).origin] : []),
    ...(tencentIm ? VENDOR_HOSTS.flatMap((host) => [`https://${host}`, `wss://${host}`]) : []),
  ];
  return [
    "default-src 'self'",
    "script-src 'self'",
    // Components write their styles as elements.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    `worker-src 'self'${tencentIm ? ' blob:' : ''}`,
    `connect-src ${connect.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
}

/** An answer that is no page: shown by itself it may do nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** What every answer carries, whoever gives it; a route may say something stricter of its own. */
export const protectiveHeaders = (config: PolicyConfig) => {
  const page = pagePolicy(config);
  return (contentType: string): Record<string, string> => ({
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'same-origin',
    'Content-Security-Policy': contentType.startsWith('application/json') ? DATA_POLICY : page,
  });
};

/** One hook for all routes: calls, files, pages, refusals, what nobody serves. */
export function registerHeaders(app: FastifyInstance, config: PolicyConfig): void {
  const headersFor = protectiveHeaders(config);
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(headersFor(String(reply.getHeader('content-type') ?? '')))) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
  });
}
