import { sql } from 'kysely';
import { days, minutes, plusMs } from '#kernel/contract/time.ts';
import { forgetKeys } from '#kernel/server/command/idempotency.ts';
import { forgetWindows } from '#kernel/server/command/rateLimit.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { own } from './database.ts';
import type { SessionEnds } from './session/ends.ts';

/** Ends sessions that nobody used any more, and forgets what has served its time. */
export const sweepJob = (ends: SessionEnds) =>
  job({
    name: 'identity.sweep',
    label: '清理过期会话与验证码',
    cron: '*/10 * * * *',
    async run(_data, { db, now, transaction }) {
      const dead = await own(db)
        .selectFrom('identitySession')
        .select(['id', 'userId'])
        .where('endedAt', 'is', null)
        .where((eb) => eb.or([eb('idleExpiresAt', '<=', now), eb('absoluteExpiresAt', '<=', now)]))
        .limit(1_000)
        .execute();
      for (const { id, userId } of dead) {
        await transaction((writing) => ends.end(writing, { userId, sessionId: id }, 'EXPIRED', now));
      }
      await own(db)
        .deleteFrom('identityCaptcha')
        .where('expiresAt', '<', plusMs(now, -minutes(10)))
        .execute();
      await own(db)
        .deleteFrom('identityApiNonce')
        .where('at', '<', plusMs(now, -minutes(10)))
        .execute();
      await own(db)
        .deleteFrom('identitySmsCode')
        .where('sentAt', '<', plusMs(now, -days(2)))
        .execute();
      await own(db)
        .deleteFrom('identitySmsOutbox')
        .where('at', '<', plusMs(now, -days(90)))
        .execute();
      await forgetKeys(db, plusMs(now, -days(7)));
      await forgetWindows(db, plusMs(now, -days(2)));
      // A lock that stands is kept; counters without one are of no use after two days.
      await sql`
        delete from identity_login_attempt
        where updated_at < ${plusMs(now, -days(2))}::timestamptz
          and not hard_locked
          and (locked_until is null or locked_until < ${now}::timestamptz)`.execute(db);
    },
  });
