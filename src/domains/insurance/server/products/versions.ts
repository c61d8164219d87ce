import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState, trailOf } from '#kernel/server/audit/transition.ts';
import { command, query } from '#kernel/server/handler.ts';
import { productVersionPublished, productVersionWithdrawn } from '#events/insurance.ts';
import { productVersionStates, type DocumentState } from '../../contract/documents/states.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { versionDocument, type VersionDocument } from '../../contract/model/document.ts';
import { defaultEnrolConfig } from '../../contract/model/enrolConfig.ts';
import { problemsOf, type Problem } from '../../contract/model/problems.ts';
import {
  addProductVersion,
  auditProductVersion,
  checkProductVersion,
  modifyProductVersion,
  queryProductVersionDetail,
} from '../../contract/products/calls.ts';
import { delProductVersion } from '../../contract/products/listCalls.ts';
import { CLAUSE_FILE } from '../../contract/purposes.ts';
import { attach, fileHash } from '#domains/files/server/index.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { factsOf } from '#kernel/contract/field.ts';
import { namesFrom } from '../../contract/model/names.ts';
import { statementDifferences, statementsOf } from '../../contract/model/statements.ts';
import { versionSections } from '../../contract/model/sections.ts';
import { blankDraft, copyVersion } from './copies.ts';
import { briefOf } from './brief.ts';
import { readinessFault } from '../../contract/tests/readiness.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { lockVersions } from '../access.ts';
import { auditDocument, type DocumentKind, type DocumentRow } from '../documents/audit.ts';
import { own, ownTx } from '../database.ts';
import { namedIn } from './diff.ts';
import { contentHashOf, documentOf, headColumns, writeChildren } from './document.ts';
import { productRecords, versionRecords } from './records.ts';
import { resetTests } from '../tests/openVersion.ts';
import { triedCases } from './triedCases.ts';

const blank = (effectiveFrom: string): VersionDocument => ({
  effectiveFrom,
  effectiveTo: null,
  clauseFileId: null,
  filingNo: '',
  claimTypes: [],
  claimWindowDays: 180,
  regionsAllowed: [],
  hospitalScope: 'ANY',
  hospitalIds: [],
  drugstoreIds: [],
  enrolConfig: defaultEnrolConfig,
  gapNote: '',
  plans: [],
  limitGroups: [],
  benefits: [],
  rights: [],
});

export const addVersion = command(addProductVersion, async ({ productId, copyFrom, effectiveFrom }, ctx) => {
  const product = await productRecords.lock(ctx.tx, ctx.staff, productId);
  await lockVersions(ctx.tx, 'insurance_product_version', productId);
  const tx = ownTx(ctx.tx);
  const versions = await tx
    .selectFrom('insuranceProductVersion')
    .select(['id', 'versionNo', 'state'])
    .where('productId', '=', productId)
    .orderBy('versionNo', 'desc')
    .execute();
  const open = versions.find(({ state }) => state !== 'PUBLISHED' && state !== 'WITHDRAWN');
  if (open) throw refuse(insuranceErrors.OPEN_VERSION, { n: open.versionNo });
  const source = versions.find(({ id }) => id === copyFrom);
  if (copyFrom !== undefined && !source) throw versionRecords.missing();
  const versionNo = (versions[0]?.versionNo ?? 0) + 1;
  const draft = { productId, versionNo, effectiveFrom, withClauses: true };
  const id = source ? await copyVersion(ctx, source.id, draft) : await blankDraft(ctx, blank(effectiveFrom), draft);
  ctx.target({ type: versionRecords.type, id, no: `${product.productCode} V${versionNo}` });
  return { productVersionId: id, version: 1 };
});

