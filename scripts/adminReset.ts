import { resetAdministrator } from '#domains/identity/server/index.ts';
import { assemble } from '#kernel/server/assemble.ts';
import { systemClock } from '#kernel/server/clock.ts';
import type { Config } from '#kernel/server/config/config.ts';
import { readConfig } from '#kernel/server/config/readConfig.ts';
import { openDatabase } from '#kernel/server/database/openDatabase.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import { stderrLogger } from '#kernel/server/logger.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { assertSameKey, readMasterKey } from '#kernel/server/sensitive/masterKey.ts';
import { StartFailure } from '#kernel/server/startFailure.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { modules } from '../src/modules.ts';
import { runningServer } from './runningServer.ts';

/** The database of the running program where it runs, else one of our own for this moment. */
async function enter(config: Config) {
  const address = await runningServer(config);
  return address ? createDb(address, { log: stderrLogger, max: 5 }) : openDatabase(config, stderrLogger, systemClock.now());
}

// npm run admin:reset: on the machine itself, also while the program runs.
try {
  const config = readConfig(process.env);
  const { db, pool, committedWrites, close } = await enter(config);
  try {
    const secrets = makeSecrets(readMasterKey(config));
    await assertSameKey(db, secrets, systemClock.now());
    const { kernel, http, queue } = await assemble({
      config,
      clock: systemClock,
      log: stderrLogger,
      db,
      readDb: db,
      pool,
      committedWrites,
      secrets,
      storage: makeStorage(config, secrets),
      modules,
      browser: null,
      loops: false,
    });
    const { userName, password } = await resetAdministrator(kernel);
    console.log(
      `\n管理员已重置，请登录后立即修改密码：\n\n  用户名  ${userName}\n  密码    ${config.adminPassword === null ? password : '（KANGQIAO_ADMIN_PASSWORD 所设）'}\n`,
    );
    await queue.boss.stop({ graceful: false });
    await http.close();
  } finally {
    await close();
  }
} catch (error) {
  console.error(`\n${error instanceof StartFailure ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
