import { sql } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import type { Day } from '#kernel/contract/time.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { containsText } from '#kernel/server/database/search.ts';
import { query } from '#kernel/server/handler.ts';
import { queryProductOptions } from '../../contract/products/options.ts';
import { storeOptions } from '#domains/institution/server/index.ts';
import { insurerScope, insurerScopeOrCommon } from '../access.ts';
import { own, type InsuranceDb } from '../database.ts';

type Asked = CheckedInputOf<typeof queryProductOptions>;
interface Option {
  value: string;
  label: string;
  extra: Record<string, unknown>;
}

const MOST = 50;

/** The asked version, or the one of the product that is in force, else its newest. */
async function versionAsked(db: InsuranceDb, asked: Asked, viewer: Viewer, today: Day): Promise<string | null> {
  let found = db
    .selectFrom('insuranceProductVersion as v')
    .innerJoin('insuranceProduct as p', 'p.id', 'v.productId')
    .select('v.id')
    .where(scopeFilter(insurerScope('p.insurerId'), viewer));
  if (asked.productVersionId) found = found.where('v.id', '=', asked.productVersionId);
  else if (asked.productCode) found = found.where('p.productCode', '=', asked.productCode);
  else return null;
  const row = await found
    .orderBy(
      sql`v.state = 'PUBLISHED' and v.effective_from <= ${today}::date and (v.effective_to is null or v.effective_to >= ${today}::date)`,
      'desc',
    )
    .orderBy('v.versionNo', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

type Own = Exclude<Asked['type'], 'DRUGSTORE'>;
const readers: Record<Own, (db: InsuranceDb, asked: Asked, viewer: Viewer, today: Day) => Promise<Option[]>> = {
  async INSURER(db, { keyword, ids }, viewer) {
    let rows = db
      .selectFrom('insuranceInsurer')
      .select(['id', 'insurerCode', 'insurerName', 'shortName', 'status'])
      .where(scopeFilter(insurerScope('id'), viewer));
    rows = ids ? rows.where('id', 'in', ids) : rows.where('status', '=', 'ENABLED');
    if (keyword)
      rows = rows.where(containsText(sql`insurer_name || ' ' || short_name || ' ' || insurer_code || ' ' || name_pinyin`, keyword));
    return (await rows.orderBy('id').limit(MOST).execute()).map((row) => ({
      value: row.id,
      label: row.insurerName,
      extra: { code: row.insurerCode, shortName: row.shortName, status: row.status },
    }));
  },
  async PRODUCT(db, asked, viewer) {
    let rows = db
      .selectFrom('insuranceProduct')
      .select(['id', 'productCode', 'productName', 'productLine', 'productType', 'insurerId', 'sponsorName', 'status'])
      .where(scopeFilter(insurerScope('insurerId'), viewer));
    rows = asked.ids ? rows.where('id', 'in', asked.ids) : rows.where('status', '<>', 'RETIRED');
    if (asked.productCode) rows = rows.where('productCode', '=', asked.productCode);
    if (asked.productType) rows = rows.where('productType', '=', asked.productType);
    if (asked.productLine) rows = rows.where('productLine', 'in', asked.productLine);
    if (asked.keyword) rows = rows.where(containsText(sql`product_name || ' ' || short_name || ' ' || product_code`, asked.keyword));
    return (await rows.orderBy('id').limit(MOST).execute()).map((row) => ({
      value: row.id,
      label: row.productName,
      extra: {
        code: row.productCode,
        productLine: row.productLine,
        productType: row.productType,
        insurerId: row.insurerId,
        sponsorName: row.sponsorName,
        status: row.status,
      },
    }));
  },
  async PLAN(db, asked, viewer, today) {
    const versionId = await versionAsked(db, asked, viewer, today);
    if (versionId === null) return [];
    const rows = await db
      .selectFrom('insurancePlan')
      .select(['id', 'planCode', 'planName'])
      .where('productVersionId', '=', versionId)
      .orderBy('sort')
      .limit(MOST)
      .execute();
    return rows.map((row) => ({ value: row.planCode, label: row.planName, extra: { id: row.id } }));
  },
  async BENEFIT(db, asked, viewer, today) {
    const versionId = await versionAsked(db, asked, viewer, today);
    if (versionId === null) return [];
    const rows = await db
      .selectFrom('insuranceBenefit')
      .select(['id', 'benefitCode', 'benefitName'])
      .where('productVersionId', '=', versionId)
      .orderBy('priority')
      .limit(MOST)
      .execute();
    return rows.map((row) => ({ value: row.benefitCode, label: row.benefitName, extra: { id: row.id } }));
  },
  async REASON(db, { keyword }) {
    let rows = db.selectFrom('insuranceReasonText').select(['reasonCode', 'label']);
    if (keyword) rows = rows.where(containsText(sql`reason_code || ' ' || label`, keyword));
    return (await rows.orderBy('reasonCode').limit(200).execute()).map((row) => ({
      value: row.reasonCode,
      label: row.label,
      extra: {},
    }));
  },
  async FORMULARY(db, { keyword, ids }, viewer) {
    let rows = db.selectFrom('insuranceFormulary').select(['id', 'formularyCode', 'name']).where(insurerScopeOrCommon('insurerId')(viewer));
    if (ids) rows = rows.where('id', 'in', ids);
    if (keyword) rows = rows.where(containsText(sql`name || ' ' || formulary_code`, keyword));
    return (await rows.orderBy('id').limit(MOST).execute()).map((row) => ({
      value: row.id,
      label: row.name,
      extra: { code: row.formularyCode },
    }));
  },
  async ENTITLEMENT(db, { keyword, ids }) {
    let rows = db.selectFrom('insuranceEntitlementDef').select(['id', 'entitlementCode', 'name', 'kind', 'versionNo']);
    rows = ids ? rows.where('id', 'in', ids) : rows.where('state', '=', 'PUBLISHED');
    if (keyword) rows = rows.where(containsText(sql`name || ' ' || entitlement_code`, keyword));
    return (await rows.orderBy('id').limit(MOST).execute()).map((row) => ({
      value: row.id,
      label: `${row.name}（V${row.versionNo}）`,
      extra: { code: row.entitlementCode, kind: row.kind },
    }));
  },
};

export const productOptions = query(queryProductOptions, async (asked, ctx) => {
  if (asked.type !== 'DRUGSTORE') return readers[asked.type](own(ctx.db), asked, ctx.staff, ctx.today);
  const stores = await storeOptions(ctx.db, { keyword: asked.keyword, ids: asked.ids, limit: asked.ids?.length ?? MOST });
  return stores.map((one) => ({ ...one, extra: {} }));
});
