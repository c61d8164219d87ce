import { sql } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { containsText } from '#kernel/server/database/search.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { queryAgentSelectOptions, queryDrugSelectOptions } from '../contract/calls/options.ts';
import { agentScope, type Viewer } from './agents/agentRows.ts';
import type { PharmaDb } from './database.ts';

type Asked = CheckedInputOf<typeof queryDrugSelectOptions>;
interface Option {
  value: string;
  label: string;
  extra: Record<string, unknown>;
}

const option = (value: string, label: string, extra: Record<string, unknown> = {}): Option => ({ value, label, extra });

const readers: Record<Asked['type'], (db: PharmaDb, asked: Asked, today: Day) => Promise<Option[]>> = {
  async COMPANY(db, { keyword, ids, limit }) {
    let query = db.selectFrom('pharmaCompany').select(['id', 'name', 'shortName', 'roles', 'state']);
    query = ids ? query.where('id', 'in', ids) : query.where('state', '=', 'ENABLED');
    if (keyword) query = query.where(containsText(sql`name || ' ' || short_name || ' ' || name_pinyin`, keyword));
    return (await query.orderBy('id').limit(limit).execute()).map((row) =>
      option(row.id, row.name, { shortName: row.shortName, roles: row.roles, state: row.state }),
    );
  },
  async LINE(db, { keyword, ids, limit, companyId }) {
    let query = db
      .selectFrom('pharmaProductLine as l')
      .innerJoin('pharmaCompany as c', 'c.id', 'l.companyId')
      .select(['l.id', 'l.name', 'c.shortName', 'l.state', 'l.companyId']);
    query = ids ? query.where('l.id', 'in', ids) : query.where('l.state', '<>', 'STOPPED');
    if (companyId) query = query.where('l.companyId', '=', companyId);
    if (keyword) query = query.where(containsText(sql`l.name || ' ' || c.short_name`, keyword));
    return (await query.orderBy('l.id').limit(limit).execute()).map((row) =>
      option(row.id, `${row.shortName} · ${row.name}`, { name: row.name, companyId: row.companyId, state: row.state }),
    );
  },
  async MEDICINE(db, { keyword, ids, limit }) {
    let query = db.selectFrom('pharmaMedicine').select(['id', 'medicineNo', 'genericName', 'brandName', 'strength', 'approvalNo', 'state']);
    query = ids ? query.where('id', 'in', ids) : query.where('state', 'in', ['OFF', 'ON']);
    if (keyword) {
      query = query.where(
        containsText(
          sql`
            generic_name || ' ' || coalesce(brand_name, '') || ' ' || generic_pinyin || ' ' || brand_pinyin || ' ' || approval_no || ' '
              || medicine_no`,
          keyword,
        ),
      );
    }
    return (await query.orderBy('id').limit(limit).execute()).map((row) =>
      option(
        row.id,
        [row.genericName, row.brandName && `（${row.brandName}）`, row.strength && ` ${row.strength}`].filter(Boolean).join(''),
        { medicineNo: row.medicineNo, approvalNo: row.approvalNo, state: row.state },
      ),
    );
  },
  async SKU(db, { keyword, ids, limit }) {
    let query = db
      .selectFrom('pharmaSku as s')
      .innerJoin('pharmaMedicine as m', 'm.id', 's.medicineId')
      .select(['s.id', 's.goodsCode', 's.packSpec', 'm.genericName', 's.state', 'm.id as medicineId']);
    // On sale: a package of a medicine that is off cannot be ordered.
    query = ids ? query.where('s.id', 'in', ids) : query.where('s.state', '=', 'ON').where('m.state', '=', 'ON');
    if (keyword)
      query = query.where(
        containsText(sql`m.generic_name || ' ' || m.generic_pinyin || ' ' || s.goods_code || ' ' || coalesce(s.barcode, '')`, keyword),
      );
    return (await query.orderBy('s.id').limit(limit).execute()).map((row) =>
      option(row.id, `${row.genericName} ${row.packSpec}（${row.goodsCode}）`, {
        goodsCode: row.goodsCode,
        medicineId: row.medicineId,
        state: row.state,
      }),
    );
  },
  async CATEGORY(db, { keyword, ids, limit }) {
    let query = db
      .selectFrom('pharmaCategory as c')
      .select(['c.id', 'c.name', 'c.code', 'c.kind'])
      .where(sql<boolean>`not exists (select from pharma_category k where k.parent_id = c.id)`);
    query = ids ? query.where('c.id', 'in', ids) : query.where('c.state', '=', 'ENABLED');
    if (keyword) query = query.where(containsText(sql`c.name || ' ' || c.code`, keyword));
    const rows = await query
      .select(
        sql<string>`(
          select string_agg(p.name, ' / ' order by p.depth) from pharma_category p where p.id = any(string_to_array(c.path, '.')::bigint[])
        )`.as('trail'),
      )
      .orderBy('c.path')
      .limit(limit)
      .execute();
    return rows.map((row) => option(row.id, row.trail, { code: row.code, kind: row.kind }));
  },
  async DISEASE(db, { keyword, ids, limit }) {
    let query = db.selectFrom('pharmaDiseaseCopy').select(['diseaseId', 'diseaseName', 'diseaseCode']);
    if (ids) query = query.where('diseaseId', 'in', ids);
    if (keyword) query = query.where(containsText(sql`disease_name || ' ' || disease_code`, keyword));
    return (await query.orderBy('diseaseId').limit(limit).execute()).map((row) =>
      option(row.diseaseId, row.diseaseName, { code: row.diseaseCode }),
    );
  },
};

/** Choices by keyword, or the labels of known ids. */
export const drugOptions = (db: PharmaDb, asked: Asked, today: Day): Promise<Option[]> => readers[asked.type](db, asked, today);

export async function agentOptions(
  db: PharmaDb,
  { keyword, ids, limit, companyId }: CheckedInputOf<typeof queryAgentSelectOptions>,
  viewer: Viewer,
): Promise<Option[]> {
  let query = db.selectFrom('pharmaAgent').select(['id', 'agentNo', 'name', 'rank', 'state', 'companyId']).where(agentScope(viewer));
  query = ids ? query.where('id', 'in', ids) : query.where('state', '=', 'ACTIVE');
  if (companyId) query = query.where('companyId', '=', companyId);
  if (keyword) query = query.where(containsText(sql`name || ' ' || name_pinyin || ' ' || agent_no`, keyword));
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map((row) =>
    option(row.id, `${row.name}（${row.agentNo}）`, { name: row.name, rank: row.rank, state: row.state, companyId: row.companyId }),
  );
}
