import { request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createVite, type ViteDevServer } from 'vite';
import { spokenTexts } from '../build/spokenTexts.ts';

const NONCE = 'development';

/** Sources are served under their places in `src`: what a page names beside itself lies beside `src/web`. */
const fromRoot = (html: string) =>
  html.replace(
    /(<script type="module" src=")(\.[^"]+)/g,
    (_, head: string, place: string) => head + new URL(place, 'http://_/web/').pathname,
  );

/** The page's own policy, but for what Vite writes into it and the line over which it is told of changes. */
const withVite = (policy: string) =>
  policy.replace("script-src 'self'", `script-src 'self' 'nonce-${NONCE}'`).replace("connect-src 'none'", "connect-src 'self'");

function forward(backend: string, asked: IncomingMessage, onAnswer: (answer: IncomingMessage) => void, onFault: () => void): void {
  const { hostname, port } = new URL(backend);
  const passed = request({ hostname, port, method: asked.method, path: asked.url, headers: asked.headers }, onAnswer);
  passed.on('error', onFault);
  passed.on('upgrade', onAnswer);
  asked.pipe(passed);
}

/** What the server answers; its pages with Vite's part in them. */
function answer(vite: ViteDevServer, answered: IncomingMessage, asked: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502, headers } = answered;
  if (!headers['content-type']?.startsWith('text/html') || asked.method !== 'GET') {
    response.writeHead(statusCode, headers);
    answered.pipe(response);
    return;
  }
  const chunks: Buffer[] = [];
  answered.on('data', (chunk: Buffer) => void chunks.push(chunk));
  answered.on('end', () => {
    const page = fromRoot(Buffer.concat(chunks).toString('utf8'));
    vite.transformIndexHtml('/web/index.html', page).then(
      (html) => {
        const policy = withVite(String(headers['content-security-policy'] ?? ''));
        const body = Buffer.from(html);
        response.writeHead(statusCode, { ...headers, 'content-security-policy': policy, 'content-length': body.length }).end(body);
      },
      (error: unknown) => response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error)),
    );
  });
}

const AWAY = { code: 'SCM99999', message: '开发服务器未能启动，请查看控制台', data: null };

/**
 * One address for both halves: sources of the browser part by Vite with its exchange of changed modules, everything else by the server,
 * for which a request waits while it starts again.
 */
export async function openFrontDoor(root: string, server: Server, backend: () => Promise<string | null>): Promise<ViteDevServer> {
  const vite = await createVite({
    configFile: path.join(root, 'vite.config.ts'),
    root: path.join(root, 'src'),
    publicDir: path.join(root, 'src/web/public'),
    cacheDir: path.join(root, 'node_modules/.vite/dev'),
    appType: 'custom',
    clearScreen: false,
    html: { cspNonce: NONCE },
    optimizeDeps: { entries: ['web/*.html'], rolldownOptions: { plugins: [spokenTexts()] } },
    server: { middlewareMode: { server }, hmr: { server }, cors: false },
  });
  const refuse = (response: ServerResponse) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(503, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(AWAY));
  };
  server.on('request', (asked: IncomingMessage, response: ServerResponse) => {
    vite.middlewares(asked, response, () => {
      void backend().then((address) => {
        if (address)
          forward(
            address,
            asked,
            (answered) => answer(vite, answered, asked, response),
            () => refuse(response),
          );
        else refuse(response);
      });
    });
  });
  server.on('upgrade', (asked: IncomingMessage, socket: Duplex) => {
    // Vite hears its own.
    if (asked.headers['sec-websocket-protocol']?.startsWith('vite-')) return;
    void backend().then((address) => {
      if (!address) return socket.destroy();
      const { hostname, port } = new URL(address);
      const passed = request({ hostname, port, path: asked.url, headers: asked.headers });
      passed.on('error', () => socket.destroy());
      passed.on('response', () => socket.destroy());
      passed.on('upgrade', ({ rawHeaders, statusCode, statusMessage }, line: Duplex, head) => {
        const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
        socket.write([`HTTP/1.1 ${statusCode} ${statusMessage}`, ...pairs, '', ''].join('\r\n'));
        if (head.length > 0) socket.write(head);
        for (const [one, other] of [
          [line, socket],
          [socket, line],
        ] as const) {
          one.pipe(other);
          one.on('error', () => other.destroy());
          one.on('close', () => other.destroy());
        }
      });
      passed.end();
    });
  });
  return vite;
}
