import * as z from 'zod/mini';
import { completeGroup } from '../../../../kernel/contract/rules/groups.ts';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { query } from '../../../../kernel/server/handler.ts';
import { saidDifferences, saidOf, type Said } from '../../contract/model/said.ts';
import type { Names } from '../../contract/model/words.ts';
import type { VersionDocument } from '../../contract/model/document.ts';
import { diffProductVersion, quotePremium } from '../../contract/products/listCalls.ts';
import { own } from '../database.ts';
import { quotePremium as quoted } from '../services.ts';
import { documentOf } from './document.ts';
import { versionRecords } from './records.ts';

/** What the drug lists of some benefits are called. */
export async function namesOf(db: Db | Tx, { benefits }: Pick<VersionDocument, 'benefits'>): Promise<Names> {
  const ids = [...new Set(benefits.flatMap(({ formularyId }) => formularyId ?? []))];
  const versionIds = [...new Set(benefits.flatMap(({ formularyVersionId }) => formularyVersionId ?? []))];
  const lists =
    ids.length === 0 ? [] : await own(db).selectFrom('insuranceFormulary').select(['id', 'name']).where('id', 'in', ids).execute();
  const versions =
    versionIds.length === 0
      ? []
      : await own(db).selectFrom('insuranceFormularyVersion').select(['id', 'versionNo']).where('id', 'in', versionIds).execute();
  return {
    formulary({ formularyId, formularyMode, formularyVersionId }) {
      const name = lists.find(({ id }) => id === formularyId)?.name ?? '';
      if (name === '') return '';
      const no = versions.find(({ id }) => id === formularyVersionId)?.versionNo;
      return formularyMode === 'PINNED' ? `《${name}》${no === undefined ? '' : `V${no}`}` : `《${name}》（按购药日期）`;
    },
  };
}

/** Claim rules of a version in the order in which they are looked at. */
export async function rulesOf(db: Db | Tx, productVersionId: string) {
  const rows = await own(db)
    .selectFrom('insuranceClaimRule')
    .selectAll()
    .where('productVersionId', '=', productVersionId)
    .orderBy('priority')
    .orderBy('ruleCode')
    .execute();
  return rows.map(({ expression, ...row }) => ({ ...row, expression: z.parse(completeGroup, expression) }));
}

export async function saidOfVersion(db: Db | Tx, productVersionId: string): Promise<Said[]> {
  const document = await documentOf(db, productVersionId);
  return saidOf(document, await rulesOf(db, productVersionId), await namesOf(db, document));
}

export const diffVersions = query(diffProductVersion, async ({ fromId, toId }, ctx) => {
  const from = await versionRecords.get(ctx.db, ctx.staff, fromId);
  const to = await versionRecords.get(ctx.db, ctx.staff, toId);
  return {
    fromNo: from.versionNo,
    toNo: to.versionNo,
    differences: saidDifferences(await saidOfVersion(ctx.db, fromId), await saidOfVersion(ctx.db, toId)),
  };
});

export const quote = query(quotePremium, async (wish, ctx) => {
  await versionRecords.get(ctx.db, ctx.staff, wish.productVersionId);
  return quoted(ctx.db, wish);
});
