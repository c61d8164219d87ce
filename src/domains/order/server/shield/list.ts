import { sql } from 'kysely';
import { containsOneOf } from '#kernel/server/list/conditions.ts';
import { query } from '#kernel/server/handler.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Day } from '#kernel/contract/time.ts';
import {
  exportShieldGoodsList,
  queryShieldGoodsDetail,
  queryShieldGoodsList,
  testShieldGoods,
  type ShieldRow,
} from '../../contract/calls/shield.ts';
import { shieldScopes } from '../../contract/dictionaries.ts';
import { shieldRecords, type ShieldRecord } from '../access.ts';
import type { Channels } from '../channels.ts';
import { own } from '../database.ts';
import { namesOf } from './scope.ts';
import { countShields, shieldOf } from './shieldOf.ts';
import { statusColumn, statusOn } from './status.ts';

/** A row as calls answer it. */
const rowOf = (row: ShieldRecord, today: Day): ShieldRow => ({
  id: row.id,
  goodsCode: row.goodsCode,
  goodsName: row.goodsName,
  scope: row.scope,
  scopeWords: row.scopeWords,
  scopeValues: row.scopeValues,
  displayText: row.displayText,
  reason: row.reason,
  effectiveFrom: row.effectiveFrom,
  effectiveTo: row.effectiveTo,
  status: statusOn(row, today),
  updatedBy: row.editorName,
  updatedAt: row.updatedAt,
  version: row.version,
});

export const shieldList = listOf(queryShieldGoodsList)
  .from(({ db }) => own(db).selectFrom('orderShield as s'))
  .with({
    where: {
      goods: containsOneOf('s.goodsCode', 's.goodsName'),
      scope: 's.scope',
      status: (_eb, status, { today }) => sql`${statusColumn(today)} = ${status}`,
    },
    id: 's.id',
    last: { of: ({ today }) => statusColumn(today), groups: [['DISABLED'], ['EXPIRED']] },
    sorts: { goodsCode: 's.goodsCode', effectiveFrom: 's.effectiveFrom', updatedAt: 's.updatedAt' },
    bounded: 'goods that are hidden by hand: some hundreds',
    select: (rows) => rows.selectAll('s'),
    present: (rows, { today }) => rows.map((row) => rowOf(row, today)),
  });
export const shieldExport = listExport(shieldList, {
  call: exportShieldGoodsList,
  title: '隐藏加购设置',
  routeKey: 'shieldAddCartGoodsConfig',
});

export const shieldDetail = (channels: Channels) =>
  query(queryShieldGoodsDetail, async ({ id }, ctx) => {
    const row = await shieldRecords.get(ctx.db, ctx.staff, id);
    const names = await namesOf(ctx.db, channels, row.scope, row.scopeValues);
    const scopeNames = row.scopeValues.map((value) => ({ value, label: names.get(value) ?? value }));
    return { ...rowOf(row, ctx.today), scopeNames };
  });

/** 试算: the answer that the app would get today, with its reason. */
export const shieldTest = query(testShieldGoods, async ({ goodsCode, productCode, cityCode, channelId }, ctx) => {
  const found = await shieldOf(ctx.db, { goodsCode, productCode, cityCode, channelId: channelId ?? undefined, at: ctx.today });
  if (found) {
    const whom = found.scope === 'ALL' ? '对全部用户' : `对${shieldScopes.label(found.scope)}（${found.scopeWords}）`;
    const why = `${whom}隐藏，原因：${found.reason}`;
    return { hidden: true, displayText: found.displayText, shieldId: found.shieldId, why };
  }
  const others = await countShields(ctx.db, goodsCode, ctx.today);
  const why = others === 0 ? '该商品没有生效中的设置' : `该商品有${others}条生效中的设置，均不适用于所填条件`;
  return { hidden: false, displayText: null, shieldId: null, why };
});
