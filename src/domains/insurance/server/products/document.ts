import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { versionDocument, type VersionDocument } from '../../contract/model/document.ts';
import { json } from '#kernel/server/database/json.ts';
import { own, ownTx, type InsuranceDb, type InsuranceTx } from '../database.ts';
import type { Db, Tx } from '#kernel/server/context.ts';

const fenOf = (value: string | null): number | null => (value === null ? null : Number(value));
/** Amounts are stored in columns that hold more than a number does. */
const storedFen = (value: number | null): string | null => (value === null ? null : String(value));

async function childrenOf(db: InsuranceDb | InsuranceTx, versionId: string) {
  const [plans, rates, groups, benefits, tiers, rights] = await Promise.all([
    db.selectFrom('insurancePlan').selectAll().where('productVersionId', '=', versionId).orderBy('sort').orderBy('id').execute(),
    db
      .selectFrom('insurancePlanRate as r')
      .innerJoin('insurancePlan as p', 'p.id', 'r.planId')
      .selectAll('r')
      .where('p.productVersionId', '=', versionId)
      .orderBy('r.id')
      .execute(),
    db.selectFrom('insuranceLimitGroup').selectAll().where('productVersionId', '=', versionId).orderBy('id').execute(),
    db.selectFrom('insuranceBenefit').selectAll().where('productVersionId', '=', versionId).orderBy('priority').orderBy('id').execute(),
    db
      .selectFrom('insuranceBenefitTier as t')
      .innerJoin('insuranceBenefit as b', 'b.id', 't.benefitId')
      .selectAll('t')
      .where('b.productVersionId', '=', versionId)
      .orderBy('t.id')
      .execute(),
    db.selectFrom('insuranceRight').selectAll().where('productVersionId', '=', versionId).orderBy('id').execute(),
  ]);
  const ratesOf = Map.groupBy(rates, ({ planId }) => planId);
  const tiersOf = Map.groupBy(tiers, ({ benefitId }) => benefitId);
  return {
    plans: plans.map(({ id, productVersionId: _, sort: __, sumInsuredFen, ...row }) => ({
      ...row,
      sumInsuredFen: Number(sumInsuredFen),
      rates: (ratesOf.get(id) ?? []).map((rate) => ({
        gender: rate.gender,
        social: rate.social,
        ageFrom: rate.ageFrom,
        ageTo: rate.ageTo,
        annualPremiumFen: Number(rate.annualPremiumFen),
      })),
    })),
    limitGroups: groups.map(({ id: _, productVersionId: __, amountFen, ...row }) => ({ ...row, amountFen: Number(amountFen) })),
    benefits: benefits.map(({ id, productVersionId: _, ...row }) => ({
      ...row,
      perLineFen: fenOf(row.perLineFen),
      perItemYearFen: fenOf(row.perItemYearFen),
      perClaimFen: fenOf(row.perClaimFen),
      perYearFen: fenOf(row.perYearFen),
      lifetimeFen: fenOf(row.lifetimeFen),
      tiers: (tiersOf.get(id) ?? []).map((tier) => ({
        social: tier.social,
        preExisting: tier.preExisting,
        monthFrom: tier.monthFrom,
        monthTo: tier.monthTo,
        fromFen: Number(tier.fromFen),
        toFen: fenOf(tier.toFen),
        rateBp: tier.rateBp,
      })),
    })),
    rights: rights.map(({ id: _, productVersionId: __, amountFen, ...row }) => ({ ...row, amountFen: fenOf(amountFen) })),
  };
}

/** A version as its editor knows it. */
export async function documentOf(handle: Db | Tx, versionId: string): Promise<VersionDocument> {
  const db = own(handle);
  const head = await db.selectFrom('insuranceProductVersion').selectAll().where('id', '=', versionId).executeTakeFirstOrThrow();
  return z.parse(versionDocument, {
    effectiveFrom: head.effectiveFrom,
    effectiveTo: head.effectiveTo,
    clauseFileId: head.clauseFileId,
    filingNo: head.filingNo,
    claimTypes: head.claimTypes,
    claimWindowDays: head.claimWindowDays,
    regionsAllowed: head.regionsAllowed,
    hospitalScope: head.hospitalScope,
    hospitalIds: head.hospitalIds,
    drugstoreIds: head.drugstoreIds,
    enrolConfig: head.enrolConfig,
    gapNote: head.gapNote,
    ...(await childrenOf(db, versionId)),
  });
}

