import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Day } from '../../../../kernel/contract/time.ts';
import { containsText } from '../../../../kernel/server/database/search.ts';
import type { MedicineRow, queryMedicineList } from '../../contract/calls/medicines.ts';
import { applyTypes, controlClasses, dosageForms, medicineKinds, reimburseClasses, rxClasses } from '../../contract/dictionaries.ts';
import { medicineMachine } from '../../contract/states.ts';
import { coded, codedOrNull } from '../access.ts';
import type { PharmaDb } from '../database.ts';

export type MedicineFilter = Omit<CheckedInputOf<typeof queryMedicineList>, 'pageNo' | 'pageSize'>;

/** 全国. */
export const WHOLE_COUNTRY = '000000';

/** As it stands in the index. */
const searchText = sql`generic_name || ' ' || coalesce(brand_name, '') || ' ' || generic_pinyin || ' ' || brand_pinyin || ' ' || approval_no || ' ' || medicine_no`;

/**
 * Ids of the medicines that the filter finds; a category stands for its whole branch.
 * @param prices whether the asking role sees prices; who does not cannot ask by them
 */
export function matchingMedicines(db: PharmaDb, filter: MedicineFilter, today: Day, prices: boolean) {
  let query = db.selectFrom('pharmaMedicine').select('pharmaMedicine.id');
  const { keyword } = filter;
  if (keyword) {
    query = query.where((eb) =>
      eb.or([
        containsText(searchText, keyword),
        eb.exists(
          eb
            .selectFrom('pharmaSku as s')
            .whereRef('s.medicineId', '=', 'pharmaMedicine.id')
            .where((on) => on.or([on('s.barcode', '=', keyword), on('s.goodsCode', '=', keyword.toUpperCase())]))
            .select('s.id'),
        ),
      ]),
    );
  }
  if (filter.categoryId) {
    query = query.where(sql<boolean>`category_id in (
      select c.id from pharma_category c, pharma_category top where top.id = ${filter.categoryId} and (c.id = top.id or c.path like top.path || '.%'))`);
  }
  if (filter.companyId) {
    const company = filter.companyId;
    query = query.where((eb) => eb.or([eb('holderId', '=', company), eb('makerId', '=', company), eb('importerId', '=', company)]));
  }
  if (filter.lineId) {
    query = query.where(sql<boolean>`exists (select from pharma_product_line_medicine b where b.medicine_id = pharma_medicine.id
      and b.line_id = ${filter.lineId} and (b.end_date is null or b.end_date >= ${today}::date))`);
  }
  if (filter.medicineKind) query = query.where('medicineKind', 'in', filter.medicineKind);
  if (filter.rxClass) query = query.where('rxClass', 'in', filter.rxClass);
  if (filter.coldChain !== undefined) query = query.where('coldChain', '=', filter.coldChain);
  if (filter.state) query = query.where('state', 'in', filter.state);
  if (filter.tagId)
    query = query.where(
      sql<boolean>`exists (select from pharma_medicine_tag mt join pharma_promotion_tag t on t.tag_id = mt.tag_id where mt.medicine_id = pharma_medicine.id and t.tag_id = ${filter.tagId} and ${tagShown(today)})`,
    );
  if (filter.reimburseClass)
    query = query.where(sql<boolean>`${reimburseToday('pharma_medicine', filter.provinceAdcode, today)} = ${filter.reimburseClass}`);
  if (prices && (filter.priceFrom !== undefined || filter.priceTo !== undefined)) {
    query = query.where(sql<boolean>`exists (select from pharma_sku s join pharma_sku_price p on p.sku_id = s.id
      where s.medicine_id = pharma_medicine.id and ${priceInForce(today)} and p.price_type = 'MARKET'
        and p.price_fen between ${filter.priceFrom ?? 0} and ${filter.priceTo ?? Number.MAX_SAFE_INTEGER})`);
  }
  return query;
}

/** An expired tag drops off, whether content has said so already or its day is over. */
export const tagShown = (today: Day) => sql<boolean>`t.state = 'ENABLED' and (t.valid_to is null or t.valid_to >= ${today}::date)`;

const priceInForce = (today: Day) =>
  sql<boolean>`p.revoked_at is null and p.effective_from <= ${today}::date and (p.effective_to is null or p.effective_to >= ${today}::date)`;

