import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { platformErrors } from '../../contract/errors.ts';
import type { Config } from '../config/config.ts';
import { makeAssets } from './assets.ts';

const CONFIG_PLACE = /<script type="application\/json" id="kangqiao-config">[\s\S]*?<\/script>/;

/**
 * The frame in which pages of definitions are shown: its scripts are ours and the renderer's, they reach no network and run no text.
 * Whatever
 * it wants of the server it asks of the page around it.
 */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Pages with a root of their own, for people who are no staff: they carry neither shell nor session. */
const ENTRIES: Readonly<Record<string, { file: string; policy?: string }>> = {
  '/wx/consult': { file: 'wx.html' },
  '/wx/form': { file: 'form.html' },
  '/amis/frame.html': { file: 'frame.html', policy: FRAME_POLICY },
};

/** No file name is longer, and no page's address. */
const LONGEST = 250;

export interface BrowserBuild {
  /** Output of the build. */
  folder: string;
  /** Changes with every build, so that open pages can offer to reload. */
  buildId: string;
}

/** What the browser needs to know of the configuration; written into index.html. */
const browserConfig = (config: Config, buildId: string) => ({
  prefixes: config.prefixes,
  productRewrite: config.productRewrite,
  appOpenUrl: config.appOpenUrl,
  buildId,
  mode: config.mode,
});

/**
 * Serves the built browser part: assets for ever, index.html for every page address but those with a root of their own. Without one (API
 * tests)
 * every address that is no call is an unknown call.
 */
export function registerBrowser(app: FastifyInstance, config: Config, browser: BrowserBuild | null): void {
  const indexFile = browser && path.join(browser.folder, 'index.html');
  if (!indexFile || !existsSync(indexFile)) {
    app.setNotFoundHandler((request, reply) => unknownCall(app, request, reply));
    return;
  }
  const json = JSON.stringify(browserConfig(config, browser.buildId)).replaceAll('<', String.raw`\u003c`);
  // Read again when the folder was built anew under a running server, whose old assets are gone then.
  const reader = (file: string) => {
    let read = { at: 0, html: '' };
    return () => {
      const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? read.at;
      if (at !== read.at) {
        const html = readFileSync(file, 'utf8');
        read = { at, html: html.replace(CONFIG_PLACE, () => `<script type="application/json" id="kangqiao-config">${json}</script>`) };
      }
      return read.html;
    };
  };
  const index = reader(indexFile);
  const entries = new Map(
    Object.entries(ENTRIES).map(([place, { file, policy }]) => [place, { read: reader(path.join(browser.folder, file)), policy }]),
  );
  const sendAsset = makeAssets(browser.folder);
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: (request, reply) => (sendAsset(request, reply) ? reply : reply.callNotFound()),
  });
  app.setNotFoundHandler((request, reply) => {
    if (isRead(request) && isOrdinary(request.url) && wantsPage(request.url, request.headers.accept, Object.values(config.prefixes))) {
      const entry = entries.get(request.url.split('?')[0] ?? '');
      if (entry?.policy) reply.header('Content-Security-Policy', entry.policy);
      return reply
        .header('Cache-Control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send((entry?.read ?? index)());
    }
    return unknownCall(app, request, reply);
  });
}

/** A browser's navigation, or a client that takes anything (monitors, curl) on an address that is neither file nor call. */
export function wantsPage(url: string, accept: string | undefined, prefixes: readonly string[]): boolean {
  if (accept?.includes('text/html')) return true;
  if (accept !== undefined && !accept.includes('*/*')) return false;
  const [place = '/'] = url.split('?');
  return path.posix.extname(place) === '' && !prefixes.some((prefix) => place === prefix || place.startsWith(`${prefix}/`));
}

/** No page and no file has an address with empty or dotted parts, a host, or signs that the file system reads in its own way. */
function isOrdinary(url: string): boolean {
  const [place = ''] = url.split('?');
  try {
    return /^\/(?!\/)/.test(place) && !/\/\/|\\|\0|(^|\/)\.\.?(\/|$)/.test(decodeURIComponent(place)) && place.length <= LONGEST;
  } catch {
    return false;
  }
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

const METHODS = ['GET', 'POST', 'PUT'] as const;

/** A call's address with another method is a malformed request; any other address is no call at all. */
function unknownCall(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const [url = '/'] = request.url.split('?');
  const known = METHODS.find((method) => method !== request.method && app.hasRoute({ method, url }));
  const refusal = known
    ? { code: platformErrors.MALFORMED.code, message: `请求方式不正确，应为${known}` }
    : { code: platformErrors.NOT_FOUND.code, message: '接口不存在，请刷新页面后重试' };
  return reply.status(400).send({ ...refusal, data: null });
}
