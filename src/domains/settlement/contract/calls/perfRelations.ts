import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  id,
  idOut,
  instantOut,
  monthOr,
  opinion,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, declareService } from '#kernel/contract/service.ts';
import { perfRelationStates } from '../dictionaries.ts';
import { doctorOut } from '../fields.ts';
import { perfPeriodMachine } from '../perfStates.ts';
import { settlementPermissions as may } from '../permissions.ts';

const service = declareService('PerformanceService');
const view = may['perf.view'];
const month = monthOr('请选择绩效月');

const relationRow = z.strictObject({
  id: idOut,
  ...doctorOut,
  productLineId: idOut,
  lineName: field('产品线', z.string(), { width: 130 }),
  agentId: idOut,
  agentName: field('代表', z.string(), { width: 90 }),
  agentNo: field('代表工号', z.string(), { width: 150 }),
  startDate: field('开始日期', dayOut, { width: 110 }),
  endDate: field('结束日期', z.nullable(dayOut), { width: 110 }),
  sourceNo: field('来源单号', z.string(), { width: 170 }),
  state: field('状态', perfRelationStates.schema),
});
export type PerfRelationRow = z.output<typeof relationRow>;
export const queryPerfRelationList = service.list({
  operation: 'queryPerfRelationList',
  label: '查询绩效绑定关系',
  access: view,
  filter: {
    /** Absent: today. */
    asOfDate: field('截至日期', z.optional(day)),
    agentId: field('代表', z.optional(id)),
    doctorId: field('医生', z.optional(id)),
    hospitalName: z.optional(text('医院', 60)),
    productLineId: field('产品线', z.optional(id)),
    sourceNo: z.optional(wholeText('来源单号', 30)),
    state: field('状态', z.optional(several(perfRelationStates.schema))),
  },
  output: relationRow,
});
export const exportPerfRelationList = exportOf(queryPerfRelationList, {
  operation: 'exportPerfRelationList',
  label: '导出绩效绑定关系',
  access: may['perf.export'],
});

const unboundRow = z.strictObject({
  id: idOut,
  ...doctorOut,
  lastAgentName: field('最近代表', textOrNull, { width: 100 }),
  lastLineName: field('最近产品线', textOrNull, { width: 130 }),
  lastEndDate: field('解绑日期', z.nullable(dayOut), { width: 110 }),
  unsettledFen: field('未结算收入', fen),
});
export type PerfUnboundRow = z.output<typeof unboundRow>;
/** Doctors whom nobody looks after on a day, for any product line. */
export const queryPerfUnboundList = service.list({
  operation: 'queryPerfUnboundList',
  label: '查询未绑定医生',
  access: view,
  filter: {
    asOfDate: field('截至日期', z.optional(day)),
    doctorName: z.optional(text('医生姓名', 40)),
    hospitalName: z.optional(text('医院', 60)),
  },
  output: unboundRow,
});
export const exportPerfUnboundList = exportOf(queryPerfUnboundList, {
  operation: 'exportPerfUnboundList',
  label: '导出未绑定医生',
  access: may['perf.export'],
});

export const queryPerfRelationTimeline = service.read({
  operation: 'queryPerfRelationTimeline',
  label: '查看绩效关系时间轴',
  access: view,
  input: { doctorId: field('医生', id), productLineId: field('产品线', z.optional(id)) },
  output: z.strictObject({
    doctorName: z.string(),
    relations: z.array(
      z.strictObject({
        id: idOut,
        productLineId: idOut,
        lineName: z.string(),
        agentName: field('代表', z.string(), { width: 100 }),
        startDate: field('开始日期', dayOut),
        endDate: field('结束日期', z.nullable(dayOut)),
        sourceNo: field('来源单号', z.string()),
        endNo: field('结束单号', textOrNull),
        state: field('状态', perfRelationStates.schema),
      }),
    ),
  }),
});

const statisticsRow = z.strictObject({
  key: z.string(),
  agentId: z.nullable(idOut),
  agentName: field('代表', z.string(), { width: 110 }),
  agentNo: field('代表工号', textOrNull, { width: 150 }),
  boundCount: field('绑定医生数', z.int(), { width: 100 }),
  newCount: field('本月新增绑定', z.int(), { width: 110 }),
  consultCount: field('咨询随访笔数', z.int(), { width: 110 }),
  consultFen: field('咨询随访收入', fen),
  incentiveCount: field('激励笔数', z.int(), { width: 90 }),
  incentiveFen: field('激励收入', fen),
  totalFen: field('收入合计', fen),
});
export type PerfStatisticsRow = z.output<typeof statisticsRow>;
/** What counts for whom in a month; what counts for nobody stands as 未归属. */
export const queryPerfStatisticsList = service.list({
  operation: 'queryPerfStatisticsList',
  label: '查询业绩归属',
  access: view,
  filter: {
    /** Absent: this month. */
    period: field('绩效月', z.optional(month)),
    agentId: field('代表', z.optional(id)),
    productLineId: field('产品线', z.optional(id)),
  },
  output: statisticsRow,
});
export const exportPerfStatisticsList = exportOf(queryPerfStatisticsList, {
  operation: 'exportPerfStatisticsList',
  label: '导出业绩归属',
  access: may['perf.export'],
});
export const queryPerfBoundTrend = service.read({
  operation: 'queryPerfBoundTrend',
  label: '查询绑定医生趋势',
  access: view,
  input: { period: field('绩效月', month) },
  output: z.array(z.strictObject({ period: z.string(), boundCount: z.int() })),
});

const periodRow = z.strictObject({
  period: field('绩效月', z.string(), { width: 100 }),
  incomeCount: field('收入笔数', z.int(), { width: 100 }),
  attributedCount: field('已归属笔数', z.int(), { width: 110 }),
  pendingCount: field('待审核变更单', z.int(), { width: 120 }),
  lockedByName: field('锁定人', textOrNull, { width: 100 }),
  lockedAt: field('锁定时间', z.nullable(instantOut)),
  opinion: field('解锁意见', textOrNull, { width: 180 }),
  status: field('状态', perfPeriodMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(perfPeriodMachine, 'settlement.perfPeriod', 'period'),
});
export const perfPeriodRow = periodRow;
export type PerfPeriodRow = z.output<typeof periodRow>;
export const queryPerfPeriods = service.read({
  operation: 'queryPerfPeriods',
  label: '查询绩效月',
  access: view,
  input: {},
  output: z.array(periodRow),
});
const periodAnswer = acted(perfPeriodMachine.dictionary.schema);
export const lockPerfPeriod = service.act({
  operation: 'lockPerfPeriod',
  label: '锁定绩效月',
  access: may['perf.lock'],
  input: { period: field('绩效月', month), version },
  output: periodAnswer,
});
export const unlockPerfPeriod = service.act({
  operation: 'unlockPerfPeriod',
  label: '解锁绩效月',
  access: may['perf.unlock'],
  input: { period: field('绩效月', month), version, opinion },
  output: periodAnswer,
});
