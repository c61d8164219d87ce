import { createHash } from 'node:crypto';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Context, Tx } from '#kernel/server/context.ts';
import { json, lockKeys, ownTx } from '../database.ts';

/**
 * Answers a repeated request of the client with what it was answered first; requests of one number wait for each other.
 * @throws Refusal SCM90050 when the number was used for other content
 */
export async function onceOnly<T extends object>(
  ctx: Pick<Context, 'client' | 'now'>,
  tx: Tx,
  operation: string,
  input: { externalRequestNo: string },
  work: () => Promise<T>,
): Promise<T> {
  const key = { clientId: ctx.client?.clientId ?? '', operation, externalRequestNo: input.externalRequestNo };
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  await lockKeys(tx, [`external:${key.clientId}:${operation}:${key.externalRequestNo}`]);
  const known = await ownTx(tx)
    .selectFrom('patientExternalRequest')
    .select(['inputHash', 'answer'])
    .where('clientId', '=', key.clientId)
    .where('operation', '=', operation)
    .where('externalRequestNo', '=', key.externalRequestNo)
    .executeTakeFirst();
  if (known) {
    if (known.inputHash !== inputHash) throw refuse(platformErrors.DUPLICATE_REQUEST);
    return known.answer as T;
  }
  const answer = await work();
  await ownTx(tx)
    .insertInto('patientExternalRequest')
    .values({ ...key, inputHash, answer: json(answer), at: ctx.now })
    .execute();
  return answer;
}
