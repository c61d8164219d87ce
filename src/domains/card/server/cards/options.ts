import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { query } from '#kernel/server/handler.ts';
import { storeOptions } from '#domains/institution/server/index.ts';
import { categoryOptions } from '#domains/pharma/server/index.ts';
import { querySelectOptions, type optionTypes } from '../../contract/calls/cards.ts';

const MOST = 50;
type OptionType = (typeof optionTypes)[number];
interface Wish {
  keyword: string | undefined;
  /** Null: those that the keyword finds. */
  ids: readonly string[] | null;
}
interface Option {
  value: string;
  label: string;
}
type Reader = (db: Db, wish: Wish) => Promise<Option[]>;

const rowsOf =
  (source: ReturnType<typeof sql>): Reader =>
  async (db, { keyword, ids }) => {
    const chosen = ids ? sql`where o.value = any(${ids})` : keyword ? sql`where o.label ilike ${containsPattern(keyword)}` : sql``;
    const { rows } =
      await sql<Option>`select o.value, o.label from (${source}) o ${chosen} order by o.rank desc limit ${ids?.length ?? MOST}`.execute(db);
    return rows;
  };
const funders = (funder: string) =>
  rowsOf(sql`select id::text as value, name as label, id as rank from card_funder where funder = ${funder}`);

/** What there is to choose from; merchants are those that anything was written off at. */
const readers: Readonly<Record<OptionType, Reader>> = {
  CARD_TYPE: rowsOf(sql`select id::text as value, type_name as label, id as rank from card_type`),
  BATCH: rowsOf(
    sql`
      select b.id::text as value, b.batch_no || ' ' || t.type_name as label, b.id as rank
        from card_batch b
        join card_type t on t.id = b.card_type_id`,
  ),
  MERCHANT: rowsOf(
    sql`select merchant_id::text as value, min(merchant_name) as label, max(id) as rank from card_write_off group by merchant_id`,
  ),
  DRUGSTORE: (db, { keyword, ids }) =>
    storeOptions(db, { keyword, limit: ids?.length ?? MOST, ...(ids && { ids: ids.filter((id) => /^\d{1,18}$/.test(id)) }) }),
  CATEGORY: (db, { keyword, ids }) => categoryOptions(db, { keyword, limit: ids?.length ?? MOST, ...(ids && { codes: ids }) }),
  INSURER: funders('INSURER'),
  SPONSOR: funders('SPONSOR'),
};

export const options = query(querySelectOptions, async ({ type, keyword, ids }, { db }) =>
  readers[type](db, { keyword, ids: ids && ids.length > 0 ? ids : null }),
);
