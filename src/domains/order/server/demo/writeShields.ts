import { sql } from 'kysely';
import { dayOf, plusDays, startOfDay } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import type { ShieldScope } from '../../contract/dictionaries.ts';
import type { Channels } from '../channels.ts';
import { addShields, writeShield } from '../shield/handlers.ts';

interface Wish {
  /** Which of the goods on sale. */
  goods: number;
  scope: ShieldScope;
  scopeValues?: readonly (string | undefined)[];
  text?: string;
  reason: string;
  /** Days from today. */
  from: number;
  to?: number;
  disabled?: true;
}

/** Twelve settings: each scope, some that wait, one that is over and one that was switched off. */
export const writeShields = (demo: DemoContext, channels: Channels): Promise<void> =>
  demo.transaction(async (writing) => {
    const { tx } = writing;
    const codesOf = async (statement: ReturnType<typeof sql<{ code: string }>>) =>
      (await statement.execute(tx)).rows.map(({ code }) => code);
    const goods = await codesOf(sql`select goods_code as code from pharma_sku where state = 'ON' order by id limit 12`);
    const products = await codesOf(sql`select product_code as code from insurance_product where status = 'ON_SALE' order by id limit 3`);
    const chosen = await codesOf(sql`select id::text as code from channel_channel where state = 'ENABLED' order by id limit 2`);
    const wishes: readonly Wish[] = [
      { goods: 0, scope: 'ALL', reason: '冷链药品，仅支持药师协助下单', from: -60 },
      { goods: 1, scope: 'ALL', text: '请到门店购买', reason: '厂家要求线下购买', from: -45, to: 45 },
      { goods: 2, scope: 'ALL', text: '暂时缺货', reason: '供应商缺货，预计下月恢复', from: -10, to: 20 },
      { goods: 3, scope: 'PRODUCT', scopeValues: [products[0]], text: '请使用权益购药', reason: '保险产品目录内药品走权益购药', from: -30 },
      { goods: 4, scope: 'PRODUCT', scopeValues: [products[0], products[1]], reason: '产品目录调整', from: -20, to: 160 },
      { goods: 5, scope: 'PRODUCT', scopeValues: [products[2]], reason: '新产品上线前不开放加购', from: 7 },
      { goods: 6, scope: 'REGION', scopeValues: ['310000'], text: '本市暂不配送', reason: '上海暂无冷链配送', from: -15 },
      { goods: 7, scope: 'REGION', scopeValues: ['630100', '540100'], text: '本市暂不配送', reason: '无法保证48小时内送达', from: -90 },
      { goods: 8, scope: 'REGION', scopeValues: ['320100'], reason: '南京试点线下取药', from: -80, to: -5 },
      { goods: 9, scope: 'CHANNEL', scopeValues: [chosen[0]], reason: '院内渠道由医生开方后购买', from: -25 },
      { goods: 10, scope: 'CHANNEL', scopeValues: chosen, reason: '渠道合作期内由合作方供药', from: -5, to: 85 },
      { goods: 11, scope: 'ALL', reason: '价格核对中', from: -12, disabled: true },
    ];
    const today = dayOf(demo.now);
    for (const { goods: at, scope, scopeValues = [], text = '请咨询药师', reason, from, to, disabled } of wishes) {
      const goodsCode = goods[at];
      const values = scopeValues.filter((value) => value !== undefined);
      if (goodsCode === undefined || (scope !== 'ALL' && values.length === 0)) continue;
      const now = startOfDay(plusDays(today, Math.min(from, -1)), '10:20');
      const then = { ...asSystem(writing, { now, traceId: 'demo' }), actorName: '魏来' };
      const ids = await addShields(then, channels, {
        goodsCodes: [goodsCode],
        scope,
        scopeValues: values,
        displayText: text,
        reason,
        effectiveFrom: plusDays(today, from),
        effectiveTo: to === undefined ? null : plusDays(today, to),
      });
      if (disabled) for (const id of ids) await writeShield(then, { id, goodsCode }, { enabled: false });
    }
  });
