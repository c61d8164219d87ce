import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { withDatabase, type DatabaseAddress } from '#kernel/server/database/address.ts';
import type { SecondConnection } from '#kernel/server/database/heldConnection.ts';
import { connectOwner } from '#kernel/server/database/migrator.ts';
import { createDb, type DbPool } from '#kernel/server/database/pool.ts';
import { noteStatement } from '#kernel/server/http/statements.ts';
import { silentLogger } from '#kernel/server/logger.ts';

export interface TestDatabase extends DbPool {
  /** Enters it as the owner; `createDb(address, …)` enters it as the application. */
  address: DatabaseAddress;
  /** Runs statements as the owner, for what the application's role may not do. */
  asOwner(statements: string): Promise<void>;
}

export const templateName = (template: DatabaseAddress): string =>
  'url' in template ? new URL(template.url).pathname.slice(1) : template.database;

/** A database of its own for a test file, cloned from the run's template or the one named; `close()` drops it. */
export async function createTestDatabase(options: { max?: number; template?: string } = {}): Promise<TestDatabase> {
  const template = inject('templateAddress');
  const name = `kq_${process.pid}_${randomBytes(4).toString('hex')}`;
  const maintenance = withDatabase(template, 'postgres');
  const owner = await connectOwner(maintenance);
  try {
    // Copies the files instead of logging each of their blocks.
    await owner.query(`create database ${name} template ${options.template ?? templateName(template)} strategy file_copy`);
  } finally {
    await owner.end();
  }
  const entered = enterDatabase(withDatabase(template, name), options.max ?? 20);
  return {
    ...entered,
    async close() {
      try {
        await entered.close();
      } finally {
        const client = await connectOwner(maintenance);
        await client.query(`drop database if exists ${name} with (force)`).finally(() => client.end());
      }
    },
  };
}

/**
 * A database that is there already, entered as a process of the product enters it; closing leaves the database, and fails where a
 * transaction asked for a second connection, which it did not get.
 */
export function enterDatabase(address: DatabaseAddress, max = 10): TestDatabase {
  const refused: SecondConnection[] = [];
  const entered = createDb(address, {
    log: silentLogger,
    max,
    onStatement: noteStatement,
    onSecondConnection(error) {
      refused.push(error);
      throw error;
    },
  });
  return {
    ...entered,
    address,
    async close() {
      await entered.close();
      const [first] = refused;
      if (first) throw first;
    },
    async asOwner(statements) {
      const client = await connectOwner(address);
      try {
        await client.query(statements);
      } finally {
        await client.end();
      }
    },
  };
}
