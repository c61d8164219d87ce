import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientConfig } from '#kernel/server/database/address.ts';
import { runningAddress } from '#kernel/server/database/embedded/embedded.ts';
import type { Row } from './table.ts';

/** A whole minute: jobs that run each minute stand in it once, never twice. */
const SECONDS = 60;
const TIMES = 3;
/** What a start leaves to do, and connections that it opened and nobody uses, are gone then. */
const SETTLE_MS = 45_000;
/** Linux counts a process's time in hundredths of a second. */
const TICKS = 100;

/** Seconds of processor that a process has used. @throws outside Linux */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

interface Seen {
  transactions: number;
  connections: number;
  cpu: number;
  at: number;
}

/**
 * What a node costs while nobody is signed in: the product as in production on an empty database of its own, `TIMES` times `SECONDS`
 * seconds; the worst of them counts. The measuring client's own transactions are taken off.
 */
export async function measureRest(): Promise<Row[]> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-rest-'));
  chmodSync(dataDir, 0o711);
  const program = spawn(process.execPath, [path.join(import.meta.dirname, '../scripts/serve.ts')], {
    env: {
      ...process.env,
      KANGQIAO_DATA_DIR: dataDir,
      KANGQIAO_MODE: 'production',
      KANGQIAO_PUBLIC_ORIGIN: 'https://admin.example.com',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit');
  try {
    let output = '';
    for await (const chunk of program.stdout) {
      output += String(chunk);
      if (output.includes('Ctrl+C stops it')) break;
    }
    const address = runningAddress(dataDir);
    if (!address) throw new Error(`The product did not start:\n${output}`);
    const client = new pg.Client(clientConfig(address));
    await client.connect();
    const look = async (): Promise<Seen> => {
      const { rows } = await client.query<{ transactions: number; connections: number }>(
        `select (select sum(xact_commit + xact_rollback)::int from pg_stat_database) as transactions,
                (select count(*)::int from pg_stat_activity
                  where backend_type = 'client backend' and pid <> pg_backend_pid()) as connections`,
      );
      return { ...rows[0]!, cpu: cpuOf(program), at: performance.now() };
    };
    await sleep(SETTLE_MS);
    const times: { perSecond: number; share: number; connections: number }[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const before = await look();
      await sleep(SECONDS * 1000);
      const after = await look();
      const seconds = (after.at - before.at) / 1000;
      times.push({
        perSecond: (after.transactions - before.transactions - 1) / seconds,
        share: (after.cpu - before.cpu) / seconds,
        connections: after.connections,
      });
    }
    await client.end();
    const worst = (of: keyof (typeof times)[number]) => Math.max(...times.map((one) => one[of]));
    const row = (what: string, value: number, goal: number, unit: string): Row => ({
      what: `at rest: ${what}`,
      measured: `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`.trim(),
      goal: `<= ${goal} ${unit}`.trim(),
      held: value <= goal,
    });
    return [
      row('transactions', worst('perSecond'), 5, '/s'),
      row('processor of the program', worst('share') * 100, 1, '% of a core'),
      row('connections', worst('connections'), 3, ''),
    ];
  } finally {
    program.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}
