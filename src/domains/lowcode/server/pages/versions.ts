import { refuse } from '#kernel/contract/errors.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { lowcodeErrors } from '../../contract/errors.ts';
import { checkObject, errorsOf, type Checked } from '../check/check.ts';
import type { CheckFacts } from '../check/facts.ts';
import { excessOf, parseDefinition } from '../check/limits.ts';
import { ownTx } from '../database.ts';
import { hashOf } from '../stored.ts';
import { nextVersionNo } from './access.ts';

export interface Read extends Checked {
  definition: unknown;
  text: string;
  hash: string;
}

/**
 * A definition as it may be stored: JSON, within the limits. What else is wrong with it stands beside it.
 * @throws SCM03010, SCM03011
 */
export function readDefinition(text: string, facts: CheckFacts): Read {
  const parsed = parseDefinition(text);
  if (parsed.fault) throw refuse(lowcodeErrors.NOT_JSON, parsed.fault);
  const excess = excessOf(text, parsed.value);
  if (excess) throw refuse(lowcodeErrors.OVER_LIMITS, { what: excess.what }, { data: { pointer: excess.pointer } });
  return { ...checkObject(parsed.value, facts), definition: parsed.value, text, hash: hashOf(parsed.value) };
}

/** Columns of a version that hold what was read. */
export const contentColumns = (read: Read) => ({
  definition: read.text,
  definitionHash: read.hash,
  manifest: JSON.stringify(read.manifest),
  checkResult: JSON.stringify(read.problems),
  errorCount: errorsOf(read.problems),
});

/** Adds a draft. The page is locked and has none. */
export async function addDraft(
  ctx: Pick<CommandContext, 'tx' | 'now'> & { staffOrNull: CommandContext['staffOrNull'] },
  pageId: string,
  read: Read,
  more: { origin: 'EDIT' | 'IMPORT'; basedOn: string | null },
): Promise<string> {
  const { id } = await ownTx(ctx.tx)
    .insertInto('lowcodePageVersion')
    .values({
      pageId,
      versionNo: await nextVersionNo(ctx.tx, pageId),
      ...contentColumns(read),
      origin: more.origin,
      basedOnVersionId: more.basedOn,
      editedBy: ctx.staffOrNull?.userId ?? null,
      editedAt: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ownTx(ctx.tx).updateTable('lowcodePage').set({ draftVersionId: id }).where('id', '=', pageId).execute();
  return id;
}

/** The published version steps back. */
export async function archivePublished(tx: Tx, pageId: string, now: string): Promise<void> {
  await ownTx(tx)
    .updateTable('lowcodePageVersion')
    .set({ state: 'ARCHIVED', archivedAt: now })
    .where('pageId', '=', pageId)
    .where('state', '=', 'PUBLISHED')
    .execute();
}
