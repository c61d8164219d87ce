import { sql } from 'kysely';
import * as z from 'zod/mini';
import { refuse } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { isInForce } from '../contract/documents/states.ts';
import { insuranceErrors } from '../contract/errors.ts';
import type { Benefit } from '../contract/model/document.ts';
import type { EnrolConfig } from '../contract/model/enrolConfig.ts';
import { quoteOf, type Quote, type QuoteWish } from '../contract/model/quote.ts';
import { agreementPrice } from '../contract/formulary/lineCalls.ts';
import { shareGroups } from '../contract/links/shareGroups.ts';
import { specOf } from './adjudication/specOf.ts';
import { own, ownTx } from './database.ts';
import { documentOf } from './products/document.ts';

type Handle = Db | Tx;

/** A product with the version that a policy beginning on that day takes; null where none is in force. */
export async function resolveVersion(db: Handle, productId: string, date: Day) {
  const row = await own(db)
    .selectFrom('insuranceProductVersion as v')
    .innerJoin('insuranceProduct as p', 'p.id', 'v.productId')
    .select([
      'v.id as productVersionId',
      'v.versionNo',
      'v.effectiveFrom',
      'v.effectiveTo',
      'v.contentHash',
      'p.id as productId',
      'p.productCode',
      'p.productName',
      'p.productLine',
      'p.productType',
      'p.insurerId',
      'p.status',
    ])
    .where('v.productId', '=', productId)
    .where('v.state', '=', 'PUBLISHED')
    .where('v.effectiveFrom', '<=', date)
    .where((eb) => eb.or([eb('v.effectiveTo', 'is', null), eb('v.effectiveTo', '>=', date)]))
    .executeTakeFirst();
  return row ?? null;
}

interface FoundProduct {
  productCode: string;
  date: Day;
  productId: string;
  insurerId: string | null;
  productLine: string;
  status: string;
  /** Null: no version of the product is in force on that day. */
  productVersionId: string | null;
}

/** Products by their codes, each with the version of a day, in one statement; a code that no product has is not in the answer. */
export async function resolveByCodes(
  db: Handle,
  asked: readonly { productCode: string; date: Day }[],
): Promise<{ of(productCode: string, date: Day): FoundProduct | null }> {
  const keyOf = (productCode: string, date: Day) => `${date} ${productCode}`;
  const pairs = [...new Map(asked.map((one) => [keyOf(one.productCode, one.date), one])).values()];
  const { rows } = await sql<FoundProduct>`
    select p.product_code, a.date::text as date, p.id::text as product_id, p.insurer_id::text as insurer_id, p.product_line, p.status,
      (select v.id::text from insurance_product_version v where v.product_id = p.id and v.state = 'PUBLISHED'
        and v.effective_from <= a.date and (v.effective_to is null or v.effective_to >= a.date) limit 1) as product_version_id
    from unnest(${pairs.map(({ productCode }) => productCode)}::text[], ${pairs.map(({ date }) => date)}::date[]) as a (product_code, date)
    join insurance_product p on p.product_code = a.product_code`.execute(db);
  const found = new Map(rows.map((row) => [keyOf(row.productCode, row.date), row]));
  return { of: (productCode, date) => found.get(keyOf(productCode, date)) ?? null };
}

/**
 * Says in the caller's transaction that something of his hangs on a version; again with another end: the end moves. A version whose
 * product is not on sale takes no new ones; one that was withdrawn meanwhile is refused.
 */
export async function pinVersion(
  tx: Tx,
  {
    productVersionId,
    refType,
    refId,
    endsOn,
    now,
  }: { productVersionId: string; refType: string; refId: string; endsOn: Day | null; now: string },
): Promise<void> {
  const known = await ownTx(tx)
    .selectFrom('insuranceVersionPin')
    .select('id')
    .where('productVersionId', '=', productVersionId)
    .where('refType', '=', refType)
    .where('refId', '=', refId)
    .executeTakeFirst();
  if (!known) {
    const row = await ownTx(tx)
      .selectFrom('insuranceProductVersion as v')
      .innerJoin('insuranceProduct as p', 'p.id', 'v.productId')
      .select(['v.state', 'p.status'])
      .where('v.id', '=', productVersionId)
      .forShare()
      .executeTakeFirst();
    if (row?.state !== 'PUBLISHED' || row.status !== 'ON_SALE')
      throw refuse(insuranceErrors.NOTHING_PUBLISHED, { message: '产品未在售或版本已撤回，不能出单' });
  }
  await ownTx(tx)
    .insertInto('insuranceVersionPin')
    .values({ productVersionId, refType, refId, endsOn, createdAt: now })
    .onConflict((on) => on.columns(['productVersionId', 'refType', 'refId']).doUpdateSet({ endsOn }))
    .execute();
}

