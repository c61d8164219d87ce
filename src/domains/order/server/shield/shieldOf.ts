import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { ShieldScope } from '../../contract/dictionaries.ts';
import { cityOf } from '../../contract/rules/city.ts';

export interface ShieldAsk {
  goodsCode: string;
  productCode?: string | undefined;
  /** A city or a district of it. */
  cityCode?: string | undefined;
  channelId?: string | undefined;
  at: Day;
}

export interface Shield {
  shieldId: string;
  displayText: string;
  scope: ShieldScope;
  scopeWords: string;
  reason: string;
}

/**
 * The row by which goods cannot be put into the cart on a day: one for the person's product before one for the channel, the city, and
 * everybody. Null: the button is shown. The one answer for the app and for whoever tries it out.
 */
export async function shieldOf(db: Db | Tx, { goodsCode, productCode, cityCode, channelId, at }: ShieldAsk): Promise<Shield | null> {
  const { rows } = await sql<Shield>`
    select s.id as shield_id, s.display_text, s.scope, s.scope_words, s.reason
      from order_shield_value v
      join order_shield s on s.id = v.shield_id
      where v.goods_code = ${goodsCode}
        and v.effective_from <= ${at}::date
        and (v.effective_to is null or v.effective_to >= ${at}::date)
        and (
          v.scope = 'ALL'
            or v.scope = 'PRODUCT' and v.scope_value = ${productCode ?? ''}
            or v.scope = 'CHANNEL' and v.scope_value = ${channelId ?? ''}
            or v.scope = 'REGION' and v.scope_value = ${cityCode ? cityOf(cityCode) : ''}
        )
      order by array_position(array['PRODUCT', 'CHANNEL', 'REGION', 'ALL'], v.scope), s.id
      limit 1`.execute(db);
  return rows[0] ?? null;
}

/** How many rows hide goods on a day, for whomever. */
export async function countShields(db: Db | Tx, goodsCode: string, at: Day): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct shield_id)::int as n
      from order_shield_value
      where goods_code = ${goodsCode}
        and effective_from <= ${at}::date
        and (effective_to is null or effective_to >= ${at}::date)`.execute(db);
  return rows[0]?.n ?? 0;
}
