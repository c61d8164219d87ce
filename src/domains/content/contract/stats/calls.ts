import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, id, idOut, paging, rateOut, several } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { deliveryKinds, statGroups } from '../delivery/dictionaries.ts';
import { advertPermissions as may } from '../delivery/permissions.ts';
import { positionCodes } from '../delivery/positions.ts';
import { markPermissions } from '../marks/permissions.ts';

const service = declareService('AdvertiseService');

const row = z.strictObject({
  id: idOut,
  /** Day, hour, name, place or region, as they are grouped. */
  label: field('分组', z.string(), { width: 200 }),
  impressions: field('曝光', z.int(), { width: 100 }),
  /** Persons of a day; over several days each day's are counted. */
  viewers: field('曝光人次', z.int(), { width: 100 }),
  clicks: field('点击', z.int(), { width: 100 }),
  ctrBp: field('点击率', z.nullable(rateOut), { width: 90 }),
  closes: field('关闭', z.int(), { width: 90 }),
  perViewer: field('人均曝光', z.nullable(z.string()), { width: 100, kind: 'number' }),
});
export type StatRow = z.output<typeof row>;

const MOST_DAYS = 366;
export const queryContentStat = service.list({
  operation: 'queryContentStat',
  label: '查询投放统计',
  access: may['stat.view'],
  filter: z
    .strictObject({
      ...paging,
      kind: field('类型', deliveryKinds.schema),
      ids: field('投放', z.optional(several(id, 50))),
      positionCode: field('位置', z.optional(several(positionCodes.schema))),
      from: field('开始日期', day),
      to: field('结束日期', day),
      groupBy: field('分组', z._default(statGroups.schema, 'day')),
    })
    .check(
      between(
        ['from', 'to'],
        ({ from, to }) => {
          const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
          return Number.isNaN(days) || (days >= 1 && days <= MOST_DAYS);
        },
        `请选择1至${MOST_DAYS}天`,
      ),
    ),
  output: row,
});
export const exportContentStat = exportOf(queryContentStat, {
  operation: 'exportContentStat',
  label: '导出投放统计',
  access: markPermissions['content.export'],
});

/** Basis points of clicks among impressions, half up; null where nothing was shown. 37 of 1,204 are 307. */
export const ctrOf = (clicks: number, impressions: number): number | null =>
  impressions === 0 ? null : Math.floor((clicks * 20_000 + impressions) / (impressions * 2));