/** @throws SCM12015 where the plan does not take the person, or is none of the version. */
export async function quotePremium(db: Handle, wish: QuoteWish & { productVersionId: string; planCode: string }): Promise<Quote> {
  const { plans } = await documentOf(db, wish.productVersionId);
  const plan = plans.find(({ planCode }) => planCode === wish.planCode);
  const quote = plan && quoteOf(plan, wish);
  if (!quote) throw refuse(insuranceErrors.NOT_INSURABLE);
  return quote;
}

/** The plans of a version with their rates; for many persons at once, each by `quoteOf`. */
export const getPlans = async (db: Handle, productVersionId: string) => (await documentOf(db, productVersionId)).plans;

/** How the product hangs together with others on a day, from both of its sides. */
export async function getLinks(db: Handle, productId: string, at: Day) {
  const rows = await own(db)
    .selectFrom('insuranceProductLink')
    .selectAll()
    .where('status', '=', 'ENABLED')
    .where((eb) => eb.or([eb('mainProductId', '=', productId), eb('otherProductId', '=', productId)]))
    .where('effectiveFrom', '<=', at)
    .where((eb) => eb.or([eb('effectiveTo', 'is', null), eb('effectiveTo', '>=', at)]))
    .orderBy('payOrder')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    linkId: row.id,
    linkType: row.linkType,
    mainProductId: row.mainProductId,
    otherProductId: row.otherProductId,
    attachMode: row.attachMode,
    shareGroups: z.parse(shareGroups, row.shareGroups),
    overflow: row.overflow,
    waiveWaiting: row.waiveWaiting,
    maxGapDays: row.maxGapDays,
    payOrder: row.payOrder,
    effectiveFrom: row.effectiveFrom,
    effectiveTo: row.effectiveTo,
  }));
}

/** Products of these ids by what they are called and which line they belong to; an id that no product has is not in the answer. */
export const getProducts = (db: Handle, ids: readonly string[]) =>
  own(db)
    .selectFrom('insuranceProduct')
    .select(['id as productId', 'productCode', 'productName', 'productLine', 'status'])
    .where('id', 'in', ['0', ...ids])
    .orderBy('id')
    .execute();

/** The insurer of a name that works with us; null where none does. */
export async function findInsurer(db: Handle, insurerName: string) {
  const row = await own(db)
    .selectFrom('insuranceInsurer')
    .select(['id', 'insurerName'])
    .where('insurerName', '=', insurerName)
    .where('status', '=', 'ENABLED')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row ? { insurerId: row.id, insurerName: row.insurerName } : null;
}

/** Short names of insurers, for the words of a data scope and for machine callers. */
export async function insurerNames(db: Handle, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await own(db)
    .selectFrom('insuranceInsurer')
    .select(['id', 'shortName'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, shortName }) => [id, shortName]));
}