/** The province's own class of the day, else the whole country's. */
const reimburseToday = (alias: 'm' | 'pharma_medicine', adcode: string | undefined, today: Day) =>
  sql<string | null>`(select r.reimburse_class from pharma_reimburse r where r.medicine_id = ${sql.ref(`${alias}.id`)}
    and r.province_adcode in (${adcode ?? WHOLE_COUNTRY}, ${WHOLE_COUNTRY}) and r.effective_from <= ${today}::date
    and (r.effective_to is null or r.effective_to >= ${today}::date) order by r.province_adcode desc limit 1)`;

const marketPrice = (which: 'min' | 'max', today: Day) =>
  sql<string | null>`(select ${sql.raw(which)}(p.price_fen) from pharma_sku s join pharma_sku_price p on p.sku_id = s.id
    where s.medicine_id = m.id and s.state = 'ON' and p.price_type = 'MARKET' and ${priceInForce(today)})`;

/** Medicines as the list shows them. */
export const medicineRows = (db: PharmaDb, today: Day, provinceAdcode?: string) =>
  db
    .selectFrom('pharmaMedicine as m')
    .leftJoin('pharmaCompany as h', 'h.id', 'm.holderId')
    .leftJoin('pharmaCategory as c', 'c.id', 'm.categoryId')
    .select([
      'm.id',
      'm.medicineNo',
      'm.genericName',
      'm.brandName',
      'm.medicineKind',
      'm.rxClass',
      'm.dosageForm',
      'm.strength',
      'm.approvalNo',
      'm.approvalValidTo',
      'm.holderId',
      'h.shortName as holderName',
      'm.categoryId',
      'c.name as categoryName',
      'm.controlClass',
      'm.coldChain',
      'm.imageFileIds',
      'm.state',
      'm.updatedAt',
      'm.version',
      'm.sort',
      sql<number>`(select count(*)::int from pharma_sku s where s.medicine_id = m.id)`.as('skuCount'),
      marketPrice('min', today).as('priceMin'),
      marketPrice('max', today).as('priceMax'),
      reimburseToday('m', provinceAdcode, today).as('reimburseClass'),
      sql<
        MedicineRow['tags']
      >`(select coalesce(jsonb_agg(jsonb_build_object('tagId', t.tag_id::text, 'name', t.name, 'colour', t.colour) order by t.tag_id), '[]')
        from pharma_medicine_tag mt join pharma_promotion_tag t on t.tag_id = mt.tag_id
        where mt.medicine_id = m.id and ${tagShown(today)})`.as('tags'),
      sql<string | null>`(select l.name from pharma_product_line_medicine b join pharma_product_line l on l.id = b.line_id
        where b.medicine_id = m.id and b.start_date <= ${today}::date and (b.end_date is null or b.end_date >= ${today}::date) limit 1)`.as(
        'lineName',
      ),
      sql<string | null>`(select a.apply_type from pharma_medicine_apply a where a.medicine_id = m.id and a.state = 'PENDING')`.as(
        'pendingApply',
      ),
    ]);

type Stored = Awaited<ReturnType<ReturnType<typeof medicineRows>['executeTakeFirstOrThrow']>>;

/** @param prices whether the asking role sees prices */
export const presentMedicine = (row: Stored, prices: boolean): MedicineRow => ({
  id: row.id,
  medicineNo: row.medicineNo,
  genericName: row.genericName,
  brandName: row.brandName,
  medicineKind: coded(medicineKinds, row.medicineKind),
  rxClass: codedOrNull(rxClasses, row.rxClass),
  dosageForm: codedOrNull(dosageForms, row.dosageForm),
  strength: row.strength,
  approvalNo: row.approvalNo,
  approvalValidTo: row.approvalValidTo,
  holderId: row.holderId,
  holderName: row.holderName,
  categoryId: row.categoryId,
  categoryName: row.categoryName,
  controlClass: coded(controlClasses, row.controlClass),
  coldChain: row.coldChain ?? false,
  reimburseClass: codedOrNull(reimburseClasses, row.reimburseClass),
  imageFileId: row.imageFileIds[0] ?? null,
  skuCount: row.skuCount,
  priceMinFen: prices && row.priceMin !== null ? Number(row.priceMin) : null,
  priceMaxFen: prices && row.priceMax !== null ? Number(row.priceMax) : null,
  tags: row.tags,
  lineName: row.lineName,
  pendingApply: codedOrNull(applyTypes, row.pendingApply),
  state: coded(medicineMachine.dictionary, row.state),
  updatedAt: row.updatedAt,
  version: row.version,
});
