import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { clientConfig } from '#kernel/server/database/address.ts';
import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import pg from 'pg';
import { atMostRow, type Row } from './table.ts';

const root = path.join(import.meta.dirname, '..');
const GIB = 1024 ** 3;
const ROWS_PER_STEP = 100_000;

/** A command of the product on a data folder. @returns seconds it took. */
function run(command: string, args: readonly string[], dataDir: string, until?: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(root, 'scripts', command), ...args], {
      cwd: root,
      env: { ...process.env, KANGQIAO_DATA_DIR: dataDir, KANGQIAO_MODE: 'demo', PORT: '0' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (until && output.includes(until)) child.kill('SIGINT');
      });
    child.on('close', (code) => (code === 0 ? resolve((performance.now() - began) / 1_000) : reject(new Error(output))));
  });
}

/** Opens the folder's database, as long as `work` takes. */
async function within<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir, log: silentLogger });
  const client = new pg.Client(clientConfig(server.address));
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
    await server.stop();
  }
}

const sizeOf = async (client: pg.Client) =>
  Number((await client.query<{ size: string }>('select pg_database_size(current_database()) as size')).rows[0]!.size);

/** Adds conversations' messages, each with a text that does not compress, until the database has this size. @returns its size. */
async function growTo(client: pg.Client, bytes: number): Promise<number> {
  for (let step = 0; (await sizeOf(client)) < bytes; step += 1)
    await client.query(
      `insert into consultation_im_message (conv_id, seq, sender_id, client_msg_id, type, payload, payload_hash, sent_at)
       select 1000000000 + $1, n, 'bench', 'bench-' || n, 'TIMTextElem',
         jsonb_build_object('text', (select string_agg(md5(random()::text || n || k), '') from generate_series(1, 30) k)), md5(n::text),
         now()
       from generate_series(1, $2) n`,
      [step, ROWS_PER_STEP],
    );
  await client.query('checkpoint');
  return sizeOf(client);
}

/**
 * Backup and restore, by their commands, of the demonstration and of a database of so many GiB (argument, 5). Needs about four times that
 * room.
 */
export async function measureBackup(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-bench-backup-'));
  chmodSync(folder, 0o711);
  const from = path.join(folder, 'data');
  const rows: Row[] = [];
  try {
    await run('serve.ts', [], from, 'is ready');
    for (const [name, bytes] of [
      ['demo', 0],
      ['large', Number(process.argv[3] ?? 5) * GIB],
    ] as const) {
      const size = `${((await within(from, (client) => growTo(client, bytes))) / GIB).toFixed(2)} GiB`;
      const [kept, back] = [path.join(folder, `kept-${name}`), path.join(folder, `back-${name}`)];
      cpSync(path.join(from, 'secrets'), path.join(back, 'secrets'), { recursive: true });
      rows.push(atMostRow(`backup of ${size}`, await run('backup.ts', [kept], from), bytes ? 600 : 30, ' s'));
      rows.push(
        atMostRow(`restore of ${size}, with counts, hashes and chain`, await run('restore.ts', [kept], back), bytes ? 1_200 : 60, ' s'),
      );
      rmSync(back, { recursive: true });
      rmSync(kept, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}
