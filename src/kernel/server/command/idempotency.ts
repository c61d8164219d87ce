import { sql } from 'kysely';
import type { Envelope } from '../../contract/envelope.ts';
import { platformErrors, refuse } from '../../contract/errors.ts';
import type { Instant } from '../../contract/time.ts';
import type { Db, Tx } from '../context.ts';
import type { Secrets } from '../sensitive/secrets.ts';

export interface IdempotencyKey {
  /** `user:7` or `client:3`. */
  caller: string;
  call: string;
  key: string;
  body: unknown;
  /** The answer is not stored: a repetition is answered that it is done. */
  secret: boolean;
}

/** Keyed, because many bodies (a mobile number, a short password) could be found by trying. */
const hashOf = (secrets: Secrets, { call, body }: IdempotencyKey) =>
  secrets.blindIndex('idempotency', `${call}\n${JSON.stringify(body ?? null)}`);

const DONE = '该操作此前已执行，其结果含保密内容，不再重复给出，请刷新后查看';

/**
 * Claims the key in the command's transaction. A parallel holder of the same key is waited for, because its
 * row is locked until it commits or rolls back.
 * @returns the stored envelope of an earlier success, or null when this request is the first.
 * @throws Refusal SCM90050 when the key was used for another body, or the earlier answer was not stored.
 */
export async function claimKey(tx: Tx, secrets: Secrets, claim: IdempotencyKey, now: Instant): Promise<Envelope | null> {
  const bodyHash = hashOf(secrets, claim);
  const inserted = await sql`
    insert into kernel_idempotency (caller, call, key, body_hash, at)
    values (${claim.caller}, ${claim.call}, ${claim.key}, ${bodyHash}, ${now})
    on conflict do nothing returning key`.execute(tx);
  if (inserted.rows.length > 0) return null;
  const { rows } = await sql<{ bodyHash: string; answer: string | null }>`
    select body_hash, answer from kernel_idempotency
    where caller = ${claim.caller} and call = ${claim.call} and key = ${claim.key}`.execute(tx);
  const stored = rows[0];
  if (!stored || stored.bodyHash !== bodyHash) throw refuse(platformErrors.DUPLICATE_REQUEST);
  if (stored.answer === null) throw refuse(platformErrors.DUPLICATE_REQUEST, claim.secret ? { message: DONE } : {});
  return JSON.parse(secrets.decrypt(stored.answer)) as Envelope;
}

/** Keeps the answer beside the key, encrypted, in the transaction that made it. */
export async function storeAnswer(tx: Tx, secrets: Secrets, claim: IdempotencyKey, envelope: Envelope): Promise<void> {
  if (claim.secret) return;
  await sql`
    update kernel_idempotency set answer = ${secrets.encrypt(JSON.stringify(envelope))}
    where caller = ${claim.caller} and call = ${claim.call} and key = ${claim.key}`.execute(tx);
}

/** Gives the key back: there is no answer to repeat. */
export async function releaseKey(tx: Tx, claim: IdempotencyKey): Promise<void> {
  await sql`delete from kernel_idempotency where caller = ${claim.caller} and call = ${claim.call} and key = ${claim.key}`.execute(tx);
}

/** Drops the keys that were claimed before `until`. */
export async function forgetKeys(db: Db, until: Instant): Promise<void> {
  await sql`delete from kernel_idempotency where at < ${until}`.execute(db);
}
