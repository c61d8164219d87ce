import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { id, idOut, instant, instantOut, optionalText, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { corpusPermissions } from '../permissions.ts';
import { onResume, switchScope } from './states.ts';

const service = declareService('EngineService');
const mayView = corpusPermissions['corpus.view'];

const whole = (label: string, min: number, max: number) => {
  const message = `${label}须为${min}至${max}的整数`;
  return field(label, z.int(message).check(z.minimum(min, message), z.maximum(max, message)));
};

export const engineSettings = z.strictObject({
  capPerDay: whole('每人每日触达上限', 1, 20),
  cap7Days: whole('每人7日触达上限', 1, 100),
  sameMaterialGapDays: whole('相同素材间隔天数', 0, 90),
  ratePerSecond: whole('每秒发送上限', 1, 1000),
  breakerWindow: whole('熔断观察条数', 20, 10_000),
  /** Basis points: 2000 is a fifth. */
  breakerFailBp: whole('熔断失败率（万分比）', 100, 10_000),
});
export type EngineSettings = z.output<typeof engineSettings>;

const slotLoad = z.strictObject({
  slot: z.string(),
  planned: z.int(),
  sent: z.int(),
  held: z.int(),
  skipped: z.int(),
  failed: z.int(),
});

const engineState = z.strictObject({
  /** Why all sending is stopped; null while it is not. */
  stopped: z.nullable(z.strictObject({ reason: z.string(), at: instantOut, byBreaker: z.boolean() })),
  /** Touches whose time has come and that wait. */
  backlog: z.int(),
  /** How long the oldest of them waits, in whole minutes. */
  oldestMinutes: z.int(),
  unknown: z.int(),
  sentToday: z.int(),
  /** Of the last results; basis points. */
  failBp: z.int(),
  results: z.int(),
  slots: z.array(slotLoad),
  errors: z.array(z.strictObject({ sendNo: z.string(), at: instantOut, text: z.string() })),
  setting: z.extend(engineSettings, { version: z.int() }),
});
export type EngineState = z.output<typeof engineState>;

export const queryEngineState = service.read({
  operation: 'queryEngineState',
  label: '查询随访引擎状态',
  access: mayView,
  input: {},
  output: engineState,
});

const switchRow = z.strictObject({
  id: idOut,
  scopeType: field('范围', switchScope.schema),
  scopeId: z.string(),
  scopeName: field('对象', z.string(), { width: 200 }),
  reason: field('停发原因', z.string(), { width: 240 }),
  until: field('停发至', z.nullable(instantOut)),
  by: field('操作人', z.string()),
  active: field('停发中', z.boolean()),
  createdAt: field('停发时间', instantOut),
  endedAt: field('恢复时间', z.nullable(instantOut)),
  endedBy: field('恢复人', z.nullable(z.string())),
  onResume: field('恢复方式', z.nullable(onResume.schema)),
});
export type SwitchRow = z.output<typeof switchRow>;

export const querySendSwitchList = service.list({
  operation: 'querySendSwitchList',
  label: '查询停发记录',
  access: mayView,
  filter: { ...sortedBy('until', 'createdAt', 'endedAt'), active: field('停发中', z.optional(z.boolean())) },
  output: switchRow,
});

const scope = {
  scopeType: field('停发范围', switchScope.schema),
  /** Empty for everything. */
  scopeId: field('停发对象', z._default(z.union([z.literal(''), id]), '')),
};

/** Who may stop single patients, conversations or doctors need not be allowed to stop all. */
const byScope = (forAll: { code: string }) =>
  access.byAction('scopeType', { ENGINE: forAll, SCENE: forAll }, corpusPermissions['run.operate']);

export const stopSend = service.act({
  operation: 'stopSend',
  label: '停发随访消息',
  access: byScope(corpusPermissions['engine.stop']),
  message: '已停发',
  input: { ...scope, reason: optionalText('停发原因', 200), until: field('停发至', z.optional(instant)) },
  output: z.strictObject({ id: idOut }),
});

export const resumeSend = service.act({
  operation: 'resumeSend',
  label: '恢复随访发送',
  access: byScope(corpusPermissions['engine.resume']),
  message: '已恢复发送',
  input: { ...scope, onResume: field('恢复方式', onResume.schema) },
  output: z.strictObject({ id: z.string() }),
});

export const modifyEngineSetting = service.act({
  operation: 'modifyEngineSetting',
  label: '修改随访引擎参数',
  access: corpusPermissions['engine.setting'],
  message: '修改成功!',
  input: { ...engineSettings.shape, version },
  output: z.strictObject({ version: z.int() }),
});
