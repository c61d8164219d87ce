import type { ApplyType, ReimburseClass } from '../../contract/dictionaries.ts';
import { sql } from 'kysely';
import type { Day } from '../../../../kernel/contract/time.ts';
import type { MedicineRow } from '../../contract/calls/medicines.ts';
import type { PharmaDb } from '../database.ts';

/** 全国. */
export const WHOLE_COUNTRY = '000000';

/** Only within its days: an expired tag drops off, whether content has said so already or its day is over. */
export const tagShown = (today: Day) =>
  sql<boolean>`t.state = 'ENABLED' and (t.valid_from is null or t.valid_from <= ${today}::date) and (t.valid_to is null or t.valid_to >= ${today}::date)`;

export const priceInForce = (today: Day) =>
  sql<boolean>`p.revoked_at is null and p.effective_from <= ${today}::date and (p.effective_to is null or p.effective_to >= ${today}::date)`;

/** The province's own class of the day, else the whole country's. */
export const reimburseToday = (adcode: string | undefined, today: Day) =>
  sql<ReimburseClass | null>`(select r.reimburse_class from pharma_reimburse r where r.medicine_id = m.id
    and r.province_adcode in (${adcode ?? WHOLE_COUNTRY}, ${WHOLE_COUNTRY}) and r.effective_from <= ${today}::date
    and (r.effective_to is null or r.effective_to >= ${today}::date) order by r.province_adcode desc limit 1)`;

const marketPrice = (which: 'min' | 'max', today: Day) =>
  sql<string | null>`(select ${sql.raw(which)}(p.price_fen) from pharma_sku s join pharma_sku_price p on p.sku_id = s.id
    where s.medicine_id = m.id and s.state = 'ON' and p.price_type = 'MARKET' and ${priceInForce(today)})`;

export const medicines = (db: PharmaDb) =>
  db
    .selectFrom('pharmaMedicine as m')
    .leftJoin('pharmaCompany as h', 'h.id', 'm.holderId')
    .leftJoin('pharmaCategory as c', 'c.id', 'm.categoryId');

/** Medicines as the list shows them. */
export const medicineListColumns = (rows: ReturnType<typeof medicines>, today: Day, provinceAdcode?: string) =>
  rows.select([
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
    reimburseToday(provinceAdcode, today).as('reimburseClass'),
    sql<
      MedicineRow['tags']
    >`(select coalesce(jsonb_agg(jsonb_build_object('tagId', t.tag_id::text, 'name', t.name, 'colour', t.colour) order by t.tag_id), '[]')
        from pharma_medicine_tag mt join pharma_promotion_tag t on t.tag_id = mt.tag_id
        where mt.medicine_id = m.id and ${tagShown(today)})`.as('tags'),
    sql<string | null>`(select l.name from pharma_product_line_medicine b join pharma_product_line l on l.id = b.line_id
        where b.medicine_id = m.id and b.start_date <= ${today}::date and (b.end_date is null or b.end_date >= ${today}::date) limit 1)`.as(
      'lineName',
    ),
    sql<ApplyType | null>`(select a.apply_type from pharma_medicine_apply a where a.medicine_id = m.id and a.state = 'PENDING')`.as(
      'pendingApply',
    ),
  ]);

type Stored = Awaited<ReturnType<ReturnType<typeof medicineListColumns>['executeTakeFirstOrThrow']>>;

/** @param prices whether the asking role sees prices */
export const presentMedicine = (row: Stored, prices: boolean): MedicineRow => ({
  id: row.id,
  medicineNo: row.medicineNo,
  genericName: row.genericName,
  brandName: row.brandName,
  medicineKind: row.medicineKind,
  rxClass: row.rxClass,
  dosageForm: row.dosageForm,
  strength: row.strength,
  approvalNo: row.approvalNo,
  approvalValidTo: row.approvalValidTo,
  holderId: row.holderId,
  holderName: row.holderName,
  categoryId: row.categoryId,
  categoryName: row.categoryName,
  controlClass: row.controlClass,
  coldChain: row.coldChain ?? false,
  reimburseClass: row.reimburseClass,
  imageFileId: row.imageFileIds[0] ?? null,
  skuCount: row.skuCount,
  priceMinFen: prices && row.priceMin !== null ? Number(row.priceMin) : null,
  priceMaxFen: prices && row.priceMax !== null ? Number(row.priceMax) : null,
  tags: row.tags,
  lineName: row.lineName,
  pendingApply: row.pendingApply,
  state: row.state,
  updatedAt: row.updatedAt,
  version: row.version,
});
