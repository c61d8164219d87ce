import { sql } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import { factsBy, numberVariable, optionVariable, yesOrNo, type ObjectRules } from '#kernel/server/objectTypes.ts';
import { medicineKinds } from '../../contract/dictionaries.ts';
import { priceInForce } from './medicineRows.ts';

const changed = ['pharma.medicine.changed'];
const source = '药品目录';

/** What mark rules may ask of a medicine. */
export const medicineRules: ObjectRules = {
  variables: [
    optionVariable({ code: 'medicine.rxRequired', name: '是否处方药', source, refreshOn: changed }, yesOrNo),
    optionVariable({ code: 'medicine.coldChain', name: '是否冷链', source, refreshOn: changed }, yesOrNo),
    optionVariable({ code: 'medicine.onSale', name: '是否上架', source, refreshOn: changed }, yesOrNo),
    optionVariable(
      { code: 'medicine.kind', name: '商品大类', source, refreshOn: changed },
      medicineKinds.options.map(({ value, label }) => ({ value, label })),
    ),
    numberVariable({ code: 'medicine.retailPrice', name: '零售价', source: '商品价格', refreshOn: changed }, '元', 2),
    numberVariable({ code: 'medicine.daysOnSale', name: '首次上架天数', source, refreshOn: [] }, '天'),
  ],
  facts: factsBy({
    'medicine.rxRequired': (ids) =>
      sql`
        select id::text as id, case when rx_required then '1' else '0' end as value, updated_at as at
          from pharma_medicine
          where id = any(${[...ids]}::bigint[])`,
    'medicine.coldChain': (ids) =>
      sql`
        select id::text as id, case when cold_chain then '1' else '0' end as value, updated_at as at
          from pharma_medicine
          where id = any(${[...ids]}::bigint[])`,
    'medicine.onSale': (ids) =>
      sql`
        select id::text as id, case when state = 'ON' then '1' else '0' end as value, updated_at as at
          from pharma_medicine
          where id = any(${[...ids]}::bigint[])`,
    'medicine.kind': (ids) =>
      sql`select id::text as id, medicine_kind as value, updated_at as at from pharma_medicine where id = any(${[...ids]}::bigint[])`,
    // The lowest one of the goods on sale, in yuan as conditions are written.
    'medicine.retailPrice': (ids, now) =>
      sql`
        select s.medicine_id::text as id, (min(p.price_fen) / 100.0)::numeric(14, 2)::text as value, max(p.created_at) as at
          from pharma_sku s
          join pharma_sku_price p on p.sku_id = s.id
          where s.medicine_id = any(${[...ids]}::bigint[]) and s.state = 'ON' and p.price_type = 'MARKET' and ${priceInForce(dayOf(now))}
          group by s.medicine_id`,
    'medicine.daysOnSale': (ids, now) =>
      sql`
        select id::text as id,
            floor(extract(epoch from greatest(${now}::timestamptz - first_on_at, interval '0')) / 86400)::int::text as value,
            first_on_at as at
          from pharma_medicine
          where id = any(${[...ids]}::bigint[]) and first_on_at is not null`,
  }),
};
