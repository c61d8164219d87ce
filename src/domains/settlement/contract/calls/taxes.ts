import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { fen, id, idOut, instantOut, monthOr, opinion, several, textOrNull, version } from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, declareService } from '#kernel/contract/service.ts';
import { settlementPermissions as may } from '../permissions.ts';
import { periodMachine, taxMonthMachine } from '../taxStates.ts';

const service = declareService('PayoutService');
const view = may['tax.view'];
const declares = may['tax.declare'];

const taxMonthRow = z.strictObject({
  id: idOut,
  payerName: field('扣缴义务人', z.string(), { width: 220 }),
  taxMonth: field('税款所属期', z.string(), { width: 110 }),
  doctorCount: field('纳税人数', z.int(), { width: 90 }),
  grossFen: field('收入额', fen),
  taxFen: field('预扣税额', fen),
  declaredFen: field('已申报税额', fen),
  dueFen: field('待缴税额', fen),
  openCount: field('待回盘笔数', z.int(), { width: 100 }),
  declareCount: field('申报次数', z.int(), { width: 90 }),
  declaredByName: field('申报人', textOrNull, { width: 90 }),
  declaredAt: field('申报时间', z.nullable(instantOut)),
  status: field('状态', taxMonthMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(taxMonthMachine),
});
export type TaxMonthRow = z.output<typeof taxMonthRow>;
export const queryTaxMonthList = service.list({
  operation: 'queryTaxMonthList',
  label: '查询个税申报',
  access: view,
  filter: {
    payerEntityId: field('扣缴义务人', z.optional(id)),
    taxMonth: field('税款所属期', z.optional(monthOr('请选择税款所属期'))),
    status: field('状态', z.optional(several(taxMonthMachine.dictionary.schema))),
  },
  output: taxMonthRow,
});
export const exportTaxMonthList = exportOf(queryTaxMonthList, {
  operation: 'exportTaxMonthList',
  label: '导出个税申报列表',
  access: view,
});
/** What the tax office asks for of each doctor, with the numbers of their papers in full. */
export const exportTaxDeclaration = service.revealFile({
  operation: 'exportTaxDeclaration',
  label: '导出个税扣缴申报表',
  access: declares,
  input: {},
  output: z.strictObject({}),
});
/** It was declared, or corrected, and paid: as much as stands in the file that was taken. */
export const markTaxDeclared = service.act({
  operation: 'markTaxDeclared',
  label: '标记个税已申报',
  access: declares,
  idempotency: 'required',
  input: { id: field('个税申报', id), version, taxFen: field('申报税额', z.int().check(z.nonnegative('申报税额不能为负数'))) },
  output: acted(taxMonthMachine.dictionary.schema),
});

const periodRow = z.strictObject({
  id: idOut,
  period: field('账期', z.string(), { width: 110 }),
  startedByName: field('开始人', textOrNull, { width: 100 }),
  startedAt: field('开始时间', z.nullable(instantOut)),
  closedByName: field('结账人', textOrNull, { width: 100 }),
  closedAt: field('结账时间', z.nullable(instantOut)),
  opinion: field('意见', textOrNull, { width: 260 }),
  status: field('状态', periodMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(periodMachine),
});
export type PeriodRow = z.output<typeof periodRow>;
export const queryDoctorPeriodList = service.list({
  operation: 'queryDoctorPeriodList',
  label: '查询医生账期',
  access: view,
  filter: {
    period: field('账期', z.optional(monthOr('请选择账期'))),
    status: field('状态', z.optional(several(periodMachine.dictionary.schema))),
  },
  output: periodRow,
});
export const exportDoctorPeriodList = exportOf(queryDoctorPeriodList, {
  operation: 'exportDoctorPeriodList',
  label: '导出医生账期',
  access: view,
});
const periodAnswer = acted(periodMachine.dictionary.schema);
/** First step: from here on nothing more is posted in that month. */
export const startDoctorPeriodClose = service.act({
  operation: 'startDoctorPeriodClose',
  label: '开始医生账期结账',
  access: declares,
  idempotency: 'required',
  input: { period: field('账期', monthOr('请选择账期')) },
  output: periodAnswer,
});
const onPeriod = { id: field('账期', id), version, opinion };
/** Second step, by another person: the book proves itself, and the month is closed. */
export const closeDoctorPeriod = service.act({
  operation: 'closeDoctorPeriod',
  label: '完成医生账期结账',
  access: may['period.close'],
  idempotency: 'required',
  input: onPeriod,
  output: periodAnswer,
});
export const abortDoctorPeriodClose = service.act({
  operation: 'abortDoctorPeriodClose',
  label: '撤销医生账期结账',
  access: declares,
  input: onPeriod,
  output: periodAnswer,
});
