import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

/** What a life of the server says when it listens. */
interface Told {
  address: string;
  welcome: string;
}

const isTold = (message: unknown): message is Told => typeof message === 'object' && message !== null && 'address' in message;

export interface Backend {
  /** Where the server listens, once it does; null when it ended instead, and then until its sources change. */
  address(): Promise<string | null>;
  /** Ends it and starts it on the sources as they are now. */
  restart(): void;
  stop(): Promise<void>;
}

export interface BackendOptions {
  env: NodeJS.ProcessEnv;
  /** Folder of the pages, and the address under which people reach them. */
  words: readonly [folder: string, address: string];
  onReady(told: Told, seconds: number): void;
}

/** Keeps one server running; the next one reads its modules while the one before goes. */
export function keepBackend({ env, words, onReady }: BackendOptions): Backend {
  let child: ChildProcess | null = null;
  let listening: Promise<string | null> = Promise.resolve(null);

  const end = (one: ChildProcess | null) =>
    new Promise<void>((resolve) => {
      if (!one || one.exitCode !== null || one.signalCode !== null) return resolve();
      one.once('exit', () => resolve());
      one.kill('SIGTERM');
    });

  const restart = () => {
    void end(child);
    const began = performance.now();
    const next = spawn(process.execPath, [path.join(root, 'scripts/dev/server.ts'), ...words], {
      cwd: root,
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = next;
    listening = new Promise((resolve) => {
      next.once('exit', () => resolve(null));
      next.on('message', (message) => {
        if (!isTold(message)) return;
        resolve(message.address);
        onReady(message, (performance.now() - began) / 1000);
      });
    });
  };

  return {
    async address() {
      // A request that waits for one life may be answered by the next.
      for (;;) {
        const asked = listening;
        const found = await asked;
        if (asked === listening) return found;
      }
    },
    restart,
    stop: () => end(child),
  };
}