/** Hash of the clauses that a version is published with; whoever opens them is told when they are no longer these. */
async function clauseHash(
  ctx: CommandContext,
  stored: { id: string; clauseFileId: string | null; clauseSha256: string | null },
  fileId: string | null,
): Promise<string | null> {
  if (fileId === null) return null;
  if (fileId === stored.clauseFileId) return stored.clauseSha256;
  await attach(
    ctx.tx,
    {
      fileIds: [fileId],
      purpose: CLAUSE_FILE,
      ownerType: versionRecords.type,
      ownerId: stored.id,
      field: 'clause',
      userId: ctx.staff.userId,
    },
    ctx.now,
  );
  const sha256 = await fileHash(ctx.tx, fileId, { purpose: CLAUSE_FILE, ownerType: versionRecords.type });
  if (sha256 === null) throw refuseField('document.clauseFileId', '条款文件未通过检查，请重新上传');
  return sha256;
}

/** What is chosen anew must be there; what the version already names stays, also when it has been removed since. */
function requireKnown(
  name: 'hospitalIds' | 'drugstoreIds',
  chosen: readonly string[],
  before: readonly string[],
  found: readonly { id: string }[],
): void {
  const known = new Set([...before, ...found.map(({ id }) => id)]);
  const unknown = chosen.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw refuseField(`document.${name}`, `${factsOf(versionDocument, name).label}中有${unknown.length}家不存在或已删除，请重新选择`);
}

export const modifyVersion = command(modifyProductVersion, async ({ productVersionId, version, document }, ctx) => {
  const stored = await versionRecords.lockVersion(ctx, productVersionId, version, async () => {
    const theirs = await documentOf(ctx.tx, productVersionId);
    return { document: theirs, named: await namedIn(ctx.tx, [theirs, document]) };
  });
  const before = await documentOf(ctx.tx, productVersionId);
  const named = await namedIn(ctx.tx, [before, document]);
  requireKnown('hospitalIds', document.hospitalIds, before.hospitalIds, named.hospitals);
  requireKnown('drugstoreIds', document.drugstoreIds, before.drugstoreIds, named.drugstores);
  const names = namesFrom(named);
  await moveState(ctx, productVersionStates, {
    targetType: versionRecords.type,
    targetId: productVersionId,
    targetNo: `${stored.productCode} V${stored.versionNo}`,
    action: 'modify',
    from: stored.state,
    differences: statementDifferences(statementsOf(before, [], names), statementsOf(document, [], names)).map((one) => ({
      path: one.section,
      label: `${versionSections.label(one.section)}·${one.label}`,
      before: one.before,
      after: one.after,
    })),
  });
  await ownTx(ctx.tx)
    .updateTable('insuranceProductVersion')
    .set({
      ...headColumns(document),
      clauseSha256: await clauseHash(ctx, stored, document.clauseFileId),
      version: version + 1,
      ...updatedColumns(ctx),
    })
    .where('id', '=', productVersionId)
    .execute();
  await writeChildren(ctx.tx, productVersionId, document);
  await resetTests(ctx.tx, productVersionId);
  return { productVersionId, version: version + 1 };
});

/** @param kernel knows the names of members of staff */
export const versionDetail = (kernel: Kernel) =>
  query(queryProductVersionDetail, async ({ productVersionId }, ctx) => {
    const row = await versionRecords.get(ctx.db, ctx.staff, productVersionId);
    const document = await documentOf(ctx.db, productVersionId);
    const pins = await own(ctx.db)
      .selectFrom('insuranceVersionPin')
      .select('id')
      .where('productVersionId', '=', productVersionId)
      .execute();
    const names = await kernel.ports.people.names(
      ctx.db,
      [row.makerId, row.checkerId].filter((one) => one !== null),
    );
    return {
      head: briefOf(row, names, ctx),
      productId: row.productId,
      productCode: row.productCode,
      productName: row.productName,
      productLine: row.productLine,
      document,
      named: await namedIn(ctx.db, [document]),
      pins: pins.length,
      timeline: await trailOf(ctx.db, versionRecords.type, productVersionId),
    };
  });

