import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './systemPostgres.ts';

export interface RedisServer {
  url: string;
  close(): Promise<void>;
}

const TRIES = 100;
const PAUSE_MS = 100;

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (up: boolean) => {
      socket.destroy();
      resolve(up);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });

/** The Redis of `REDIS_URL`, else one of its own that keeps nothing; null where the machine has no `redis-server`. */
export async function startRedis(): Promise<RedisServer | null> {
  const given = process.env['REDIS_URL'];
  if (given) return { url: given, close: () => Promise.resolve() };
  const port = await freePort();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-redis-'));
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    { stdio: 'ignore' },
  );
  let gone = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      gone = true;
      resolve();
    };
    child.once('error', end).once('exit', end);
  });
  const close = async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let n = 0; n < TRIES && !gone; n += 1) {
    if (await isListening(port)) return { url: `redis://127.0.0.1:${port}`, close };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await close();
  return null;
}
