import type { ApplyType, ReimburseClass } from '../../contract/dictionaries.ts';
import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { MedicineRow } from '../../contract/calls/medicines.ts';
import { listedFieldKeys } from '../../contract/rules/medicineFields.ts';
import type { PharmaDb } from '../database.ts';

/** 全国. */
export const WHOLE_COUNTRY = '000000';

/** Only within its days: an expired tag drops off, whether content has said so already or its day is over. */
export const tagShown = (today: Day) =>
  sql<boolean>`
    t.state = 'ENABLED'
    and (t.valid_from is null or t.valid_from <= ${today}::date)
    and (t.valid_to is null or t.valid_to >= ${today}::date)`;

export const priceInForce = (today: Day) =>
  sql<boolean>`
    p.revoked_at is null and p.effective_from <= ${today}::date and (p.effective_to is null or p.effective_to >= ${today}::date)`;

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
  rows.select(listedFieldKeys.map((key) => `m.${key}` as const)).select([
    'm.id',
    'm.medicineNo',
    'h.shortName as holderName',
    'c.name as categoryName',
    'm.coldChain',
    'm.imageFileIds',
    'm.state',
    'm.updatedAt',
    'm.version',
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
export const presentMedicine = ({ priceMin, priceMax, imageFileIds, ...row }: Stored, prices: boolean): MedicineRow => ({
  ...row,
  coldChain: row.coldChain ?? false,
  imageFileId: imageFileIds[0] ?? null,
  priceMinFen: prices && priceMin !== null ? Number(priceMin) : null,
  priceMaxFen: prices && priceMax !== null ? Number(priceMax) : null,
});
