import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';
import type { Instant } from '#kernel/contract/time.ts';
import { withDatabase } from '#kernel/server/database/address.ts';
import { connectOwner } from '#kernel/server/database/migrator.ts';
import type { Look } from './look.ts';
import { writeDemonstration } from './prepareTemplate.ts';
import { templateName } from './testDatabase.ts';

export interface DemoTemplate {
  /** Database to clone. */
  database: string;
  /** Data folder to copy: the demonstration's files. */
  dataDir: string;
  /** The database before the first domain's demonstration and after each of them, in their order. */
  looks: readonly Look[];
}

/** The demonstration as it is written at `now`: made by whichever file asks for it first, while the others wait; cloned from then on. */
export async function demoTemplate(now: Instant): Promise<DemoTemplate> {
  const template = inject('templateAddress');
  const database = `${templateName(template)}_demo`;
  const dataDir = path.join(inject('sharedFolder'), database);
  const looksFile = `${dataDir}.json`;
  const owner = await connectOwner(withDatabase(template, 'postgres'));
  try {
    await owner.query('select pg_advisory_lock(hashtext($1))', [database]);
    const { rowCount } = await owner.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) {
      // Under another name until it is whole: whoever fails half-way leaves nothing that is taken for it.
      const half = `${database}_half`;
      await owner.query(`drop database if exists ${half} with (force)`);
      await owner.query(`create database ${half} template ${templateName(template)} strategy file_copy`);
      mkdirSync(dataDir, { recursive: true });
      writeFileSync(looksFile, JSON.stringify(await writeDemonstration(withDatabase(template, half), now, dataDir)));
      await owner.query(`alter database ${half} rename to ${database}`);
    }
  } finally {
    await owner.end();
  }
  return { database, dataDir, looks: JSON.parse(readFileSync(looksFile, 'utf8')) as Look[] };
}
