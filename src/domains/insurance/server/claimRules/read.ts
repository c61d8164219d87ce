import { sql } from 'kysely';
import { refuseField } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { queryClaimRules } from '../../contract/claimRules/read.ts';
import { materialTypes } from '../../contract/businessLines.ts';
import { isInForce, phaseOf } from '../../contract/documents/states.ts';
import { hospitalScopes } from '../../contract/model/dictionaries.ts';
import type { VersionDocument } from '../../contract/model/document.ts';
import { ruleSentence } from '../../contract/model/statements.ts';
import { benefitClauses, withoutSocialClauses } from '../../contract/model/words.ts';
import { productPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { claimRead } from './claim.ts';
import { namesOf, rulesOf } from '../products/diff.ts';
import { documentOf } from '../products/document.ts';
import { productRecords, versionRecords } from '../products/records.ts';

/** A version's terms as people read them: each benefit with its sentences, then its rules. */
export async function describeRules(db: Db | Tx, productVersionId: string) {
  const document = await documentOf(db, productVersionId);
  return readableOf(document, await rulesOf(db, productVersionId), await namesOf(db, document));
}

/** Where a benefit may be used, where that is not anywhere. */
const placeClauses = ({ hospitalScope, hospitalIds, drugstoreIds, regionsAllowed }: VersionDocument): string[] => [
  ...(hospitalScope === 'ANY'
    ? []
    : [
        `医疗机构限${hospitalScopes.label(hospitalScope)}${
          hospitalScope === 'LIST' ? `（${hospitalIds.length}家医院、${drugstoreIds.length}家药店）` : ''
        }。`,
      ]),
  ...(regionsAllowed.length === 0 ? [] : [`就医地区限${regionsAllowed.length}个地区。`]),
];

function readableOf(document: VersionDocument, rules: Awaited<ReturnType<typeof rulesOf>>, names: Awaited<ReturnType<typeof namesOf>>) {
  const active = rules.filter(({ enabled }) => enabled);
  return document.benefits.map((benefit) => ({
    code: benefit.benefitCode,
    title: benefit.benefitName,
    sentences: [
      ...[...benefitClauses(benefit, document, names), ...withoutSocialClauses(benefit, document.plans)].map((clause) => `${clause}。`),
      ...active
        .filter(({ benefitCodes }) => benefitCodes.length === 0 || benefitCodes.includes(benefit.benefitCode))
        .map((rule) => `${ruleSentence(rule)}。`),
      ...placeClauses(document),
      `购药后${document.claimWindowDays}天内申请。`,
    ],
  }));
}

/** Medicine lists that a version's benefits refer to, with the version that counts now. */
async function listsOf(db: Db | Tx, document: VersionDocument, today: string) {
  const ids = [...new Set(document.benefits.flatMap(({ formularyId }) => formularyId ?? []))];
  if (ids.length === 0) return [];
  const versions = await own(db)
    .selectFrom('insuranceFormularyVersion as v')
    .innerJoin('insuranceFormulary as f', 'f.id', 'v.formularyId')
    .select(['v.id', 'v.formularyId', 'v.versionNo', 'v.state', 'v.effectiveFrom', 'v.effectiveTo', 'f.name'])
    .select(sql<number>`(select count(*)::int from insurance_formulary_line l where l.formulary_version_id = v.id)`.as('lineCount'))
    .where('v.formularyId', 'in', ids)
    .orderBy('v.versionNo', 'desc')
    .execute();
  const seen = new Map<
    string,
    {
      formularyId: string;
      formularyVersionId: string;
      name: string;
      versionNo: number;
      mode: 'PINNED' | 'BY_SERVICE_DATE';
      lineCount: number;
    }
  >();
  for (const { formularyId, formularyMode, formularyVersionId } of document.benefits) {
    const of = versions.filter((one) => one.formularyId === formularyId);
    const found =
      formularyMode === 'PINNED' ? of.find(({ id }) => id === formularyVersionId) : (of.find((one) => isInForce(one, today)) ?? of[0]);
    if (found)
      seen.set(found.id, {
        formularyId: found.formularyId,
        formularyVersionId: found.id,
        name: found.name,
        versionNo: found.versionNo,
        mode: formularyMode,
        lineCount: found.lineCount,
      });
  }
  return [...seen.values()];
}

/** What the rows of drug lists ask of the past of a claim. */
async function asksOf(db: Db | Tx, formularyVersionIds: readonly string[]) {
  const { rows } = await sql<{ windows: number[]; interval: boolean }>`
    select coalesce(array_agg(distinct l.max_qty_days) filter (where l.max_qty_per_days_milli is not null), '{}') as windows,
      coalesce(bool_or(l.min_interval_days > 0), false) as interval
    from insurance_formulary_line l where l.formulary_version_id = any(${[...formularyVersionIds]}::bigint[])`.execute(db);
  return rows[0] ?? { windows: [], interval: false };
}

export const read = query(queryClaimRules, async ({ claimId, productCode, versionNo, ...given }, ctx) => {
  const db = own(ctx.db);
  const claim = claimId === undefined ? null : await claimRead(ctx.db, ctx.staff, claimId);
  const productVersionId = claim?.productVersionId ?? given.productVersionId;
  if (productVersionId === undefined && productCode === undefined) throw refuseField('productCode', '请选择产品');
  const asked = productVersionId === undefined ? undefined : await versionRecords.get(ctx.db, ctx.staff, productVersionId);
  const product = asked
    ? await productRecords.get(ctx.db, ctx.staff, asked.productId)
    : await productRecords
        .seen(ctx.db, ctx.staff)
        .selectAll('p')
        .where('p.productCode', '=', productCode ?? '')
        .executeTakeFirst();
  if (!product) throw productRecords.missing();
  const versions = await db
    .selectFrom('insuranceProductVersion')
    .select(['id', 'versionNo', 'state', 'effectiveFrom', 'effectiveTo'])
    .where('productId', '=', product.id)
    .orderBy('versionNo', 'desc')
    .execute();
  const version = asked
    ? versions.find(({ id }) => id === asked.id)
    : versionNo === undefined
      ? (versions.find((one) => isInForce(one, ctx.today)) ?? versions[0])
      : versions.find((one) => one.versionNo === versionNo);
  if (!version) throw versionRecords.missing();
  const named = versions.map((one) => ({
    id: one.id,
    versionNo: one.versionNo,
    phase: phaseOf(one, ctx.today),
    effectiveFrom: one.effectiveFrom,
  }));
  const document = await documentOf(ctx.db, version.id);
  const rules = await rulesOf(ctx.db, version.id);
  const formularies = await listsOf(ctx.db, document, ctx.today);
  const reasons = await db
    .selectFrom('insuranceReasonText')
    .select(['reasonCode as code', 'label', 'applicantText'])
    .orderBy('reasonCode')
    .execute();
  return {
    productId: product.id,
    productCode: product.productCode,
    productName: product.productName,
    productLine: product.productLine,
    version: {
      id: version.id,
      versionNo: version.versionNo,
      phase: phaseOf(version, ctx.today),
      effectiveFrom: version.effectiveFrom,
      effectiveTo: version.effectiveTo,
      state: version.state,
    },
    versions: named,
    readable: readableOf(document, rules, await namesOf(ctx.db, document)),
    plans: document.plans,
    benefits: document.benefits,
    groups: document.limitGroups,
    rights: document.rights,
    rules: rules.map((rule) => ({
      id: rule.id,
      ruleCode: rule.ruleCode,
      ruleName: rule.ruleName,
      ruleType: rule.ruleType,
      benefitCodes: rule.benefitCodes,
      claimTypes: document.claimTypes.map(({ claimType }) => claimType).filter((type) => rule.claimTypes.includes(type)),
      expression: rule.expression,
      sentence: ruleSentence(rule),
      outcome: rule.outcome,
      materialTypes: materialTypes.codes.filter((code) => rule.materialTypes.includes(code)),
      reasonCode: rule.reasonCode,
      applicantText: rule.applicantText,
      internalNote: rule.internalNote,
      priority: rule.priority,
      enabled: rule.enabled,
      version: rule.version,
    })),
    formularies,
    asks: await asksOf(
      ctx.db,
      formularies.map(({ formularyVersionId }) => formularyVersionId),
    ),
    reasons,
    claim: claim?.seen ?? null,
    editable: (version.state === 'DRAFT' || version.state === 'REJECTED') && ctx.has(productPermissions['product.edit'].code),
  };
});
