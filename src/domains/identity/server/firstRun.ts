import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql, type Updateable } from 'kysely';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { json, own } from './database.ts';
import { clearAttempts, userKey } from './login/attempts.ts';
import { brokenPasswordRule, hashPassword } from './login/passwords.ts';
import type { IdentityStaffUser } from './tables.ts';

/** Of processes that start together one makes the first users. */
export const lockFirstRun = (tx: Tx) => lockKeys(tx, 'identity.firstRun');

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789#%*+-=?@';

/** Random characters without look-alikes that keep the password rules. */
export function randomPassword(length: number): string {
  for (;;) {
    const password = Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    if (brokenPasswordRule(password, { userName: '', opNo: '', mobile: null }) === null) return password;
  }
}

async function giveSuperAdmin(tx: Tx, userId: string, now: Instant): Promise<void> {
  await sql`
    insert into identity_user_role (user_id, role_id, scope, valid_from, state, created_at, updated_at)
    select ${userId}, r.id, ${json({ own: false, region: null, insurer: null, channel: null })}::jsonb, ${dayOf(now)}::date, 'ENABLED',
      ${now}, ${now}
    from identity_role r where r.role_code = 'SUPER_ADMIN'
      and not exists (select from identity_user_role ur where ur.user_id = ${userId} and ur.role_id = r.id and ur.state = 'ENABLED'
        and ur.valid_from <= ${dayOf(now)}::date and (ur.valid_to is null or ur.valid_to >= ${dayOf(now)}::date))`.execute(tx);
}

/**
 * R10 in production: with no staff at all, makes `admin`. A password of his own making is told once, on standard output and in
 * `first-login.txt` of the data folder (0600), which the first login removes; one that was given is told nobody. A second start changes
 * nothing.
 * @returns whether it made him.
 */
export async function createFirstAdministrator(kernel: Kernel): Promise<boolean> {
  const now = kernel.clock.now();
  const given = kernel.config.adminPassword;
  const password = given ?? randomPassword(20);
  const file = path.join(kernel.config.dataDir, 'first-login.txt');
  const made = await kernel.transactions.run('start', async ({ tx }) => {
    await lockFirstRun(tx);
    const anybody = await own(tx).selectFrom('identityStaffUser').select('id').limit(1).executeTakeFirst();
    if (anybody) return false;
    const { id } = await own(tx)
      .insertInto('identityStaffUser')
      .values({
        userName: 'admin',
        displayName: '超级管理员',
        opNo: await nextSerial(tx, 'KQ', 4),
        employer: 'SELF',
        state: 'PENDING',
        passwordHash: await hashPassword(password),
        passwordChangedAt: now,
        mustChangePassword: true,
        changeReason: 'FIRST',
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await giveSuperAdmin(tx, id, now);
    if (given !== null) return true;
    // Before the commit: a start that is interrupted after it must not leave an administrator whose password nobody knows.
    await mkdir(kernel.config.dataDir, { recursive: true });
    await writeFile(file, `用户名：admin\n密码：${password}\n首次登录后须修改密码，登录成功后本文件自动删除。\n`, { mode: 0o600 });
    return true;
  });
  if (!made) return false;
  if (given !== null) {
    process.stdout.write('\n首次启动，已创建管理员 admin，密码为 KANGQIAO_ADMIN_PASSWORD 所设，首次登录后须修改。\n\n');
    return true;
  }
  process.stdout.write(`\n首次启动，已创建管理员\n  用户名：admin\n  密码：${password}\n  （同时写入 ${file}，首次登录后删除）\n\n`);
  return true;
}

/**
 * `npm run admin:reset` on the machine itself: gives `admin` a new password, which must be changed at the next login,
 * lifts locks, makes him super administrator again and ends his sessions. Logged as SYSTEM.
 * @returns the password.
 */
export async function resetAdministrator(kernel: Kernel): Promise<{ userName: string; password: string }> {
  const now = kernel.clock.now();
  const password = kernel.config.adminPassword ?? randomPassword(20);
  await kernel.transactions.run('admin-reset', async ({ tx }) => {
    await lockFirstRun(tx);
    const passwordHash = await hashPassword(password);
    const set = {
      passwordHash,
      passwordChangedAt: now,
      mustChangePassword: true,
      changeReason: 'RESET',
      tempPasswordExpiresAt: null,
      validFrom: null,
      validTo: null,
      employer: 'SELF',
      disabledReason: null,
      leftOn: null,
      updatedAt: now,
    } satisfies Updateable<IdentityStaffUser>;
    const known = await own(tx)
      .selectFrom('identityStaffUser')
      .select(['id', 'opNo'])
      .where('userName', '=', 'admin')
      .forUpdate()
      .executeTakeFirst();
    const { id, opNo } =
      known ??
      (await own(tx)
        .insertInto('identityStaffUser')
        .values({
          userName: 'admin',
          displayName: '超级管理员',
          opNo: await nextSerial(tx, 'KQ', 4),
          state: 'ENABLED',
          createdAt: now,
          ...set,
        })
        .returning(['id', 'opNo'])
        .executeTakeFirstOrThrow());
    await own(tx)
      .updateTable('identityStaffUser')
      .set((eb) => ({ ...set, state: 'ENABLED', version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute();
    await own(tx)
      .updateTable('identitySession')
      .set({ endedAt: now, endReason: 'BOOT' })
      .where('userId', '=', id)
      .where('endedAt', 'is', null)
      .execute();
    await clearAttempts(tx, userKey('admin'), true);
    await giveSuperAdmin(tx, id, now);
    await kernel.ports.operationLog.write(tx, {
      at: now,
      traceId: 'admin-reset',
      durationMs: 0,
      staff: null,
      apiClientId: null,
      jobName: 'admin:reset',
      call: 'machine/admin:reset',
      label: '重置管理员',
      kind: 'SYSTEM',
      targets: [{ type: 'staffUser', id, no: opNo }],
      diff: [],
      input: {},
      resultCode: '0000000',
      message: '',
      ip: '',
      userAgent: '',
      menuRouteKey: null,
      idempotencyKey: null,
    });
  });
  return { userName: 'admin', password };
}
