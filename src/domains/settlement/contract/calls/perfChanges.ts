import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  flag,
  id,
  idOut,
  instantOut,
  opinion,
  optionalId,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, ADDED, CHANGED, declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { perfBindTypes, perfChangeTypes, perfReasons, perfSources, type PerfChangeType } from '../dictionaries.ts';
import { doctorOut, verdict } from '../fields.ts';
import { perfChangeMachine } from '../perfStates.ts';
import { settlementPermissions as may } from '../permissions.ts';

const service = declareService('PerformanceService');
const view = may['perf.view'];
const edit = may['perf.edit'];

const item = z.strictObject({
  doctorId: field('医生', id),
  productLineId: field('产品线', id),
  /** Of a hand-over to several: who gets this one. */
  toAgentId: field('接收代表', optionalId),
});
interface Items {
  changeType: PerfChangeType;
  fromAgentId: string | null;
  toAgentId: string | null;
  items: readonly { doctorId: string; productLineId: string; toAgentId: string | null }[];
}
const areDistinct = (items: Items['items']): boolean =>
  new Set(items.map(({ doctorId, productLineId }) => `${doctorId}/${productLineId}`)).size === items.length;

const wish = {
  changeType: field('变更类型', perfChangeTypes.schema),
  fromAgentId: field('原代表', optionalId),
  toAgentId: field('新代表', optionalId),
  effectiveDate: field('生效日期', day),
  items: field(
    '医生与产品线',
    z
      .array(item, '请选择医生')
      .check(
        z.minLength(1, '请选择医生'),
        z.maxLength(1_000, '一张变更单最多1000位医生'),
        z.refine(areDistinct, '同一医生的同一产品线不能重复'),
      ),
  ),
};
const facts = {
  ...wish,
  reasonCode: field('变更原因', perfReasons.schema),
  reason: text('说明', 200, 2),
  fileIds: field('附件', z._default(z.array(id).check(z.maxLength(5, '附件最多5个')), [])),
  /** Handed in at once; otherwise kept as a draft. */
  submit: field('提交审核', z._default(flag, false)),
};
const sound = [
  between<Items>(
    ['changeType', 'fromAgentId'],
    ({ changeType, fromAgentId }) => changeType === 'BIND' || fromAgentId !== null,
    '请选择原代表',
  ),
  between<Items>(
    ['changeType', 'toAgentId'],
    ({ changeType, toAgentId }) => (changeType !== 'BIND' && changeType !== 'REBIND') || toAgentId !== null,
    '请选择新代表',
  ),
  between<Items>(
    ['fromAgentId', 'toAgentId'],
    ({ fromAgentId, toAgentId }) => fromAgentId === null || fromAgentId !== toAgentId,
    '新代表不能与原代表相同',
  ),
] as const;