/** Names of products by their codes; unknown codes are left out. */
export async function productNames(db: Handle, codes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (codes.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('insuranceProduct')
    .select(['productCode', 'productName'])
    .where('productCode', 'in', [...codes])
    .execute();
  return new Map(rows.map(({ productCode, productName }) => [productCode, productName]));
}

const insurersOf = (db: Handle) =>
  own(db)
    .selectFrom('insuranceInsurer')
    .select(['id as insurerId', 'insurerCode', 'insurerName', 'shortName', 'insurerType', 'uscc', 'auditMode', 'secondReviewFen'])
    .select(['listLayout', 'fundMode', 'invoiceVariant', 'status']);
type InsurerRow = Awaited<ReturnType<ReturnType<typeof insurersOf>['executeTakeFirstOrThrow']>>;
const insurerOf = ({ secondReviewFen, ...row }: InsurerRow) => ({
  ...row,
  secondReviewFen: secondReviewFen === null ? null : Number(secondReviewFen),
});

/** Null where there is none of that id. */
export async function getInsurer(db: Handle, insurerId: string) {
  const row = await insurersOf(db).where('id', '=', insurerId).executeTakeFirst();
  return row ? insurerOf(row) : null;
}

/** All insurers, those too that no longer work with us (`status`), by their names: for choices, and for whoever keeps something of each. */
export const listInsurers = async (db: Handle) => (await insurersOf(db).orderBy('insurerName').orderBy('id').execute()).map(insurerOf);

/**
 * What a chain was promised for a medicine on a day under a version, in fen; the chain's own price goes before the one for all. Null:
 * none was agreed.
 */
export async function getAgreementPrice(
  db: Handle,
  productVersionId: string,
  medicineId: string,
  chainId: string,
  date: Day,
): Promise<number | null> {
  const spec = await specOf(db, productVersionId);
  const ids = (spec?.formularies ?? [])
    .filter(({ effectiveFrom, effectiveTo }) => effectiveFrom <= date && (effectiveTo === null || effectiveTo >= date))
    .map(({ formularyVersionId }) => formularyVersionId);
  if (ids.length === 0) return null;
  const rows = await own(db)
    .selectFrom('insuranceFormularyLine')
    .select('agreementPrices')
    .where('formularyVersionId', 'in', ids)
    .where('medicineId', '=', medicineId)
    .orderBy('id')
    .execute();
  const held = rows
    .flatMap(({ agreementPrices }) => z.parse(z.array(agreementPrice), agreementPrices))
    .filter(({ from, to }) => from <= date && (to === null || to >= date));
  return (held.find((one) => one.chainId === chainId) ?? held.find((one) => one.chainId === '*'))?.priceFen ?? null;
}

/** How people enter a version, with what follows from its benefits. */
export async function getEnrolConfig(db: Handle, productVersionId: string) {
  const document = await documentOf(db, productVersionId);
  const formularies = document.benefits.flatMap(({ formularyVersionId }) => formularyVersionId ?? []);
  const indications =
    formularies.length === 0
      ? []
      : await own(db)
          .selectFrom('insuranceFormularyLine')
          .select(['medicineId', 'indicationCode', 'indicationText', 'icd10Prefixes', 'geneRequirement'])
          .where('formularyVersionId', 'in', formularies)
          .execute();
  const config: EnrolConfig = document.enrolConfig;
  const waiting = document.benefits.filter(({ waitingDays }) => waitingDays > 0);
  const daysOf = (benefits: readonly Benefit[]) => Math.max(0, ...benefits.map(({ waitingDays }) => waitingDays));
  const ofDisease = waiting.filter(({ waitingEffect }) => waitingEffect === 'DISEASE');
  return {
    ...config,
    waitingDays: daysOf(waiting),
    /** What the waiting time does: DISEASE where a benefit never pays for what was diagnosed within it; null: there is none. */
    waitingEffect: waiting.length === 0 ? null : ofDisease.length > 0 ? ('DISEASE' as const) : ('PERIOD' as const),
    /** So long is a diagnosis one that such a benefit never pays for. */
    diseaseWaitingDays: daysOf(ofDisease),
    preExistingCovered: document.benefits.some(({ preExistingMode }) => preExistingMode === 'COVER'),
    indications,
  };
}

/** What claims of a version are asked for and how long they may take, by their type; from a purchase on they may be made so long. */
export async function getClaimConfig(db: Handle, productVersionId: string) {
  const { claimTypes, claimWindowDays } = await documentOf(db, productVersionId);
  return { claimTypes, claimWindowDays };
}

/** @public */
export const getRights = async (db: Handle, productVersionId: string) => (await documentOf(db, productVersionId)).rights;

/** Says in the caller's transaction that a batch hangs on a definition; only one in force takes new ones. */
export async function pinEntitlement(
  tx: Tx,
  { entitlementDefId, refType, refId, now, today }: { entitlementDefId: string; refType: string; refId: string; now: string; today: Day },
): Promise<void> {
  const row = await ownTx(tx)
    .selectFrom('insuranceEntitlementDef')
    .select(['state', 'effectiveFrom', 'effectiveTo'])
    .where('id', '=', entitlementDefId)
    .forShare()
    .executeTakeFirst();
  if (!row || !isInForce(row, today)) throw refuse(insuranceErrors.NOTHING_PUBLISHED, { message: '权益定义未发布或不在有效期内' });
  await ownTx(tx)
    .insertInto('insuranceEntitlementPin')
    .values({ entitlementDefId, refType, refId, createdAt: now })
    .onConflict((on) => on.columns(['entitlementDefId', 'refType', 'refId']).doNothing())
    .execute();
}

/** Wording of a reason; null where nobody wrote one. */
export async function getReasonText(db: Handle, reasonCode: string) {
  const row = await own(db)
    .selectFrom('insuranceReasonText')
    .select(['reasonCode', 'label', 'applicantText', 'internalText'])
    .where('reasonCode', '=', reasonCode)
    .executeTakeFirst();
  return row ?? null;
}
