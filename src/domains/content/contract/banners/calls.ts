import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, dayOut, id, idOut, instant, instantOut, several, text, version, wholeText } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { audienceIn } from '../delivery/audience.ts';
import { deliveryKinds, shownStates } from '../delivery/dictionaries.ts';
import { deliveryPermissions as may } from '../delivery/permissions.ts';
import { positionCodes } from '../delivery/positions.ts';
import { bannerMachine } from '../delivery/states.ts';
import { adjustFacts, deliveryFacts, deliveryFilters, deliveryRow, saved } from '../delivery/shape.ts';
import { deliveryActions } from '../delivery/states.ts';
import { clientTypes, pageCodes } from '../floors/clientPages.ts';
import { markPermissions } from '../marks/permissions.ts';

const service = declareService('BannerService');
const mayView = markPermissions['content.view'];
const mayEdit = may['banner.edit'];

const row = z.strictObject({
  ...deliveryRow,
  allowedActions: actionsOf(bannerMachine),
  bannerNo: field('编号', z.string(), { width: 150 }),
  bannerName: field('名称', z.string(), { width: 180 }),
});
export type BannerRow = z.output<typeof row>;

export const queryBannerList = service.list({
  operation: 'queryBannerList',
  label: '查询Banner',
  access: mayView,
  filter: z.strictObject({
    ...sortedBy('bannerNo', 'startAt', 'endAt', 'priority', 'impressions', 'clicks'),
    ...deliveryFilters,
    bannerNo: z.optional(wholeText('Banner编号', 20)),
    bannerName: z.optional(text('名称', 30)),
  }),
  output: row,
});
export const exportBannerList = exportOf(queryBannerList, {
  operation: 'exportBannerList',
  label: '导出Banner',
  access: markPermissions['content.export'],
});

export const queryBannerDetail = service.read({
  operation: 'queryBannerDetail',
  label: '查询Banner详情',
  access: mayView,
  input: { id },
  output: z.strictObject({
    banner: row,
    /** The whole picture, readable for a while. */ imageUrl: z.nullable(z.string()),
    timeline: trail,
  }),
});

const bannerName = text('名称', 30, 1);
export const addBanner = service.act({
  operation: 'addBanner',
  label: '新增Banner',
  access: mayEdit,
  message: '添加成功!',
  input: { bannerName, ...deliveryFacts },
  output: saved,
});
/** A draft or one that was sent back; of an approved one only what `adjustBanner` takes. */
export const modifyBanner = service.act({
  operation: 'modifyBanner',
  label: '修改Banner',
  access: mayEdit,
  input: { id, version, bannerName, ...deliveryFacts },
  output: saved,
});
export const delBanner = service.act({
  operation: 'delBanner',
  label: '删除Banner',
  access: mayEdit,
  input: { id, version },
  output: z.strictObject({}),
});
/** One act on one banner; many are taken one by one. */
export const auditBanner = service.act({
  operation: 'auditBanner',
  label: '提交、审核、下线Banner',
  access: access.byAction(
    'action',
    { approve: may['banner.audit'], reject: may['banner.audit'], takeDown: may['banner.audit'] },
    may['banner.edit'],
  ),
  message: '操作成功!',
  input: { id, version, action: field('操作', z.enum(deliveryActions, '操作不正确')), opinion: z.optional(text('意见', 500)) },
  output: actionAnswer,
});
export const adjustBanner = service.act({
  operation: 'adjustBanner',
  label: '调整Banner投放',
  access: mayEdit,
  input: { id, version, ...adjustFacts },
  output: saved,
});
export const copyBanner = service.act({
  operation: 'copyBanner',
  label: '复制Banner',
  access: mayEdit,
  message: '添加成功!',
  input: { id },
  output: saved,
});
/** Priorities 99, 98, … of what is and will be delivered in a place. */
export const sortBanner = service.act({
  operation: 'sortBanner',
  label: '排序Banner',
  access: mayEdit,
  input: { positionCode: field('位置', z.enum(positionCodes.codes, '请选择位置')), ids: field('顺序', several(id, 99)) },
  output: z.strictObject({}),
});

/** What else is delivered in the same place at the same time, and from when on there is more than it shows. */
export const queryBannerConflict = service.read({
  operation: 'queryBannerConflict',
  label: '查询投放冲突',
  access: mayView,
  input: {
    id: field('排除的投放', z.optional(id)),
    positionCode: deliveryFacts.positionCode,
    startAt: field('开始时间', instant),
    endAt: field('结束时间', instant),
    weekdays: deliveryFacts.weekdays,
    dailyFrom: deliveryFacts.dailyFrom,
    dailyTo: deliveryFacts.dailyTo,
    audience: deliveryFacts.audience,
  },
  output: z.strictObject({
    maxItems: z.int(),
    /** Null: never more than the place shows. */
    overAt: z.nullable(instantOut),
    overlapping: z.array(
      z.strictObject({ id: idOut, no: z.string(), name: z.string(), startAt: instantOut, endAt: instantOut, priority: z.int() }),
    ),
  }),
});

/** How many people an audience may reach, by what carries its marks. */
export const queryAudienceEstimate = service.read({
  operation: 'queryAudienceEstimate',
  label: '估算投放人群',
  access: mayView,
  input: { clientType: field('客户端', clientTypes.schema), audience: field('人群', z._default(audienceIn, audienceIn.parse({}))) },
  output: z.strictObject({ people: z.int(), all: z.int() }),
});

/** How many there are of each state on each page. */
export const queryDeliveryCounts = service.read({
  operation: 'queryDeliveryCounts',
  label: '查询投放数量',
  access: mayView,
  input: { kind: field('类型', deliveryKinds.schema) },
  output: z.array(z.strictObject({ pageCode: pageCodes.schema, shownState: shownStates.schema, n: z.int() })),
});

const MOST_DAYS = 62;
/** Deliveries of places over some days, and the days on which a place of banners has none. */
export const queryDeliveryCalendar = service.read({
  operation: 'queryDeliveryCalendar',
  label: '查询投放日历',
  access: mayView,
  input: z
    .strictObject({
      pageCode: field('页面', z.optional(pageCodes.schema)),
      from: field('开始日期', day),
      to: field('结束日期', day),
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
  output: z.array(
    z.strictObject({
      positionCode: positionCodes.schema,
      pageCode: pageCodes.schema,
      bars: z.array(
        z.strictObject({
          id: idOut,
          kind: deliveryKinds.schema,
          no: z.string(),
          name: z.string(),
          startAt: instantOut,
          endAt: instantOut,
          weekdays: z.array(z.int()),
          dailyFrom: z.nullable(z.string()),
          dailyTo: z.nullable(z.string()),
          slot: z.string(),
          priority: z.int(),
          shownState: shownStates.schema,
          version: z.int(),
          /** Whether the viewer may move its end. */
          adjustable: z.boolean(),
        }),
      ),
      gaps: z.array(dayOut),
    }),
  ),
});
type CalendarPlace = z.output<typeof queryDeliveryCalendar.output>[number];
export type CalendarBar = CalendarPlace['bars'][number];