const changeRow = z.strictObject({
  id: idOut,
  requestNo: field('单号', z.string(), { width: 170 }),
  changeType: field('类型', perfChangeTypes.schema, { width: 90 }),
  fromName: field('原代表', textOrNull, { width: 120 }),
  toName: field('新代表', textOrNull, { width: 140 }),
  doctorName: field('医生', z.string(), { width: 140 }),
  lineName: field('产品线', z.string(), { width: 130 }),
  effectiveDate: field('生效日期', dayOut, { width: 110 }),
  doctorCount: field('医生数', z.int(), { width: 80 }),
  incomeCount: field('影响笔数', z.int(), { width: 90 }),
  grossFen: field('影响金额', fen),
  reasonCode: field('变更原因', perfReasons.schema, { width: 100 }),
  reason: field('说明', z.string(), { width: 180 }),
  sourceType: field('来源', perfSources.schema, { width: 110 }),
  sourceNo: field('来源单号', textOrNull, { width: 160 }),
  makerName: field('提交人', z.string(), { width: 90 }),
  checkerName: field('审核人', textOrNull, { width: 90 }),
  opinion: field('审核意见', textOrNull, { width: 160 }),
  updatedAt: field('更新时间', instantOut),
  status: field('状态', perfChangeMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(perfChangeMachine),
});
export type PerfChangeRow = z.output<typeof changeRow>;
export const queryPerfChangeList = service.list({
  operation: 'queryPerfChangeList',
  label: '查询绩效关系变更',
  access: view,
  filter: {
    requestNo: z.optional(wholeText('单号', 30)),
    changeType: field('类型', z.optional(several(perfChangeTypes.schema))),
    fromAgentId: field('原代表', z.optional(id)),
    toAgentId: field('新代表', z.optional(id)),
    doctorId: field('医生', z.optional(id)),
    productLineId: field('产品线', z.optional(id)),
    sourceNo: z.optional(wholeText('来源单号', 40)),
    effectiveFrom: field('生效日期起', z.optional(day)),
    effectiveTo: field('生效日期止', z.optional(day)),
    status: field('状态', z.optional(several(perfChangeMachine.dictionary.schema))),
  },
  output: changeRow,
});
export const exportPerfChangeList = exportOf(queryPerfChangeList, {
  operation: 'exportPerfChangeList',
  label: '导出绩效关系变更',
  access: may['perf.export'],
});

/** One doctor and product line before and after a change, and the incomes that count for another one by it. */
const pairFacts = {
  ...doctorOut,
  productLineId: idOut,
  lineName: field('产品线', z.string(), { width: 130 }),
  beforeName: field('变更前代表', textOrNull, { width: 120 }),
  afterName: field('变更后代表', textOrNull, { width: 120 }),
  incomeCount: field('影响笔数', z.int(), { width: 90 }),
  grossFen: field('影响金额', fen),
  months: field('重算绩效月', z.string(), { width: 150 }),
};
const itemRow = z.strictObject({ id: idOut, ...pairFacts });
export const queryPerfChangeItemList = service.list({
  operation: 'queryPerfChangeItemList',
  label: '查询变更单明细',
  access: view,
  filter: { requestId: field('变更单', id) },
  output: itemRow,
});
export const exportPerfChangeItemList = exportOf(queryPerfChangeItemList, {
  operation: 'exportPerfChangeItemList',
  label: '导出变更单明细',
  access: may['perf.export'],
});

export const queryPerfChangeDetail = service.read({
  operation: 'queryPerfChangeDetail',
  label: '查看绩效关系变更',
  access: view,
  input: { id: field('变更单', id) },
  output: z.strictObject({
    change: changeRow,
    fromAgentId: z.nullable(idOut),
    toAgentId: z.nullable(idOut),
    fileIds: z.array(idOut),
    /** Of a draft alone: what its form chose. */
    items: z.array(z.strictObject({ doctorId: idOut, productLineId: idOut, toAgentId: z.nullable(idOut) })),
    trail,
  }),
});

const previewRow = z.strictObject({ ...pairFacts, fault: field('问题', textOrNull, { width: 220 }) });
export type PerfPreviewRow = z.output<typeof previewRow>;
export const previewPerfChange = service.read({
  operation: 'previewPerfChange',
  label: '预览绩效关系变更影响',
  access: edit,
  input: z.strictObject({ id: field('变更单', optionalId), ...wish }).check(...sound),
  output: z.strictObject({
    rows: z.array(previewRow),
    incomeCount: z.int(),
    grossFen: fen,
    /** What the former representative would keep. */
    leftCount: z.int(),
  }),
});
/** What a representative looks after today: the choice of a form. */
export const queryPerfPairs = service.read({
  operation: 'queryPerfPairs',
  label: '查询代表当前绑定',
  access: edit,
  input: { agentId: field('代表', id) },
  output: z.array(
    z.strictObject({
      ...doctorOut,
      productLineId: idOut,
      lineName: field('产品线', z.string()),
      startDate: field('开始日期', dayOut),
    }),
  ),
});

const answer = acted(perfChangeMachine.dictionary.schema);
export const addPerfChange = service.act({
  operation: 'addPerfChange',
  label: '新增绩效关系变更',
  access: edit,
  ...ADDED,
  input: z.strictObject(facts).check(...sound),
  output: answer,
});
export const modifyPerfChange = service.act({
  operation: 'modifyPerfChange',
  label: '修改绩效关系变更',
  access: edit,
  ...CHANGED,
  input: z.strictObject({ id: field('变更单', id), version, ...facts }).check(...sound),
  output: answer,
});
const onChange = { id: field('变更单', id), version };
export const submitPerfChange = service.act({
  operation: 'submitPerfChange',
  label: '提交绩效关系变更',
  access: edit,
  input: onChange,
  output: answer,
});
export const withdrawPerfChange = service.act({
  operation: 'withdrawPerfChange',
  label: '撤回绩效关系变更',
  access: edit,
  input: onChange,
  output: answer,
});
export const auditPerfChange = service.act({
  operation: 'auditPerfChange',
  label: '审核绩效关系变更',
  access: may['perf.audit'],
  input: verdict,
  output: answer,
});
export const revokePerfChange = service.act({
  operation: 'revokePerfChange',
  label: '撤销绩效关系变更',
  access: may['perf.audit'],
  input: { ...onChange, opinion },
  output: answer,
});

/** A line of a table of bindings. */
export const importedBind = z.strictObject({
  agentNo: text('代表工号', 20),
  doctorNo: text('医生编号', 20),
  lineNo: text('产品线编号', 20),
  changeType: field('变更类型', perfBindTypes.schema),
  effectiveDate: field('生效日期', day),
  remark: field('备注', z._default(text('备注', 100), '')),
});
export const PERF_BIND_IMPORTER = 'settlement.perfBind';
/** What it holds becomes requests, one for each kind and day, which another person passes. */
export const importPerfBind = service.act({
  operation: 'importPerfBind',
  label: '导入绩效绑定',
  access: may['perf.import'],
  log: 'IMPORT',
  input: importFields,
  output: importStarted,
});