/** Hash of a version with all that hangs on it; its end is set later and does not count. */
export async function contentHashOf(handle: Db | Tx, versionId: string): Promise<string> {
  const db = own(handle);
  const { effectiveTo: _, clauseFileId: __, ...document } = await documentOf(handle, versionId);
  const [head, rules] = await Promise.all([
    db
      .selectFrom('insuranceProductVersion')
      .select(['productId', 'versionNo', 'clauseSha256'])
      .where('id', '=', versionId)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('insuranceClaimRule')
      .select([
        'ruleCode',
        'ruleName',
        'ruleType',
        'benefitCodes',
        'claimTypes',
        'expression',
        'outcome',
        'materialTypes',
        'reasonCode',
        'applicantText',
        'internalNote',
        'priority',
        'enabled',
      ])
      .where('productVersionId', '=', versionId)
      .orderBy('priority')
      .orderBy('ruleCode')
      .execute(),
  ]);
  return createHash('sha256').update(JSON.stringify({ head, document, rules })).digest('hex');
}

export const headColumns = (document: VersionDocument) => ({
  effectiveFrom: document.effectiveFrom,
  effectiveTo: document.effectiveTo,
  clauseFileId: document.clauseFileId,
  filingNo: document.filingNo,
  claimTypes: json(document.claimTypes),
  claimWindowDays: document.claimWindowDays,
  regionsAllowed: document.regionsAllowed,
  hospitalScope: document.hospitalScope,
  hospitalIds: document.hospitalIds,
  drugstoreIds: document.drugstoreIds,
  enrolConfig: json(document.enrolConfig),
  gapNote: document.gapNote,
});

/** Writes all children anew: nothing points at one of a draft. */
export async function writeChildren(handle: Tx, productVersionId: string, document: VersionDocument): Promise<void> {
  const tx = ownTx(handle);
  for (const table of ['insurancePlan', 'insuranceBenefit', 'insuranceLimitGroup', 'insuranceRight'] as const)
    await tx.deleteFrom(table).where('productVersionId', '=', productVersionId).execute();
  for (const [sort, { rates, overrides, sumInsuredFen, ...row }] of document.plans.entries()) {
    const { id: planId } = await tx
      .insertInto('insurancePlan')
      .values({ ...row, sumInsuredFen: String(sumInsuredFen), overrides: json(overrides), sort, productVersionId })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (rates.length > 0)
      await tx
        .insertInto('insurancePlanRate')
        .values(rates.map((rate) => ({ ...rate, annualPremiumFen: String(rate.annualPremiumFen), planId })))
        .execute();
  }
  if (document.limitGroups.length > 0)
    await tx
      .insertInto('insuranceLimitGroup')
      .values(document.limitGroups.map((row) => ({ ...row, amountFen: String(row.amountFen), productVersionId })))
      .execute();
  for (const { tiers, ...row } of document.benefits) {
    const { id: benefitId } = await tx
      .insertInto('insuranceBenefit')
      .values({
        ...row,
        perLineFen: storedFen(row.perLineFen),
        perItemYearFen: storedFen(row.perItemYearFen),
        perClaimFen: storedFen(row.perClaimFen),
        perYearFen: storedFen(row.perYearFen),
        lifetimeFen: storedFen(row.lifetimeFen),
        productVersionId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (tiers.length > 0)
      await tx
        .insertInto('insuranceBenefitTier')
        .values(tiers.map((tier) => ({ ...tier, fromFen: String(tier.fromFen), toFen: storedFen(tier.toFen), benefitId })))
        .execute();
  }
  if (document.rights.length > 0)
    await tx
      .insertInto('insuranceRight')
      .values(document.rights.map((row) => ({ ...row, amountFen: storedFen(row.amountFen), productVersionId })))
      .execute();
}
