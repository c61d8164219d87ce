import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { containsText } from '#kernel/server/database/search.ts';
import { daysOf } from '../contract/rules/daysSupply.ts';
import { own } from './database.ts';
import { medicinesByIds } from './medicines/medicineFacts.ts';
import { priceOn } from './skus/prices.ts';

type Handle = Db | Tx;

/** The catalogue as other domains read it; unknown ids are left out. @param goodsCode its package is the `spec` */
export async function getMedicines(db: Handle, ids: readonly string[], goodsCode?: string) {
  const tables = own(db);
  const medicines = await medicinesByIds(tables, [...new Set(ids)]);
  const skus =
    medicines.length === 0
      ? []
      : await tables
          .selectFrom('pharmaSku')
          .select(['medicineId', 'goodsCode', 'packSpec', 'packUnits', 'unit', 'state'])
          .where(
            'medicineId',
            'in',
            medicines.map((row) => row.id),
          )
          .orderBy('id')
          .execute();
  const skusOf = Map.groupBy(skus, (sku) => sku.medicineId);
  return medicines.map((row) => {
    const goods = skusOf.get(row.id) ?? [];
    return {
      medicineId: row.id,
      genericName: row.genericName,
      brandName: row.brandName,
      spec: goods.find((sku) => sku.goodsCode === goodsCode)?.packSpec ?? row.strength,
      manufacturer: row.makerName,
      approvalNo: row.approvalNo,
      rxRequired: row.rxRequired,
      coldChain: row.coldChain,
      controlClass: row.controlClass,
      taxCode: row.taxCode,
      taxRateBp: row.taxRateBp,
      taxScheme: row.taxScheme,
      categoryCode: row.categoryCode,
      pinyin: row.genericPinyin,
      indications: row.indications,
      state: row.state,
      skus: goods.map((sku) => ({
        goodsCode: sku.goodsCode,
        packUnits: sku.packUnits,
        unit: sku.unit,
        packSpec: sku.packSpec,
        state: sku.state,
      })),
    };
  });
}

/** Goods by their codes, with the medicine that each is a package of; unknown codes are left out. */
export async function goodsByCode(
  db: Handle,
  codes: readonly string[],
): Promise<ReadonlyMap<string, { medicineId: string; goodsName: string }>> {
  if (codes.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('pharmaSku as s')
    .innerJoin('pharmaMedicine as m', 'm.id', 's.medicineId')
    .select(['s.goodsCode', 's.medicineId', 's.packSpec', 'm.genericName'])
    .where('s.goodsCode', 'in', [...new Set(codes)])
    .execute();
  return new Map(
    rows.map(({ goodsCode, medicineId, packSpec, genericName }) => [goodsCode, { medicineId, goodsName: `${genericName} ${packSpec}` }]),
  );
}

/** What lists call goods, by their codes; unknown codes are left out. */
export async function goodsNames(db: Handle, codes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await goodsByCode(db, codes))].map(([code, { goodsName }]) => [code, goodsName]));
}

/** Price of a day in fen; null where there is none. Reimbursement standards need the province. */
export async function priceOf(
  db: Handle,
  goodsCode: string,
  priceType: 'MARKET' | 'SUPPLY' | 'REIMBURSE',
  at: Day,
  provinceAdcode = '',
): Promise<bigint | null> {
  const tables = own(db);
  const sku = await tables.selectFrom('pharmaSku').select('id').where('goodsCode', '=', goodsCode).executeTakeFirst();
  return sku ? priceOn(tables, { skuId: sku.id, priceType, provinceAdcode: priceType === 'REIMBURSE' ? provinceAdcode : '' }, at) : null;
}

