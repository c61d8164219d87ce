import { sql } from 'kysely';
import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { tryLockKey } from '#kernel/server/command/lockKeys.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { json, own } from '../database.ts';
import { CHAIN_START, sealOf } from './chain.ts';

const BATCH = 1_000;
const IDLE_MS = 30_000;
/** A row may be committed this long after its time and still be found without reading the whole log. */
const LATE_MS = hours(1);

/**
 * Seals the rows that are in no link yet, oldest id first, found by what is missing and never by "after the last id":
 * ids are given before commits. One at a time in the whole deployment.
 * @param everything looks through the whole log, not only the time since the last seal.
 * @returns how many rows were sealed; null when another process is at it.
 */
async function sealBatch(tx: Tx, everything = false): Promise<number | null> {
  if (!(await tryLockKey(tx, 'identity.seal'))) return null;
  const last = await own(tx)
    .selectFrom('identityOperationLogSeal')
    .select(['seq', 'chainHash', 'logAt'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const from: Instant | null = everything || !last ? null : plusMs(last.logAt, -LATE_MS);
  const rows = await own(tx)
    .selectFrom('identityOperationLog as l')
    .selectAll('l')
    .where((eb) => eb.not(eb.exists(eb.selectFrom('identityOperationLogSeal as s').select('s.seq').whereRef('s.logId', '=', 'l.id'))))
    .$if(from !== null, (select) => select.where('l.at', '>=', from!))
    .orderBy('l.id')
    .limit(BATCH)
    .execute();
  let seq = BigInt(last?.seq ?? 0);
  let chainHash = last?.chainHash ?? CHAIN_START;
  const seals = rows.map((row) => {
    const seal = sealOf(chainHash, row);
    chainHash = seal.chainHash;
    return { seq: String(++seq), log_id: row.id, log_at: row.at, row_hash: seal.rowHash, chain_hash: seal.chainHash };
  });
  if (seals.length > 0) {
    await sql`
      insert into identity_operation_log_seal (seq, log_id, log_at, row_hash, chain_hash)
      select seq, log_id, log_at, row_hash, chain_hash from jsonb_to_recordset(${json(seals)}::jsonb)
        as s(seq bigint, log_id bigint, log_at timestamptz, row_hash text, chain_hash text)
      order by seq`.execute(tx);
  }
  return seals.length;
}

/** Seals until nothing is left. */
export async function sealAll(
  transaction: <T>(work: (writing: { tx: Tx }) => Promise<T>) => Promise<T>,
  everything = false,
): Promise<number> {
  let total = 0;
  for (;;) {
    const sealed = await transaction(({ tx }) => sealBatch(tx, everything));
    total += sealed ?? 0;
    if (sealed === null || sealed < BATCH) return total;
  }
}

export const sealJob = job({
  name: 'identity.sealOperationLog',
  label: '操作日志封链',
  everySeconds: 2,
  async run(_data, { db, transaction, idleFor }) {
    if (await nothingToSeal(db)) return idleFor(IDLE_MS);
    await sealAll(transaction);
  },
});

/** The common case costs one read and no transaction. */
async function nothingToSeal(db: Db): Promise<boolean> {
  const { rows } = await sql<{ sealed: boolean }>`
    select not exists (
      select from identity_operation_log l
      where l.at >= coalesce((select log_at - interval '1 hour' from identity_operation_log_seal order by seq desc limit 1), '-infinity')
        and not exists (select from identity_operation_log_seal s where s.log_id = l.id)) as sealed`.execute(db);
  return rows[0]?.sealed ?? false;
}