export const removeVersion = command(delProductVersion, async ({ productVersionId, version }, ctx) => {
  const stored = await versionRecords.lockVersion(ctx, productVersionId, version);
  if (stored.state !== 'DRAFT' && stored.state !== 'REJECTED')
    throw refuse(platformErrors.WRONG_STATE, { state: productVersionStates.dictionary.label(stored.state) });
  const tx = ownTx(ctx.tx);
  await tx.deleteFrom('insuranceRuleTestCase').where('ownerType', '=', 'PRODUCT_VERSION').where('ownerId', '=', productVersionId).execute();
  await tx.deleteFrom('insuranceProductVersion').where('id', '=', productVersionId).execute();
  ctx.target({ type: versionRecords.type, id: productVersionId, no: `${stored.productCode} V${stored.versionNo}` });
  return {};
});

export const checkVersion = query(checkProductVersion, async ({ productVersionId }, ctx) => {
  const { productLine } = await versionRecords.get(ctx.db, ctx.staff, productVersionId);
  const problems = problemsOf(await documentOf(ctx.db, productVersionId), productLine);
  return { problems: problems.map(({ path, level, message }) => ({ path, level, message })) };
});

/** The first fault with a refusal of its own, else the first of all, by its field. */
function refusalOf(problems: readonly Problem[]): Error | null {
  const errors = problems.filter(({ level }) => level === 'ERROR');
  const [named] = errors.flatMap(({ refusal }) => refusal ?? []);
  if (named?.name === 'TIER_FAULT') {
    const { name, kind, detail } = named.params;
    return refuse(insuranceErrors.TIER_FAULT, { name, '空档|重叠': kind, detail });
  }
  if (named?.name === 'GROUP_MISSING') return refuse(insuranceErrors.GROUP_MISSING, named.params);
  if (named?.name === 'RATES_FAULT') return refuse(insuranceErrors.RATES_FAULT, named.params);
  const [first] = errors;
  return first ? refuseField(first.path, first.message) : null;
}

async function proven(ctx: CommandContext, row: DocumentRow<DocumentState>): Promise<string> {
  const { productLine } = await versionRecords.get(ctx.tx, ctx.staff, row.id);
  const document = await documentOf(ctx.tx, row.id);
  const refusal = refusalOf(problemsOf(document, productLine));
  if (refusal) throw refusal;
  const contentHash = await contentHashOf(ctx.tx, row.id);
  const rules = await ownTx(ctx.tx)
    .selectFrom('insuranceClaimRule')
    .select('ruleCode')
    .where('productVersionId', '=', row.id)
    .where('enabled', '=', true)
    .execute();
  const fault = readinessFault(await triedCases(ctx.tx, row.id), {
    benefits: document.benefits.map(({ benefitCode }) => benefitCode),
    rules: rules.map(({ ruleCode }) => ruleCode),
    contentHash,
  });
  if (fault !== null) throw refuse(insuranceErrors.TESTS_MISSING, { detail: fault });
  return contentHash;
}

const eventOf = async (ctx: CommandContext, row: DocumentRow<DocumentState>) => {
  const { productId, productCode, productLine } = await versionRecords.get(ctx.tx, ctx.staff, row.id);
  const { effectiveFrom, effectiveTo } = row;
  return { productId, productVersionId: row.id, productCode, productLine, effectiveFrom, effectiveTo };
};

const kind: DocumentKind<DocumentState> = {
  machine: productVersionStates,
  type: versionRecords.type,
  table: 'insurance_product_version',
  parent: 'product_id',
  noOf: async (tx, { id, versionNo }) => `${(await versionRecords.get(tx, versionRecords.everyone, id)).productCode} V${versionNo}`,
  proven,
  pins: async (tx, { id }) =>
    (await ownTx(tx).selectFrom('insuranceVersionPin').select('id').where('productVersionId', '=', id).execute()).length,
  published: async (ctx, row) => ctx.publish(productVersionPublished, row.id, await eventOf(ctx, row)),
  withdrawn: async (ctx, row) => ctx.publish(productVersionWithdrawn, row.id, await eventOf(ctx, row)),
};

export const auditVersion = command(auditProductVersion, async (wish, ctx) => {
  await versionRecords.get(ctx.tx, ctx.staff, wish.id);
  return auditDocument(ctx, kind, wish);
});