/** The province's own row of the day, else the whole country's; null = not reimbursed anywhere. */
export async function reimburseOf(db: Handle, medicineId: string, provinceAdcode: string, at: Day) {
  const row = await own(db)
    .selectFrom('pharmaReimburse')
    .select(['reimburseClass', 'selfPayBp', 'restriction', 'provinceAdcode'])
    .where('medicineId', '=', medicineId)
    .where('provinceAdcode', 'in', [provinceAdcode, '000000'])
    .where('effectiveFrom', '<=', at)
    .where((eb) => eb.or([eb('effectiveTo', 'is', null), eb('effectiveTo', '>=', at)]))
    .orderBy('provinceAdcode', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

export async function getAgents(db: Handle, ids: readonly string[]) {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const tables = own(db);
  const agents = await tables
    .selectFrom('pharmaAgent')
    .select(['id', 'agentNo', 'name', 'state', 'companyId', 'adcodes'])
    .where('id', 'in', wanted)
    .orderBy('id')
    .execute();
  const lines = Map.groupBy(
    await tables.selectFrom('pharmaAgentLine').select(['agentId', 'lineId']).where('agentId', 'in', wanted).orderBy('lineId').execute(),
    (row) => row.agentId,
  );
  return agents.map(({ id, state, ...row }) => ({
    agentId: id,
    ...row,
    productLineIds: (lines.get(id) ?? []).map((line) => line.lineId),
    status: state,
  }));
}

export async function getProductLines(db: Handle, ids: readonly string[]) {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const rows = await own(db)
    .selectFrom('pharmaProductLine')
    .select(['id', 'lineNo', 'name', 'companyId', 'startDate', 'endDate', 'state'])
    .where('id', 'in', wanted)
    .orderBy('id')
    .execute();
  return rows.map(({ id, ...row }) => ({ productLineId: id, ...row }));
}

/** Representatives by the numbers that people call them; unknown ones are left out. */
export async function agentsByNo(db: Handle, numbers: readonly string[]) {
  const rows = await own(db)
    .selectFrom('pharmaAgent')
    .select('id')
    .where('agentNo', 'in', [...new Set(numbers), ''])
    .execute();
  const agents = await getAgents(
    db,
    rows.map(({ id }) => id),
  );
  return new Map(agents.map((agent) => [agent.agentNo, agent]));
}

/** Product lines by their numbers; unknown ones are left out. */
export async function linesByNo(db: Handle, numbers: readonly string[]) {
  const rows = await own(db)
    .selectFrom('pharmaProductLine')
    .select('id')
    .where('lineNo', 'in', [...new Set(numbers), ''])
    .execute();
  const lines = await getProductLines(
    db,
    rows.map(({ id }) => id),
  );
  return new Map(lines.map((line) => [line.lineNo, line]));
}

export async function getCompanies(db: Handle, ids: readonly string[]) {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const rows = await own(db)
    .selectFrom('pharmaCompany')
    .select(['id', 'companyNo', 'name', 'shortName', 'uscc', 'state'])
    .where('id', 'in', wanted)
    .orderBy('id')
    .execute();
  return rows.map(({ id, ...row }) => ({ companyId: id, ...row }));
}

/** Leaf categories for a picker of another domain, by their codes. */
export async function categoryOptions(
  db: Handle,
  { keyword, codes, limit }: { keyword?: string | undefined; codes?: readonly string[] | undefined; limit: number },
): Promise<{ value: string; label: string }[]> {
  let query = own(db)
    .selectFrom('pharmaCategory as c')
    .select(['c.code as value'])
    .select(
      sql<string>`(
        select string_agg(p.name, ' / ' order by p.depth) from pharma_category p where p.id = any(string_to_array(c.path, '.')::bigint[])
      )`.as('label'),
    );
  query = codes
    ? query.where('c.code', 'in', [...codes])
    : query.where('c.state', '=', 'ENABLED').where(sql<boolean>`not exists (select from pharma_category k where k.parent_id = c.id)`);
  if (keyword) query = query.where(containsText(sql`c.name || ' ' || c.code`, keyword));
  return query.orderBy('c.path').limit(limit).execute();
}

/** Whole days that boxes of a package last; null without a usual dose or for unknown goods. */
export async function daysSupply(db: Handle, goodsCode: string, boxes: number): Promise<number | null> {
  const row = await own(db)
    .selectFrom('pharmaSku as s')
    .innerJoin('pharmaMedicine as m', 'm.id', 's.medicineId')
    .select(['s.packUnits', 'm.defaultDose'])
    .where('s.goodsCode', '=', goodsCode)
    .executeTakeFirst();
  return row ? daysOf(row.packUnits, boxes, row.defaultDose as { amount: number; timesPerDay: number } | null) : null;
}

/** What a medicine is called, beside its number. */
export interface MedicineNamed {
  medicineId: string;
  medicineNo: string;
  genericName: string;
  brandName: string | null;
  spec: string | null;
  manufacturer: string | null;
  state: string;
}

/** Medicines by their ids or numbers, without what hangs on them: for lists of thousands. Unknown ones are left out. */
export async function namedMedicines(
  db: Handle,
  { ids = [], numbers = [] }: { ids?: readonly string[]; numbers?: readonly string[] },
): Promise<MedicineNamed[]> {
  if (ids.length + numbers.length === 0) return [];
  return own(db)
    .selectFrom('pharmaMedicine as m')
    .leftJoin('pharmaCompany as k', 'k.id', 'm.makerId')
    .select([
      'm.id as medicineId',
      'm.medicineNo',
      'm.genericName',
      'm.brandName',
      'm.strength as spec',
      'k.name as manufacturer',
      'm.state',
    ])
    .where(sql<boolean>`(m.id = any(${[...ids]}::bigint[]) or m.medicine_no = any(${[...numbers]}::text[]))`)
    .orderBy('m.id')
    .execute();
}
