import { sql } from 'kysely';
import { containsText } from '#kernel/server/database/search.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { elsewhere } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf, type FilterOf, type ListAsk } from '#kernel/server/list/listOf.ts';
import { exportMedicineList, queryMedicineList } from '../../contract/calls/medicines.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { pictureUrl } from '../pictures.ts';
import { medicineListColumns, medicines, presentMedicine, priceInForce, reimburseToday, tagShown } from './medicineRows.ts';

/** As it stands in the index. */
const searchText = sql`
  m.generic_name || ' ' || coalesce(m.brand_name, '') || ' ' || m.generic_pinyin || ' ' || m.brand_pinyin || ' ' || m.approval_no || ' '
    || m.medicine_no`;

/** Who sees no prices cannot ask by them. */
const pricedWithin = ({ filter, today, has }: ListAsk<FilterOf<typeof queryMedicineList>>) =>
  has(may['price.view'])
    ? sql<boolean>`exists (select from pharma_sku s join pharma_sku_price p on p.sku_id = s.id
        where s.medicine_id = m.id and ${priceInForce(today)} and p.price_type = 'MARKET'
          and p.price_fen between ${filter.priceFrom ?? 0} and ${filter.priceTo ?? Number.MAX_SAFE_INTEGER})`
    : undefined;

/** @param kernel signs the addresses of the pictures */
export const medicineList = (kernel: Kernel) =>
  listOf(queryMedicineList)
    .from(({ db }) => medicines(own(db)))
    .with({
      where: {
        keyword: (eb, keyword) =>
          eb.or([
            containsText(searchText, keyword),
            sql<boolean>`
              exists (
                select from pharma_sku s where s.medicine_id = m.id and (s.barcode = ${keyword} or s.goods_code = ${keyword.toUpperCase()})
              )`,
          ]),
        // A category stands for its whole branch.
        categoryId: (_eb, categoryId) => sql<boolean>`m.category_id in (select b.id from pharma_category b, pharma_category top
          where top.id = ${categoryId} and (b.id = top.id or b.path like top.path || '.%'))`,
        companyId: (eb, company) =>
          eb.or([eb('m.holderId', '=', company), eb('m.makerId', '=', company), eb('m.importerId', '=', company)]),
        lineId: (_eb, lineId, { today }) => sql<boolean>`exists (select from pharma_product_line_medicine b where b.medicine_id = m.id
          and b.line_id = ${lineId} and (b.end_date is null or b.end_date >= ${today}::date))`,
        medicineKind: 'm.medicineKind',
        rxClass: 'm.rxClass',
        reimburseClass: (_eb, reimburseClass, { filter, today }) =>
          sql<boolean>`${reimburseToday(filter.provinceAdcode, today)} = ${reimburseClass}`,
        provinceAdcode: elsewhere,
        coldChain: 'm.coldChain',
        tagId: (_eb, tagId, { today }) => sql<boolean>`exists (select from pharma_medicine_tag mt
          join pharma_promotion_tag t on t.tag_id = mt.tag_id where mt.medicine_id = m.id and t.tag_id = ${tagId} and ${tagShown(today)})`,
        state: 'm.state',
        priceFrom: (_eb, _from, ask) => pricedWithin(ask),
        priceTo: (_eb, _to, ask) => (ask.filter.priceFrom === undefined ? pricedWithin(ask) : undefined),
      },
      id: 'm.id',
      order: [['m.updatedAt', 'desc']],
      sorts: { medicineNo: 'm.medicineNo', genericName: 'm.genericPinyin', updatedAt: 'm.updatedAt' },
      select: (query, { today, filter }) => medicineListColumns(query, today, filter.provinceAdcode),
      present: (rows, { now, has }) =>
        rows.map((row) => ({
          ...presentMedicine(row, has(may['price.view'])),
          imageUrl: pictureUrl(kernel, row.imageFileIds[0] ?? null, now),
        })),
    });

export const medicineExport = (list: ReturnType<typeof medicineList>) =>
  listExport(list, {
    call: exportMedicineList,
    title: '药品',
    routeKey: 'medicineManagementTable',
    columns: [
      'medicineNo',
      'genericName',
      'brandName',
      'medicineKind',
      'strength',
      'dosageForm',
      'approvalNo',
      'approvalValidTo',
      'holderName',
      'categoryName',
      'rxClass',
      'reimburseClass',
      'coldChain',
      'skuCount',
      { key: 'priceMinFen', label: '最低零售价（元）', kind: 'money', value: (row) => row.priceMinFen },
      { key: 'priceMaxFen', label: '最高零售价（元）', kind: 'money', value: (row) => row.priceMaxFen },
      'lineName',
      'state',
      'updatedAt',
    ],
  });
