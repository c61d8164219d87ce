import { sql, type SqlBool } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import { regionPrefix } from '#kernel/server/auth/scope.ts';
import { containsText } from '#kernel/server/database/search.ts';
import { query } from '#kernel/server/handler.ts';
import { contains } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { documentPhases, isInForce, phaseOf, type DocumentState } from '../../contract/documents/states.ts';
import { exportProductList, queryProductCounts, queryProductList } from '../../contract/products/listCalls.ts';
import { productStates } from '../../contract/products/states.ts';
import { productRecords } from './records.ts';

interface VersionLine {
  id: string;
  versionNo: number;
  state: DocumentState;
  effectiveFrom: Day;
  effectiveTo: Day | null;
}

/** `V3 生效中 2026-01-01起`. */
export const versionText = (one: VersionLine, today: Day): string =>
  `V${one.versionNo} ${documentPhases.label(phaseOf(one, today))} ${one.effectiveFrom}起`;
const shortOf = (one: VersionLine | undefined, today: Day) =>
  one ? { id: one.id, versionNo: one.versionNo, text: versionText(one, today) } : null;

/** Of the versions of one parent: the one in force, else the last that was; and the one that is written, waits for its audit or its day. */
export function currentAndNext<V extends VersionLine>(versions: readonly V[], today: Day): { current: V | undefined; next: V | undefined } {
  const published = versions.filter(({ state }) => state === 'PUBLISHED').toSorted((a, b) => (a.effectiveFrom < b.effectiveFrom ? 1 : -1));
  const current = published.find((one) => isInForce(one, today)) ?? published.find(({ effectiveFrom }) => effectiveFrom <= today);
  const open = versions.find(({ state }) => state === 'DRAFT' || state === 'PENDING_AUDIT' || state === 'REJECTED');
  const waiting = published.filter(({ effectiveFrom }) => effectiveFrom > today).at(-1);
  return { current, next: open ?? waiting };
}

/** Who pays for a product `p`, by name. */
export const payerName = sql<string>`
  concat_ws('、', (select i.short_name from insurance_insurer i where i.id = p.insurer_id), p.sponsor_name)`;

/** @param kernel knows the names of members of staff */
export const productList = (kernel: Kernel) =>
  listOf(queryProductList)
    .from(({ db, staff }) => productRecords.seen(db, staff))
    .with({
      where: {
        productCode: contains('p.productCode'),
        productName: (_eb, name) => containsText(sql`p.product_name || ' ' || p.short_name`, name),
        insurerId: 'p.insurerId',
        productLine: 'p.productLine',
        productType: 'p.productType',
        status: 'p.status',
        // What is sold everywhere is sold there too; so is what is sold in a part of the region, or in all around it.
        adcode: (_eb, adcode) =>
          sql<SqlBool>`(p.adcodes = '{}' or exists (select from unnest(p.adcodes) a
            where a like ${`${regionPrefix(adcode)}%`} or ${adcode} like rtrim(a, '0') || '%'))`,
        versionState: (_eb, states) =>
          sql<SqlBool>`
            exists (select from insurance_product_version v where v.product_id = p.id and v.state = any(${[...states]}::text[]))`,
        ownerUserId: 'p.ownerUserId',
      },
      id: 'p.id',
      sorts: {
        productCode: 'p.productCode',
        linkCount: sql.ref('linkCount'),
        policyCount: sql.ref('policyCount'),
        updatedAt: 'p.updatedAt',
      },
      bounded: 'products are some hundreds',
      select: (rows, { today }) =>
        rows.selectAll('p').select([
          payerName.as('payerName'),
          sql<VersionLine[]>`(select coalesce(jsonb_agg(jsonb_build_object('id', v.id::text, 'versionNo', v.version_no, 'state', v.state,
              'effectiveFrom', v.effective_from, 'effectiveTo', v.effective_to)), '[]') from insurance_product_version v
              where v.product_id = p.id)`.as('versions'),
          sql<number>`(select count(*)::int from insurance_product_link l
              where l.status = 'ENABLED' and (l.main_product_id = p.id or l.other_product_id = p.id))`.as('linkCount'),
          sql<number>`(select count(*)::int from insurance_version_pin n join insurance_product_version v on v.id = n.product_version_id
              where v.product_id = p.id and (n.ends_on is null or n.ends_on >= ${today}))`.as('policyCount'),
        ]),
      present: async (rows, { db, today, has }) => {
        if (rows.length === 0) return [];
        const names = await kernel.ports.people.names(db, [
          ...new Set(rows.flatMap(({ ownerUserId, updatedBy }) => [ownerUserId, updatedBy].filter((one) => one !== null))),
        ]);
        return rows.map((row) => {
          const { current, next } = currentAndNext(row.versions, today);
          return {
            id: row.id,
            productCode: row.productCode,
            productName: row.productName,
            productLine: row.productLine,
            productType: row.productType,
            payerName: row.payerName,
            current: shortOf(current, today),
            next: shortOf(next, today),
            linkCount: row.linkCount,
            policyCount: row.policyCount,
            ownerName: row.ownerUserId ? (names.get(row.ownerUserId) ?? null) : null,
            status: row.status,
            updatedByName: row.updatedBy ? (names.get(row.updatedBy) ?? null) : null,
            updatedAt: row.updatedAt,
            version: row.version,
            allowedActions: productStates.allowed(row.status, has),
          };
        });
      },
    });

export const productExport = (list: ReturnType<typeof productList>) =>
  listExport(list, {
    call: exportProductList,
    title: '保险产品',
    routeKey: 'productHome',
    columns: [
      'productCode',
      'productName',
      'productLine',
      'productType',
      'payerName',
      'current',
      'next',
      'linkCount',
      'policyCount',
      'ownerName',
      'status',
      'updatedByName',
      'updatedAt',
    ],
  });

export const productCounts = query(queryProductCounts, async (_input, ctx) => {
  const rows = await productRecords
    .seen(ctx.db, ctx.staff)
    .select(['p.status', sql<number>`count(*)::int`.as('count')])
    .groupBy('p.status')
    .execute();
  return productStates.dictionary.codes.map((status) => ({ status, count: rows.find((row) => row.status === status)?.count ?? 0 }));
});
