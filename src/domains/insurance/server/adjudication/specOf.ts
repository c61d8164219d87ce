import * as z from 'zod/mini';
import type { Db, Tx } from '#kernel/server/context.ts';
import { completeGroup } from '#kernel/contract/rules/groups.ts';
import {
  capsSpec,
  versionSpec,
  type BenefitSpec,
  type FormularySpec,
  type PlanSpec,
  type VersionSpec,
} from '../../contract/adjudication/spec.ts';
import type { Benefit, Plan, VersionDocument } from '../../contract/model/document.ts';
import { own } from '../database.ts';
import { contentHashOf, documentOf } from '../products/document.ts';

const fen = (value: string | null): number | null => (value === null ? null : Number(value));

const benefitSpecOf = ({
  perLineFen,
  perItemYearFen,
  perClaimFen,
  perYearFen,
  lifetimeFen,
  timesPerYear,
  ...benefit
}: Benefit): BenefitSpec => ({
  ...benefit,
  caps: { perLineFen, perItemYearFen, perClaimFen, perYearFen, lifetimeFen, timesPerYear },
});

function planSpecOf({ planCode, planName, sumInsuredFen, overrides }: Plan): PlanSpec {
  const ofBenefits = Object.entries(overrides.benefits);
  return {
    planCode,
    planName,
    sumInsuredFen,
    groupAmounts: overrides.groups,
    caps: Object.fromEntries(ofBenefits.map(([code, { tiers: _, ...caps }]) => [code, z.parse(z.partial(capsSpec), caps)])),
    tiers: Object.fromEntries(ofBenefits.flatMap(([code, { tiers }]) => (tiers ? [[code, tiers]] : []))),
  };
}

/** Versions of the drug lists that the benefits of a document can meet, the pinned ones and those that hold by date. */
async function formulariesOf(handle: Db | Tx, { benefits }: VersionDocument): Promise<FormularySpec[]> {
  const pinned = benefits.flatMap(({ formularyMode, formularyVersionId }) =>
    formularyMode === 'PINNED' ? (formularyVersionId ?? []) : [],
  );
  const dated = benefits.flatMap(({ formularyMode, formularyId }) => (formularyMode === 'BY_SERVICE_DATE' ? (formularyId ?? []) : []));
  if (pinned.length + dated.length === 0) return [];
  const db = own(handle);
  const versions = await db
    .selectFrom('insuranceFormularyVersion as v')
    .innerJoin('insuranceFormulary as f', 'f.id', 'v.formularyId')
    .select(['v.id', 'v.formularyId', 'f.name', 'v.versionNo', 'v.effectiveFrom', 'v.effectiveTo'])
    .where((eb) =>
      eb.or([
        ...(pinned.length > 0 ? [eb('v.id', 'in', pinned)] : []),
        ...(dated.length > 0 ? [eb.and([eb('v.formularyId', 'in', dated), eb('v.state', '=', 'PUBLISHED')])] : []),
      ]),
    )
    .orderBy('v.formularyId')
    .orderBy('v.versionNo')
    .execute();
  if (versions.length === 0) return [];
  const lines = await db
    .selectFrom('insuranceFormularyLine')
    .selectAll()
    .where(
      'formularyVersionId',
      'in',
      versions.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  const linesOf = Map.groupBy(lines, ({ formularyVersionId }) => formularyVersionId);
  return versions.map(({ id, name, ...version }) => ({
    ...version,
    formularyVersionId: id,
    formularyName: name,
    lines: (linesOf.get(id) ?? []).map((row) => ({
      medicineId: row.medicineId,
      genericName: row.genericName,
      brandName: row.brandName,
      indicationCode: row.indicationCode,
      indicationText: row.indicationText,
      icd10Prefixes: row.icd10Prefixes,
      geneRequirement: row.geneRequirement,
      socialCategory: row.socialCategory,
      maxUnitPriceFen: fen(row.maxUnitPriceFen),
      maxQtyPerClaimMilli: fen(row.maxQtyPerClaimMilli),
      maxQtyPerDays:
        row.maxQtyPerDaysMilli === null || row.maxQtyDays === null
          ? null
          : { qtyMilli: Number(row.maxQtyPerDaysMilli), days: row.maxQtyDays },
      minIntervalDays: row.minIntervalDays,
    })),
  }));
}

/** All of a version that decides about money; of a published one what was frozen. Null where there is none of that id. */
export async function specOf(handle: Db | Tx, productVersionId: string): Promise<VersionSpec | null> {
  const db = own(handle);
  const head = await db
    .selectFrom('insuranceProductVersion as v')
    .innerJoin('insuranceProduct as p', 'p.id', 'v.productId')
    .select(['v.id', 'v.versionNo', 'v.state', 'v.contentHash', 'p.id as productId', 'p.productCode', 'p.productName'])
    .where('v.id', '=', productVersionId)
    .executeTakeFirst();
  if (!head) return null;
  const document = await documentOf(handle, productVersionId);
  const rules = await db
    .selectFrom('insuranceClaimRule')
    .select([
      'ruleCode',
      'ruleName',
      'benefitCodes',
      'claimTypes',
      'expression',
      'outcome',
      'materialTypes',
      'reasonCode',
      'applicantText',
      'priority',
    ])
    .where('productVersionId', '=', productVersionId)
    .where('enabled', '=', true)
    .orderBy('priority')
    .orderBy('ruleCode')
    .execute();
  const isFrozen = head.state === 'PUBLISHED' || head.state === 'WITHDRAWN';
  return z.parse(versionSpec, {
    productId: head.productId,
    productCode: head.productCode,
    productName: head.productName,
    productVersionId: head.id,
    versionNo: head.versionNo,
    contentHash: (isFrozen ? head.contentHash : null) ?? (await contentHashOf(handle, productVersionId)),
    claimWindowDays: document.claimWindowDays,
    plans: document.plans.map(planSpecOf),
    groups: document.limitGroups,
    benefits: document.benefits.map(benefitSpecOf),
    formularies: await formulariesOf(handle, document),
    rules: rules.map((rule) => ({ ...rule, expression: z.parse(completeGroup, rule.expression) })),
  });
}
