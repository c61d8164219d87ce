import * as z from 'zod/mini';
import { access, call } from '../../../kernel/contract/call.ts';
import { id, idOut, instant, text, version } from '../../../kernel/contract/fields.ts';
import { basicOperators } from '../../../kernel/contract/rules/rule.ts';
import { conditionRowsIn } from './conditionCalls.ts';
import { calendarMode, entryMode, goal, packageState, reentry, resumeMode } from './dictionaries.ts';
import { corpusPermissions } from './permissions.ts';
import { blankOr, chatFlagOut, expTypeIn } from './wire.ts';

const whole = (label: string, min: number, max: number) => {
  const message = `${label}须为${min}至${max}的整数`;
  return z.int(message).check(z.minimum(min, message), z.maximum(max, message));
};

/** How a package enters, pauses, repeats and ends. */
export const policy = z.strictObject({
  entryMode: entryMode.schema,
  reentry: reentry.schema,
  /** With AFTER_DAYS only. */
  reentryDays: z.nullable(whole('重复进入间隔天数', 1, 365)),
  priority: whole('优先级', 1, 9),
  pauseOnPatientReply: z.boolean('请选择患者回复后是否暂停'),
  pauseOnDoctorReply: z.boolean('请选择医生介入后是否暂停'),
  pauseHours: whole('暂停时长', 1, 168),
  resumeMode: resumeMode.schema,
  maxDelayHours: whole('最长延迟', 1, 72),
  activeGuardMin: whole('会话保护时长', 0, 60),
  recheckLaunch: z.boolean('请选择是否每次发送前复核启动条件'),
  calendarMode: calendarMode.schema,
  goal: goal.schema,
  goalWindowDays: whole('转化归因天数', 1, 30),
  endAfterDays: z.nullable(whole('最长随访天数', 1, 365)),
  /** Main scenes only. */
  childExclusive: z.boolean('请选择子场景是否互斥'),
});
export type Policy = z.output<typeof policy>;

/** Names of the policy's fields, in the form and in the trail. */
export const policyLabels: Readonly<Record<keyof Policy, string>> = {
  entryMode: '进入方式',
  reentry: '重复进入',
  reentryDays: '重复进入间隔天数',
  priority: '优先级',
  pauseOnPatientReply: '患者回复后暂停',
  pauseOnDoctorReply: '医生介入后暂停',
  pauseHours: '暂停时长',
  resumeMode: '恢复方式',
  maxDelayHours: '最长延迟',
  activeGuardMin: '会话保护时长',
  recheckLaunch: '发送前复核启动条件',
  calendarMode: '发送日历',
  goal: '转化目标',
  goalWindowDays: '转化归因天数',
  endAfterDays: '最长随访天数',
  childExclusive: '子场景互斥',
};

export const scenePackage = z.strictObject({
  scenePackageId: idOut,
  state: packageState.schema,
  version: z.int(),
  sceneId: idOut,
  sceneName: z.string(),
  diseaseId: idOut,
  diseaseName: z.string(),
  /** Empty for a main scene. */
  mainSceneId: z.string(),
  mainSceneName: z.string(),
  chatFlag: chatFlagOut,
  groupChat: z.boolean(),
  singleChat: z.boolean(),
  draft: policy,
  updatedAt: instant,
});
export type ScenePackage = z.output<typeof scenePackage>;

const base = { host: 'admin', service: 'ScenePackageService' } as const;

export const queryScenePackage = call({
  ...base,
  operation: 'queryScenePackage',
  shape: 'data',
  kind: 'query',
  input: z.strictObject({ scenePackageId: id }),
  output: scenePackage,
  access: access.permission(corpusPermissions['corpus.view']),
  label: '查询场景包',
});

export const modifyScenePackagePolicy = call({
  ...base,
  operation: 'modifyScenePackagePolicy',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({ scenePackageId: id, version, ...policy.shape }),
  output: scenePackage,
  access: access.permission(corpusPermissions['scene.edit']),
  label: '修改场景策略',
  message: '修改成功!',
});

export const trialPatientRow = z.strictObject({
  patientId: idOut,
  /** Masked. */
  patientName: z.string(),
  /** 1 male, 2 female. */
  sex: z.literal([1, 2]),
  age: z.int(),
});
export type TrialPatientRow = z.output<typeof trialPatientRow>;

export const queryTrialPatientList = call({
  ...base,
  operation: 'queryTrialPatientList',
  shape: 'data',
  kind: 'query',
  input: z.strictObject({ scenePackageId: id, keyword: blankOr(text('患者', 64)) }),
  output: z.array(trialPatientRow),
  access: access.permission(corpusPermissions['run.view']),
  label: '查询试算患者',
});

export const explainedRow = z.strictObject({
  index: z.int(),
  groupNo: z.int(),
  role: z.literal([1, 2, 3]),
  variableName: z.string(),
  operatorValue: z.enum(basicOperators),
  conditionValue: z.string(),
  /** 0: shown, without weight. */
  checked: z.literal([0, 1]),
  verdict: z.enum(['HELD', 'NOT_HELD', 'NO_DATA']),
  /** With the unit, or the option's label; empty without data. */
  value: z.string(),
  at: z.string(),
  source: z.string(),
  sourceRoute: z.string(),
});

export const trialAnswer = z.strictObject({
  /** Launch: ENTER or NOT. Stop: STOP or NOT. */
  result: z.enum(['ENTER', 'STOP', 'NOT']),
  /** Own rows alone, before the main scene is looked at. */
  held: z.boolean(),
  /** No row takes effect. */
  empty: z.boolean(),
  heldGroups: z.array(z.int()),
  /** A child scene is entered only where its main scene's launch conditions hold too. */
  mainScene: z.nullable(z.strictObject({ sceneName: z.string(), held: z.boolean() })),
  rows: z.array(explainedRow),
});
export type TrialAnswer = z.output<typeof trialAnswer>;

export const evaluateForPatient = call({
  ...base,
  operation: 'evaluateForPatient',
  shape: 'data',
  kind: 'query',
  input: z.strictObject({
    scenePackageId: id,
    patientId: id,
    conversationId: blankOr(text('会话', 64)),
    expType: z._default(expTypeIn, 1),
    /** Unsaved rows; absent: the stored ones. */
    dataDetail: z.optional(conditionRowsIn),
  }),
  output: trialAnswer,
  access: access.permission(corpusPermissions['run.view']),
  label: '单患者试算',
});
