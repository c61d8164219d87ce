import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request of ours, as the vendor's server saw it. */
interface Asked {
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
}
type Answer = Record<string, unknown> | 'HTTP_502';

/** The vendor's server interface on loopback, answering from a script; what is not scripted succeeds. */
export interface VendorServer {
  url: string;
  asked: Asked[];
  /** Bodies of the requests to one path, oldest first; empties them. */
  take(path: string): Record<string, unknown>[];
  /** Answers of the next requests to a path; the last one stays when `always`. */
  script(path: string, ...answers: Answer[]): void;
  /** Answers every request to a path. */
  serve(path: string, answer: (body: Record<string, unknown>) => Answer): void;
  close(): Promise<void>;
}

const OK = { ActionStatus: 'OK', ErrorCode: 0, ErrorInfo: '' };

export async function startVendorServer(): Promise<VendorServer> {
  const asked: Asked[] = [];
  const scripts = new Map<string, Answer[]>();
  const served = new Map<string, (body: Record<string, unknown>) => Answer>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://vendor');
      const path = url.pathname.replace(/^\/v4\//, '');
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      asked.push({ path, query: Object.fromEntries(url.searchParams), body });
      const answer = scripts.get(path)?.shift() ?? served.get(path)?.(body) ?? {};
      if (answer === 'HTTP_502') response.writeHead(502).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...OK, ...answer }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    take(path) {
      const found = asked.filter((one) => one.path === path).map(({ body }) => body);
      for (let place = asked.length - 1; place >= 0; place -= 1) if (asked[place]!.path === path) asked.splice(place, 1);
      return found;
    },
    script: (path, ...answers) => void scripts.set(path, answers),
    serve: (path, answer) => void served.set(path, answer),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
