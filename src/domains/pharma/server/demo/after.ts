import { sql } from 'kysely';
import type { DemoContext } from '#kernel/server/module.ts';

/** Words of a line's name or therapy area, and of the diseases that it is for. */
const DISEASES: readonly (readonly [line: string, disease: string])[] = [
  ['肺癌', '%肺%'],
  ['乳腺癌', '%乳腺%'],
  ['糖尿病', '%糖尿病%'],
  ['胰岛素', '%糖尿病%'],
  ['心', '%高血压%'],
  ['肝病', '%肝%'],
  ['肿瘤', '%癌%'],
  ['呼吸', '%哮喘%'],
];

/** What the demonstrations of others are needed for: diseases of the lines, hospitals that representatives serve. */
export async function writeDemoAfter({ transaction }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    for (const [line, disease] of DISEASES) {
      await sql`
        update pharma_product_line
          set disease_ids = (
            select coalesce(array_agg(f.id), '{}')
              from (select d.id from corpus_disease d where d.disease_name like ${disease} order by d.id limit 3) f
          )
          where disease_ids = '{}' and (name like ${`%${line}%`} or therapy_area like ${`%${line}%`})`.execute(tx);
    }
    await sql`
      update pharma_agent a
        set hospital_ids = (
          select coalesce(array_agg(f.id), '{}')
            from (
              select h.id
                from institution_hospital h
                where h.state = 'ENABLED' and h.parent_id is null and left(h.adcode, 2) = left(a.adcodes[1], 2)
                order by (h.id * 7919 + a.id) % 1009, h.id limit 3
            ) f
        )
        where a.rank = 'MR' and a.state <> 'LEFT'`.execute(tx);
  });
}
