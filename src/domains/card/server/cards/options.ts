import { sql } from 'kysely';
import { containsPattern } from '../../../../kernel/server/database/search.ts';
import { query } from '../../../../kernel/server/handler.ts';
import { querySelectOptions, type optionTypes } from '../../contract/calls/cards.ts';

const MOST = 50;
type OptionType = (typeof optionTypes)[number];

/** What there is to choose from; merchants are those that anything was written off at. */
const sources: Readonly<Record<OptionType, ReturnType<typeof sql<{ value: string; label: string }>>>> = {
  CARD_TYPE: sql`select id::text as value, type_name as label, id as rank from card_type`,
  BATCH: sql`select b.id::text as value, b.batch_no || ' ' || t.type_name as label, b.id as rank from card_batch b join card_type t on t.id = b.card_type_id`,
  MERCHANT: sql`select merchant_id::text as value, min(merchant_name) as label, max(id) as rank from card_write_off group by merchant_id`,
};

export const options = query(querySelectOptions, async ({ type, keyword, ids }, { db }) => {
  const chosen =
    ids && ids.length > 0 ? sql`where o.value = any(${ids})` : keyword ? sql`where o.label ilike ${containsPattern(keyword)}` : sql``;
  const { rows } = await sql<{ value: string; label: string }>`
    select o.value, o.label from (${sources[type]}) o ${chosen} order by o.rank desc limit ${MOST}`.execute(db);
  return rows;
});
