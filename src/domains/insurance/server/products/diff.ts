import * as z from 'zod/mini';
import { completeGroup } from '#kernel/contract/rules/groups.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { statementDifferences, statementsOf, type Statement } from '../../contract/model/statements.ts';
import { namesFrom, type NamedThings, type Names } from '../../contract/model/names.ts';
import { CLAUSE_FILE } from '../../contract/purposes.ts';
import type { VersionDocument } from '../../contract/model/document.ts';
import { diffProductVersion, quotePremium } from '../../contract/products/listCalls.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { getDrugstores, getHospitals } from '#domains/institution/server/index.ts';
import { own } from '../database.ts';
import { quotePremium as quoted } from '../services.ts';
import { documentOf } from './document.ts';
import { versionRecords } from './records.ts';

type Naming = Pick<VersionDocument, 'benefits' | 'hospitalIds' | 'drugstoreIds' | 'clauseFileId'>;

/** What things are called that some documents hold the ids of. */
export async function namedIn(db: Db | Tx, documents: readonly Naming[]): Promise<NamedThings> {
  const idsOf = (read: (document: Naming) => readonly (string | null)[]) => [
    ...new Set(documents.flatMap(read).filter((one) => one !== null)),
  ];
  const ids = idsOf(({ benefits }) => benefits.map(({ formularyId }) => formularyId));
  const versionIds = idsOf(({ benefits }) => benefits.map(({ formularyVersionId }) => formularyVersionId));
  const [hospitals, drugstores, files] = await Promise.all([
    getHospitals(
      db,
      idsOf(({ hospitalIds }) => hospitalIds),
    ),
    getDrugstores(
      db,
      idsOf(({ drugstoreIds }) => drugstoreIds),
    ),
    fileBriefs(
      db,
      idsOf(({ clauseFileId }) => [clauseFileId]),
      { purpose: CLAUSE_FILE, ownerType: versionRecords.type },
    ),
  ]);
  return {
    formularies:
      ids.length === 0 ? [] : await own(db).selectFrom('insuranceFormulary').select(['id', 'name']).where('id', 'in', ids).execute(),
    formularyVersions:
      versionIds.length === 0
        ? []
        : await own(db).selectFrom('insuranceFormularyVersion').select(['id', 'versionNo']).where('id', 'in', versionIds).execute(),
    hospitals: hospitals.map(({ id, name }) => ({ id, name })),
    drugstores: drugstores.map(({ id, name }) => ({ id, name })),
    files: files.map(({ fileId, fileName }) => ({ id: fileId, name: fileName })),
  };
}
export const namesOf = async (db: Db | Tx, ...documents: readonly Naming[]): Promise<Names> => namesFrom(await namedIn(db, documents));

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

export async function statementsOfVersion(db: Db | Tx, productVersionId: string): Promise<Statement[]> {
  const document = await documentOf(db, productVersionId);
  return statementsOf(document, await rulesOf(db, productVersionId), await namesOf(db, document));
}

export const diffVersions = query(diffProductVersion, async ({ fromId, toId }, ctx) => {
  const from = await versionRecords.get(ctx.db, ctx.staff, fromId);
  const to = await versionRecords.get(ctx.db, ctx.staff, toId);
  return {
    fromNo: from.versionNo,
    toNo: to.versionNo,
    differences: statementDifferences(await statementsOfVersion(ctx.db, fromId), await statementsOfVersion(ctx.db, toId)),
  };
});

export const quote = query(quotePremium, async (wish, ctx) => {
  await versionRecords.get(ctx.db, ctx.staff, wish.productVersionId);
  return quoted(ctx.db, wish);
});
