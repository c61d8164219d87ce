import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { productVersionStates } from '../../contract/documents/states.ts';
import { versionRecords } from '../products/records.ts';

/** Rules and test cases belong to the content of a version: they change while it is written, not afterwards. @throws Refusal SCM90031 */
export async function openVersion(ctx: CommandContext, productVersionId: string) {
  const version = await versionRecords.lock(ctx.tx, ctx.staff, productVersionId);
  if (version.state !== 'DRAFT' && version.state !== 'REJECTED')
    throw refuse(platformErrors.WRONG_STATE, { state: productVersionStates.dictionary.label(version.state) });
  return version;
}

/** Whatever the test cases said of a version was said of other content. */
export async function resetTests(tx: Tx, productVersionId: string): Promise<void> {
  await sql`update insurance_rule_test_case set last_result = 'NEVER', last_content_hash = null
    where owner_type = 'PRODUCT_VERSION' and owner_id = ${productVersionId}`.execute(tx);
}
