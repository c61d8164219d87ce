import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { json } from '#kernel/server/database/json.ts';
import type { VersionDocument } from '../../contract/model/document.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { ownTx } from '../database.ts';
import { documentOf, headColumns, writeChildren } from './document.ts';

interface Draft {
  productId: string;
  versionNo: number;
  effectiveFrom: Day;
  /** Clauses are a product's own: a version of another product begins without them. */
  withClauses: boolean;
}

async function insertDraft(ctx: CommandContext, document: VersionDocument, { productId, versionNo }: Draft, clauseSha256: string | null) {
  const { id } = await ownTx(ctx.tx)
    .insertInto('insuranceProductVersion')
    .values({ ...headColumns(document), clauseSha256, productId, versionNo, state: 'DRAFT', ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeChildren(ctx.tx, id, document);
  return id;
}

export const blankDraft = (ctx: CommandContext, document: VersionDocument, draft: Draft): Promise<string> =>
  insertDraft(ctx, document, draft, null);

/** A draft that says what another version says, with its claim rules and test cases; these have run on nothing yet. */
export async function copyVersion(ctx: CommandContext, sourceId: string, draft: Draft): Promise<string> {
  const tx = ownTx(ctx.tx);
  const source = await tx.selectFrom('insuranceProductVersion').select('clauseSha256').where('id', '=', sourceId).executeTakeFirstOrThrow();
  const stored = await documentOf(ctx.tx, sourceId);
  const document = {
    ...stored,
    effectiveFrom: draft.effectiveFrom,
    effectiveTo: null,
    gapNote: '',
    ...(!draft.withClauses && { clauseFileId: null }),
  };
  const id = await insertDraft(ctx, document, draft, draft.withClauses ? source.clauseSha256 : null);
  const rules = await tx.selectFrom('insuranceClaimRule').selectAll().where('productVersionId', '=', sourceId).execute();
  if (rules.length > 0)
    await tx
      .insertInto('insuranceClaimRule')
      .values(
        rules.map(({ id: _, version: __, expression, ...rule }) => ({
          ...rule,
          expression: json(expression),
          productVersionId: id,
          ...createdColumns(ctx),
        })),
      )
      .execute();
  await sql`
    insert into insurance_rule_test_case (
      owner_type, owner_id, case_name, input, expected, active, created_at, created_by, updated_at, updated_by
    )
      select owner_type, ${id}, case_name, input, expected, active, ${ctx.now}, ${ctx.staff.userId}, ${ctx.now}, ${ctx.staff.userId}
        from insurance_rule_test_case
        where owner_type = 'PRODUCT_VERSION' and owner_id = ${sourceId}
        order by id`.execute(ctx.tx);
  return id;
}
