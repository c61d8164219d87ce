import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';

/** The nightly checks (pharma.md): what the database's own constraints cannot say. Answers one line per fault. */
export async function findFaults(db: Db, today: Day): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'I2 medicine ' || m.medicine_no || ' is ON without a priced saleable sku or a valid approval' as fault
      from pharma_medicine m
      where m.state = 'ON'
        and (
          m.approval_valid_to < ${today}::date
          or not exists (
            select from pharma_sku s
              join pharma_sku_price p on p.sku_id = s.id
              where s.medicine_id = m.id
                and s.state = 'ON'
                and p.price_type = 'MARKET'
                and p.revoked_at is null
                and p.effective_from <= ${today}::date
                and (p.effective_to is null or p.effective_to >= ${today}::date)
          )
        )
    union all
    select 'I4 supply above market on sku ' || l.sku_id
      from pharma_sku_price l
      join pharma_sku_price h on h.sku_id = l.sku_id
        and h.price_type = 'MARKET'
        and h.revoked_at is null
        and daterange(h.effective_from, h.effective_to, '[]') && daterange(l.effective_from, l.effective_to, '[]')
      where l.price_type = 'SUPPLY' and l.revoked_at is null and l.price_fen > h.price_fen
    union all
    select 'I6 path of agent ' || a.agent_no
      from pharma_agent a
      left join pharma_agent p on p.id = a.parent_id
      where a.path <> coalesce(p.path, '{}') || a.id
        or p.company_id <> a.company_id
        or array_position(array['BU', 'RM', 'DM', 'MR'], p.rank) >= array_position(array['BU', 'RM', 'DM', 'MR'], a.rank)
    union all
    select 'I7 left agent ' || a.agent_no || ' still has people, doctors or channels'
      from pharma_agent a
      where a.state = 'LEFT'
        and (
          exists (select from pharma_agent c where c.parent_id = a.id and c.state <> 'LEFT')
          or exists (select from pharma_agent_doctor d where d.agent_id = a.id and d.until is null)
          or exists (select from pharma_agent_channel k where k.agent_id = a.id)
        )
    union all
    select 'I8 path or depth of category ' || c.code
      from pharma_category c
      left join pharma_category p on p.id = c.parent_id
      where c.depth <> coalesce(p.depth, 0) + 1 or c.path <> coalesce(p.path || '.', '') || c.id limit 100`.execute(db);
  return rows.map((row) => row.fault);
}
