import * as z from 'zod/mini';
import { ordered } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  fen,
  id,
  idOut,
  instant,
  instantOut,
  monthOr,
  opinion,
  rateOut,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { paging } from '#kernel/contract/fields.ts';
import { trail } from '#kernel/contract/trail.ts';
import { itemTypes, titles } from '#domains/doctor/contract/dictionaries.ts';
import { baseTypes, incentiveTasks, incomeTypes } from '../dictionaries.ts';
import { doctorOut } from '../fields.ts';
import { settlementPermissions as may } from '../permissions.ts';
import { incomeMachine } from '../states.ts';

const service = declareService('IncomeService');
const view = may['income.view'];

const incomeRow = z.strictObject({
  id: idOut,
  incomeNo: field('收入编号', z.string(), { width: 170 }),
  ...doctorOut,
  payerName: field('付款主体', z.string(), { width: 180 }),
  incomeType: field('收入类型', incomeTypes.schema, { width: 90 }),
  serviceType: field('服务类型', z.nullable(itemTypes.schema), { width: 100 }),
  taskType: field('激励任务', z.nullable(incentiveTasks.schema), { width: 100 }),
  sourceNo: field('业务单号', z.string(), { width: 170 }),
  occurredAt: field('完成时间', instantOut),
  baseFen: field('计费基数', fen),
  ruleCode: field('分成规则', textOrNull, { width: 150 }),
  grossFen: field('应得', fen),
  availableAt: field('可结算时间', instantOut),
  agentId: z.nullable(idOut),
  agentName: field('归属代表', textOrNull, { width: 100 }),
  holdReason: field('挂起原因', textOrNull, { width: 150 }),
  status: field('状态', incomeMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(incomeMachine),
});
export type IncomeRow = z.output<typeof incomeRow>;

const filter = {
  ...sortedBy('occurredAt'),
  incomeNo: z.optional(wholeText('收入编号', 30)),
  doctorId: field('医生', z.optional(id)),
  doctorName: z.optional(text('医生姓名', 40)),
  payerEntityId: field('付款主体', z.optional(id)),
  incomeType: field('收入类型', z.optional(several(incomeTypes.schema))),
  taskType: field('激励任务', z.optional(several(incentiveTasks.schema))),
  programId: field('激励项目', z.optional(id)),
  agentId: field('归属代表', z.optional(id)),
  status: field('状态', z.optional(several(incomeMachine.dictionary.schema))),
  sourceNo: z.optional(wholeText('业务单号', 40)),
  occurredFrom: field('完成时间起', z.optional(instant)),
  occurredTo: field('完成时间止', z.optional(instant)),
};
const inOrder = ordered('occurredFrom', 'occurredTo', '完成时间止不能早于起');
export const queryIncomeDetailList = service.list({
  operation: 'queryIncomeDetailList',
  label: '查询收入明细',
  access: view,
  filter: z.strictObject({ ...paging, ...filter }).check(inOrder),
  output: incomeRow,
});
export const exportIncomeDetailList = exportOf(queryIncomeDetailList, {
  operation: 'exportIncomeDetailList',
  label: '导出收入明细',
  access: may['income.export'],
});
/** Sums of the filters by state, for the foot of the list. */
export const queryIncomeTotal = service.read({
  operation: 'queryIncomeTotal',
  label: '查询收入合计',
  access: view,
  input: z.strictObject(filter).check(inOrder),
  output: z.array(z.strictObject({ status: incomeMachine.dictionary.schema, count: z.int(), grossFen: fen })),
});

/** How an amount came about, as it was reckoned then. */
const trace = z.strictObject({
  ruleCode: textOrNull,
  ruleName: textOrNull,
  versionNo: z.nullable(z.int()),
  scopeText: textOrNull,
  baseType: z.nullable(baseTypes.schema),
  payFen: z.nullable(fen),
  listFen: z.nullable(fen),
  refundedFen: z.nullable(fen),
  baseFen: fen,
  ratioBp: z.nullable(rateOut),
  fixedFen: z.nullable(fen),
  capFen: z.nullable(fen),
  cycleRuleCode: textOrNull,
  freezeDays: z.nullable(z.int()),
  beforeFen: z.nullable(fen),
  note: textOrNull,
  grossFen: fen,
});
export type IncomeTrace = z.output<typeof trace>;
export const incomeTrace = trace;
export const queryIncomeDetail = service.read({
  operation: 'queryIncomeDetail',
  label: '查看收入计算过程',
  access: view,
  input: { id: field('收入', id) },
  output: z.strictObject({
    income: incomeRow,
    trace,
    originalNo: textOrNull,
    transfers: z.array(z.strictObject({ transferId: idOut, transferNo: z.string(), amountFen: fen })),
    trail,
  }),
});

const onIncome = { id: field('收入', id), version, opinion };
const answer = acted(incomeMachine.dictionary.schema);
export const holdIncome = service.act({
  operation: 'holdIncome',
  label: '挂起收入',
  access: may['income.hold'],
  input: onIncome,
  output: answer,
});
export const unholdIncome = service.act({
  operation: 'unholdIncome',
  label: '解除挂起收入',
  access: may['income.hold'],
  input: onIncome,
  output: answer,
});
export const reverseIncome = service.act({
  operation: 'reverseIncome',
  label: '冲回收入',
  access: may['income.reverse'],
  idempotency: 'required',
  input: onIncome,
  output: answer,
});

const monthRow = z.strictObject({
  key: z.string(),
  ...doctorOut,
  titleCode: field('职称', z.nullable(titles.schema), { width: 100 }),
  month: field('月份', z.string(), { width: 90 }),
  itemCount: field('笔数', z.int(), { width: 80 }),
  consultFen: field('咨询收入', fen),
  followUpFen: field('随访收入', fen),
  incentiveFen: field('激励收入', fen),
  adjustFen: field('人工调整', fen),
  clawbackFen: field('追回', fen),
  grossFen: field('合计', fen),
});
export type DoctorMonthRow = z.output<typeof monthRow>;
const month = monthOr('请选择月份');
export const queryDoctorIncomeList = service.list({
  operation: 'queryDoctorIncomeList',
  label: '查询医生收入',
  access: view,
  filter: {
    monthFrom: field('起始月份', z.optional(month)),
    monthTo: field('截止月份', z.optional(month)),
    doctorName: z.optional(text('医生姓名', 40)),
    hospitalName: z.optional(text('医院', 60)),
    titleCode: field('职称', z.optional(titles.schema)),
    minFen: field('最低金额', z.optional(fen)),
  },
  output: monthRow,
});
export const exportDoctorIncomeList = exportOf(queryDoctorIncomeList, {
  operation: 'exportDoctorIncomeList',
  label: '导出医生收入',
  access: may['income.export'],
});
