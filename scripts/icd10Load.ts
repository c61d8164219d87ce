import { readFileSync } from 'node:fs';
import { loadIcd10 } from '#domains/identity/server/index.ts';
import { systemClock } from '#kernel/server/clock.ts';
import { readConfig } from '#kernel/server/config/readConfig.ts';
import { openDatabase } from '#kernel/server/database/openDatabase.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import { stderrLogger } from '#kernel/server/logger.ts';
import { StartFailure } from '#kernel/server/startFailure.ts';
import { runningServer } from './runningServer.ts';

// npm run icd10:load <csv>: loads the national edition of the disease codes (lines `code,name`, UTF-8 or GB18030), also while the program
// runs.
const file = process.argv[2];
try {
  if (!file) throw new StartFailure('Usage: npm run icd10:load <file.csv> - lines `code,name`.');
  const bytes = readFileSync(file);
  const utf8 = bytes.toString('utf8');
  const text = utf8.includes('\uFFFD') ? new TextDecoder('gb18030').decode(bytes) : utf8;
  const config = readConfig(process.env);
  const address = await runningServer(config);
  const { db, close } = address
    ? createDb(address, { log: stderrLogger, max: 2 })
    : await openDatabase(config, stderrLogger, systemClock.now());
  try {
    const count = await db.transaction().execute((tx) => loadIcd10(tx, text));
    console.log(`已载入 ${count} 个疾病编码`);
  } finally {
    await close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
