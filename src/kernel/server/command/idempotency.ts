import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Envelope } from '../../contract/envelope.ts';
import { platformErrors, refuse } from '../../contract/errors.ts';
import type { Instant } from '../../contract/time.ts';
import type { Tx } from '../context.ts';

export interface IdempotencyKey {
  /** `user:7` or `client:3`. */
  caller: string;
  call: string;
  key: string;
  body: unknown;
}

const hashOf = (body: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('hex');

/**
 * Claims the key in the command's transaction. A parallel holder of the same key is waited for, because its
 * row is locked until it commits or rolls back.
 * @returns the stored envelope of an earlier success, or null when this request is the first.
 * @throws Refusal SCM90050 when the key was used for another body.
 */
export async function claimKey(tx: Tx, claim: IdempotencyKey, now: Instant): Promise<Envelope | null> {
  const bodyHash = hashOf(claim.body);
  const inserted = await sql`
    insert into kernel_idempotency (caller, call, key, body_hash, at)
    values (${claim.caller}, ${claim.call}, ${claim.key}, ${bodyHash}, ${now})
    on conflict do nothing returning key`.execute(tx);
  if (inserted.rows.length > 0) return null;
  const { rows } = await sql<{ bodyHash: string; envelope: Envelope | null }>`
    select body_hash, envelope from kernel_idempotency
    where caller = ${claim.caller} and call = ${claim.call} and key = ${claim.key}`.execute(tx);
  const stored = rows[0];
  if (!stored || stored.bodyHash !== bodyHash || stored.envelope === null) throw refuse(platformErrors.DUPLICATE_REQUEST);
  return stored.envelope;
}

/** Keeps the answer beside the key, in the transaction that made it. */
export async function storeAnswer(tx: Tx, claim: IdempotencyKey, envelope: Envelope): Promise<void> {
  await sql`
    update kernel_idempotency set envelope = ${JSON.stringify(envelope)}::jsonb
    where caller = ${claim.caller} and call = ${claim.call} and key = ${claim.key}`.execute(tx);
}
