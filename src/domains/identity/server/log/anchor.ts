import { sql } from 'kysely';
import { dayOf, plusDays, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { own } from '../database.ts';
import { anchorText, CHAIN_START } from './chain.ts';
import { sealAll } from './seal.ts';

const PURPOSE = 'identity.anchor';
const RETENTION_DAYS = 3653;

/** HMAC with a key that lies outside the database. */
export const signAnchor = (kernel: Kernel, anchor: Parameters<typeof anchorText>[0]): string =>
  kernel.secrets.sign(PURPOSE, anchorText(anchor));
export const isAnchorValid = (kernel: Kernel, anchor: Parameters<typeof anchorText>[0] & { hmac: string }): boolean =>
  kernel.secrets.verify(PURPOSE, anchorText(anchor), anchor.hmac);

/** Sums up one day of the chain, signs it and stores it outside the database. Does nothing where the day has its anchor. */
export async function anchorDay(kernel: Kernel, writing: Writing, day: Day, now: Instant): Promise<void> {
  const { tx } = writing;
  const known = await own(tx).selectFrom('identityOperationLogAnchor').select('id').where('day', '=', day).executeTakeFirst();
  if (known) return;
  const before = await own(tx)
    .selectFrom('identityOperationLogAnchor')
    .select(['lastSeq', 'chainHash'])
    .where('day', '<', day)
    .where('lastSeq', 'is not', null)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  const last = await own(tx)
    .selectFrom('identityOperationLogSeal')
    .select(['seq', 'chainHash'])
    .where('logAt', '<', startOfDay(plusDays(day, 1)))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const firstSeq = BigInt(before?.lastSeq ?? 0) + 1n;
  const has = last !== undefined && BigInt(last.seq) >= firstSeq;
  const anchor = {
    day,
    firstSeq: has ? String(firstSeq) : null,
    lastSeq: has ? last.seq : null,
    count: has ? String(BigInt(last.seq) - firstSeq + 1n) : '0',
    chainHash: has ? last.chainHash : (before?.chainHash ?? CHAIN_START),
  };
  const hmac = signAnchor(kernel, anchor);
  const file = await kernel.ports.files.store(
    tx,
    {
      purpose: 'ANCHOR',
      name: `日志锚点_${day}.json`,
      body: Buffer.from(`${JSON.stringify({ ...anchor, hmac, createdAt: now }, null, 2)}\n`),
      contentType: 'application/json',
      createdBy: null,
      retainUntil: startOfDay(plusDays(dayOf(now), RETENTION_DAYS)),
    },
    now,
  );
  await own(tx)
    .insertInto('identityOperationLogAnchor')
    .values({ ...anchor, hmac, fileId: file.fileId, createdAt: now })
    .execute();
}

export const anchorJob = job({
  name: 'identity.anchorOperationLog',
  label: '操作日志锚点',
  cron: '10 0 * * *',
  async run(_data, { kernel, now, db, transaction }) {
    await sealAll(transaction, true);
    const yesterday = plusDays(dayOf(now), -1);
    const { rows } = await sql<{ day: Day | null }>`
      select coalesce((select max(day) + 1 from identity_operation_log_anchor),
        (select (min(log_at) at time zone 'Asia/Shanghai')::date from identity_operation_log_seal))::date as day`.execute(db);
    // Days on which the program did not run are made up for.
    for (let day = rows[0]?.day ?? yesterday; day <= yesterday; day = plusDays(day, 1)) {
      await transaction((writing) => anchorDay(kernel, writing, day, now));
    }
  },
});
