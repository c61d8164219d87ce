import { sql } from 'kysely';
import { minutes, plusDays, dayOf, plusMs } from '#kernel/contract/time.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { own } from '../database.ts';
import { lockFirstRun } from '../firstRun.ts';
import { anchorDay } from '../log/anchor.ts';
import { sealAll } from '../log/seal.ts';
import { writeApiClients, writeNotices } from './writeNotices.ts';
import { writePeople } from './writePeople.ts';
import { loggedDays, writeLogins, writeLogs, writeSessions } from './writeTraces.ts';

/** identity.md §Demo data; only on a database without staff, and by one of the processes that start together. */
export async function writeDemo({ kernel, now, transaction }: DemoContext): Promise<void> {
  const written = await transaction(async ({ tx }) => {
    await lockFirstRun(tx);
    const anybody = await own(tx).selectFrom('identityStaffUser').select('id').limit(1).executeTakeFirst();
    if (anybody) return false;
    const people = await writePeople(kernel, tx, now);
    await writeLogs(kernel, tx, people, now);
    await writeLogins(tx, people, now);
    await writeSessions(tx, people, now);
    await writeNotices(tx, people, now);
    await writeApiClients(kernel, tx, now);
    return true;
  });
  if (!written) return;
  await sealAll(transaction, true);
  for (const day of loggedDays(now)) await transaction((writing) => anchorDay(kernel, writing, day, plusMs(now, -minutes(1))));
  await transaction(async ({ tx }) => {
    const { rows } = await sql<{ sealed: string }>`select count(*) as sealed from identity_operation_log_seal`.execute(tx);
    const auditor = await own(tx)
      .selectFrom('identityStaffUser')
      .select(['id', 'displayName'])
      .where('userName', '=', 'audit_a')
      .executeTakeFirst();
    const sealed = rows[0]?.sealed ?? '0';
    await own(tx)
      .insertInto('identityLogVerifyRun')
      .values({
        fromDay: plusDays(dayOf(now), -14),
        toDay: dayOf(now),
        state: 'OK',
        checked: sealed,
        total: sealed,
        userId: auditor?.id ?? null,
        displayName: auditor?.displayName ?? null,
        createdAt: plusMs(now, -minutes(3)),
        finishedAt: plusMs(now, -minutes(2)),
      })
      .execute();
  });
}
