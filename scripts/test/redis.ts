import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './systemPostgres.ts';

export interface RedisServer {
  url: string;
  /** Lets it be away for so long; null for one that somebody else runs. */
  away: ((ms: number) => Promise<void>) | null;
  close(): Promise<void>;
}

const TRIES = 100;
const PAUSE_MS = 100;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (up: boolean) => {
      socket.destroy();
      resolve(up);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });

/** One process of the server; `null` where it ended before it listened. */
async function launch(port: number, folder: string): Promise<{ end(): Promise<void> } | null> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = spawn('redis-server', settings, { stdio: 'ignore' });
  let gone = false;
  const ended = new Promise<void>((resolve) => {
    const leave = () => {
      gone = true;
      resolve();
    };
    child.once('error', leave).once('exit', leave);
  });
  const end = async () => {
    child.kill();
    await ended;
  };
  for (let n = 0; n < TRIES && !gone; n += 1) {
    if (await isListening(port)) return { end };
    await pause(PAUSE_MS);
  }
  await end();
  return null;
}

/** The Redis of `REDIS_URL`, else one of its own that keeps nothing; null where the machine has no `redis-server`. */
export async function startRedis(): Promise<RedisServer | null> {
  const given = process.env['REDIS_URL'];
  if (given) return { url: given, away: null, close: () => Promise.resolve() };
  const port = await freePort();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-redis-'));
  let running = await launch(port, folder);
  const close = async () => {
    await running?.end();
    rmSync(folder, { recursive: true, force: true });
  };
  if (running === null) {
    await close();
    return null;
  }
  const away = async (ms: number) => {
    await running?.end();
    await pause(ms);
    running = await launch(port, folder);
  };
  return { url: `redis://127.0.0.1:${port}`, away, close };
}
