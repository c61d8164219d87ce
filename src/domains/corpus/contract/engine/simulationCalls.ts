import * as z from 'zod/mini';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { id, idOut, instantOut } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { corpusPermissions } from '../permissions.ts';
import { previewSource, previewState } from './previewCalls.ts';

const service = declareService('ScenePackageService');
const may = corpusPermissions['run.view'];
const scenePackageId = field('场景包', id);

export const MOST_SIMULATED_DAYS = 14;

export const simulatedOutcome = dictionary('corpusSimulatedOutcome', {
  SENT: { label: '会发送', tone: 'success' },
  HELD: { label: '暂缓中', tone: 'warning' },
  SKIPPED: '会跳过',
  CANCELLED: '会取消',
  UNKNOWN: '未知',
});
export type SimulatedOutcome = (typeof simulatedOutcome.codes)[number];

/** Touches of one half hour. */
const simulatedSlot = z.strictObject({
  day: z.string(),
  slot: z.string(),
  sent: z.int(),
  held: z.int(),
  skipped: z.int(),
  /** Sent by all packages. */
  all: z.int(),
});
export type SimulatedSlot = z.output<typeof simulatedSlot>;

const simulation = z.strictObject({
  previewId: idOut,
  source: previewSource.schema,
  asOf: instantOut,
  days: z.int(),
  state: previewState.schema,
  done: z.int(),
  total: z.int(),
  counts: z.strictObject({ SENT: z.int(), HELD: z.int(), SKIPPED: z.int(), CANCELLED: z.int(), UNKNOWN: z.int() }),
  /** Runs that are under way, and that begin meanwhile. */
  runs: z.int(),
  entered: z.int(),
  slots: z.array(simulatedSlot),
  /** Days of patients on which they get as many touches as a day may have, from all packages. */
  atCap: z.int(),
  /** Touches of a half hour that the engine sends within a minute; more are late. */
  perMinute: z.int(),
  fault: z.string(),
  createdAt: instantOut,
});
export type Simulation = z.output<typeof simulation>;

export const addSceneSimulation = service.act({
  operation: 'addSceneSimulation',
  label: '模拟场景',
  access: may,
  input: {
    scenePackageId,
    source: field('模拟内容', previewSource.schema),
    days: field(
      '模拟天数',
      z
        .int('模拟天数须为1至14的整数')
        .check(z.minimum(1, '模拟天数须为1至14的整数'), z.maximum(MOST_SIMULATED_DAYS, '模拟天数须为1至14的整数')),
    ),
  },
  output: simulation,
});

/** The newest simulation of a package; null before the first. */
export const querySceneSimulation = service.read({
  operation: 'querySceneSimulation',
  label: '查询模拟',
  access: may,
  input: { scenePackageId },
  output: z.nullable(simulation),
});

const simulatedTouch = z.strictObject({
  seq: z.int(),
  patientId: idOut,
  /** Masked. */
  patientName: field('患者', z.string()),
  conversationId: idOut,
  doctorName: field('医生', z.string()),
  outcome: field('结果', simulatedOutcome.schema),
  label: field('触达', z.string()),
  dueAt: field('计划时间', z.nullable(instantOut)),
  at: field('发送时间', z.nullable(instantOut)),
  why: field('原因', z.string()),
});
export const querySceneSimulationList = service.list({
  operation: 'querySceneSimulationList',
  label: '查询模拟明细',
  access: may,
  filter: { previewId: field('模拟', id), outcome: field('结果', z.optional(simulatedOutcome.schema)) },
  output: simulatedTouch,
});

export const exportSceneSimulationList = exportOf(querySceneSimulationList, {
  operation: 'exportSceneSimulationList',
  label: '导出模拟明细',
  access: corpusPermissions['corpus.export'],
});
