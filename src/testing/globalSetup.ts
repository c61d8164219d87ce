import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { withDatabase, type DatabaseAddress } from '#kernel/server/database/address.ts';
import { startEmbedded, stopAbandoned } from '#kernel/server/database/embedded/embedded.ts';
import { connectOwner } from '#kernel/server/database/migrator.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import { prepareTemplate } from './prepareTemplate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Server on which test databases are cloned, entered through its template's name. */
    templateAddress: DatabaseAddress;
    /** Files that the workers of this run share. */
    sharedFolder: string;
  }
}

/** The clock of every test application begins here. */
export const TEST_NOW = '2026-11-21T02:00:00.000Z';
const TEMPLATE = 'kangqiao_template';
const FOLDER = 'kangqiao-test-';
/** Throw-away data: a crash of the machine may take it. */
const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  max_wal_size: '2GB',
  // Nobody follows this server: it logs no more than it needs itself.
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
};

/** Runs that were killed leave a server and its folder behind. */
async function clearAbandoned(): Promise<void> {
  for (const name of readdirSync(os.tmpdir()).filter((one) => one.startsWith(FOLDER))) {
    const folder = path.join(os.tmpdir(), name);
    try {
      await stopAbandoned(folder);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // in use by another run, or another user's
    }
  }
}

async function openServer(): Promise<{ address: DatabaseAddress; close(): Promise<void> }> {
  const url = process.env['KANGQIAO_TEST_DATABASE_URL'];
  if (url) return { address: { url }, close: async () => {} };
  await clearAbandoned();
  const dataDir = mkdtempSync(path.join(os.tmpdir(), FOLDER));
  chmodSync(dataDir, 0o711);
  const server = await startEmbedded({ dataDir, log: silentLogger, settings: THROW_AWAY });
  return {
    address: server.address,
    async close() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** One server and one migrated template database per run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer();
  const name = `${TEMPLATE}_${process.pid}`;
  const owner = await connectOwner(server.address);
  await owner.query(`drop database if exists ${name} with (force)`);
  await owner.query(`create database ${name} encoding 'UTF8' template template0`);
  const template = withDatabase(server.address, name);
  await prepareTemplate(template, TEST_NOW);
  const sharedFolder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-shared-'));
  project.provide('templateAddress', template);
  project.provide('sharedFolder', sharedFolder);
  return async () => {
    const { rows } = await owner.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [name]);
    for (const { datname } of rows) await owner.query(`drop database if exists ${datname} with (force)`);
    await owner.end();
    await server.close();
    rmSync(sharedFolder, { recursive: true, force: true });
  };
}
