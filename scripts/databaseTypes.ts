import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { connectOwner, migrate } from '#kernel/server/database/migrator.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import { generateTableTypes } from './databaseTypes/generate.ts';

// npm run db:types: migrates a scratch database and writes the table types; with --check only compares.
const root = path.join(import.meta.dirname, '..');
const check = process.argv.includes('--check');
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-types-'));
chmodSync(dataDir, 0o711);
const server = await startEmbedded({ dataDir, log: silentLogger, settings: { fsync: 'off' } });
let stale = 0;
try {
  await migrate(server.address, new Date().toISOString());
  const client = await connectOwner(server.address);
  for (const [file, text] of await generateTableTypes(client)) {
    const full = path.join(root, file);
    if (existsSync(full) && readFileSync(full, 'utf8') === text) continue;
    stale++;
    console.log(`${check ? 'stale' : 'written'}: ${file}`);
    if (check) continue;
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
  await client.end();
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
if (stale === 0) console.log('The table types match the migrations.');
else if (check) {
  console.log('Run npm run db:types.');
  process.exitCode = 1;
}
