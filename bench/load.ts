import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Shot {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  /** Made anew for each request, so that writes differ. */
  body?: (n: number) => unknown;
}

export interface Load {
  /** Sends for `ms` with eight connections. @returns requests per second. */
  throughput(shot: Shot, ms: number): Promise<number>;
  /** Sends `count` requests of each one after another, in turns, so that a drifting machine moves both. @returns median latencies in ms. */
  latencies(one: Shot, other: Shot, count: number): Promise<[number, number]>;
  /** Sends a shot every `everyMs` while `until` is pending. @returns the latencies in ms. */
  paced(shots: readonly Shot[], everyMs: number, until: Promise<unknown>): Promise<number[]>;
  once(shot: Shot): Promise<unknown>;
  /** Bytes as they are, as an upload sends them. */
  put(path: string, bytes: Buffer, contentType: string): Promise<void>;
  /** The bytes of an answer that is a file. */
  file(shot: Shot): Promise<Buffer>;
  close(): void;
}

const CONNECTIONS = 8;

/** Loopback load with kept-alive connections; an answer that is no success ends the measurement. */
export function openLoad(port: number): Load {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let n = 0;

  const send = (shot: Shot) =>
    new Promise<string>((resolve, reject) => {
      n += 1;
      const payload = shot.method === 'POST' ? JSON.stringify(shot.body?.(n) ?? {}) : undefined;
      const request = http.request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method: shot.method,
          path: shot.path,
          headers: {
            ...shot.headers,
            ...(payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => resolve(Buffer.concat(chunks).toString()));
        },
      );
      request.on('error', reject);
      request.end(payload);
    });

  const checked = async (shot: Shot) => {
    const text = await send(shot);
    if (!text.includes('"0000000"')) throw new Error(`${shot.path} answered ${text.slice(0, 300)}`);
    return text;
  };

  return {
    async throughput(shot, ms) {
      const began = performance.now();
      let done = 0;
      const connection = async () => {
        while (performance.now() - began < ms) {
          await checked(shot);
          done += 1;
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, connection));
      return (done * 1000) / (performance.now() - began);
    },
    async latencies(one, other, count) {
      const timed = async (shot: Shot) => {
        const began = performance.now();
        await checked(shot);
        return performance.now() - began;
      };
      const times: [number[], number[]] = [[], []];
      for (let sent = 0; sent < count; sent += 1) {
        times[0].push(await timed(one));
        times[1].push(await timed(other));
      }
      return [median(times[0]), median(times[1])];
    },
    async paced(shots, everyMs, until) {
      const times: number[] = [];
      const flying: Promise<void>[] = [];
      let over = false;
      void until.finally(() => (over = true)).catch(() => {});
      for (let sent = 0; !over; sent += 1) {
        const began = performance.now();
        flying.push(checked(shots[sent % shots.length]!).then(() => void times.push(performance.now() - began)));
        await pause(everyMs);
      }
      await Promise.all(flying);
      return times;
    },
    async put(path, bytes, contentType) {
      const { status } = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'PUT',
        body: new Uint8Array(bytes),
        headers: { 'content-type': contentType },
      });
      if (status >= 300) throw new Error(`${path} answered ${status}`);
    },
    async file(shot) {
      const answer = await fetch(`http://127.0.0.1:${port}${shot.path}`, {
        method: shot.method,
        body: JSON.stringify(shot.body?.(0) ?? {}),
        headers: { ...shot.headers, 'content-type': 'application/json' },
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.headers.get('content-type')?.startsWith('application/json'))
        throw new Error(`${shot.path} answered ${bytes.toString().slice(0, 300)}`);
      return bytes;
    },
    once: async (shot) => JSON.parse(await checked(shot)) as unknown,
    close: () => agent.destroy(),
  };
}

/** @param share 0.99 for the slowest hundredth */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
