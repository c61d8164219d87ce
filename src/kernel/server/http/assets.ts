import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What the build is made of. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Compressed forms that the build lays beside a file, the smaller one first. */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

interface Body {
  bytes: Buffer;
  etag: string;
}

const takes = (header: string | undefined, encoding: string): boolean =>
  (header ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    return name === encoding && !parameters.some((one) => /^q=0(\.0*)?$/.test(one));
  });

const isSame = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag);

/**
 * Answers the files of a build from memory: a page asks for a hundred and more of them at once, and they never change. Each is read when it
 * is first asked for. Addresses are compared with the list of the files there are, so none leads out of the folder.
 * @returns whether the address is a file of the build; then it has been answered
 */
export function makeAssets(folder: string): (request: FastifyRequest, reply: FastifyReply) => boolean {
  let build = { at: -1, files: new Set<string>(), bodies: new Map<string, Body>() };

  /** Made anew when the folder was built anew under a running server, whose old assets are gone then. */
  const current = () => {
    const at = statSync(path.join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? build.at;
    if (at !== build.at) {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `/${file.split(path.sep).join('/')}`);
      build = { at, files: new Set(files), bodies: new Map() };
    }
    return build;
  };

  const read = (file: string): Body => {
    const known = build.bodies.get(file);
    if (known) return known;
    const bytes = readFileSync(path.join(folder, file));
    const body = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
    build.bodies.set(file, body);
    return body;
  };

  return (request, reply) => {
    const [place = ''] = request.url.split('?');
    const type = TYPES[path.posix.extname(place)];
    const { files } = current();
    if (!type || place.includes('/.') || !files.has(place)) return false;
    const encoding = ENCODINGS.find(({ name, ending }) => files.has(place + ending) && takes(request.headers['accept-encoding'], name));
    const { bytes, etag } = read(place + (encoding?.ending ?? ''));
    reply
      .header('Cache-Control', place.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('Vary', 'accept-encoding')
      .header('ETag', etag);
    if (isSame(request.headers['if-none-match'], etag)) {
      reply.status(304).send();
      return true;
    }
    if (encoding) reply.header('Content-Encoding', encoding.name);
    reply.type(type).send(bytes);
    return true;
  };
}
