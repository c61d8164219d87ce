import * as z from 'zod/mini';
import { id, idOut, instant, text, version, personName } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { basicOperators } from '#kernel/contract/rules/rule.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { declareService } from '#kernel/contract/service.ts';
import { conditionRowsIn } from './conditionCalls.ts';
import { calendarMode, entryMode, goal, packageState, reentry, resumeMode } from './dictionaries.ts';
import { corpusPermissions } from './permissions.ts';
import { blankOr, chatFlagOut, expTypeIn } from './wire.ts';

const whole = (label: string, min: number, max: number) => {
  const message = `${label}须为${min}至${max}的整数`;
  return field(label, z.int(message).check(z.minimum(min, message), z.maximum(max, message)));
};

/** How a package enters, pauses, repeats and ends. */
export const policy = z.strictObject({
  entryMode: field('进入方式', entryMode.schema),
  reentry: field('重复进入', reentry.schema),
  /** With AFTER_DAYS only. */
  reentryDays: z.nullable(whole('重复进入间隔天数', 1, 365)),
  priority: whole('优先级', 1, 9),
  pauseOnPatientReply: field('患者回复后暂停', z.boolean('请选择患者回复后是否暂停')),
  pauseOnDoctorReply: field('医生介入后暂停', z.boolean('请选择医生介入后是否暂停')),
  pauseHours: whole('暂停时长', 1, 168),
  resumeMode: field('恢复方式', resumeMode.schema),
  maxDelayHours: whole('最长延迟', 1, 72),
  activeGuardMin: whole('会话保护时长', 0, 60),
  recheckLaunch: field('发送前复核启动条件', z.boolean('请选择是否每次发送前复核启动条件')),
  calendarMode: field('发送日历', calendarMode.schema),
  goal: field('转化目标', goal.schema),
  goalWindowDays: whole('转化归因天数', 1, 30),
  endAfterDays: z.nullable(whole('最长随访天数', 1, 365)),
  /** Main scenes only. */
  childExclusive: field('子场景互斥', z.boolean('请选择子场景是否互斥')),
});
export type Policy = z.output<typeof policy>;

/** Names of the policy's fields, in the form and in the trail. */
export const policyLabels = labelsOf(policy.shape);

const scenePackage = z.strictObject({
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

const service = declareService('ScenePackageService');

export const queryScenePackage = service.read({
  operation: 'queryScenePackage',
  label: '查询场景包',
  access: corpusPermissions['corpus.view'],
  input: { scenePackageId: field('场景包', id) },
  output: scenePackage,
});

export const modifyScenePackagePolicy = service.act({
  operation: 'modifyScenePackagePolicy',
  label: '修改场景策略',
  access: corpusPermissions['scene.edit'],
  message: '修改成功!',
  input: { scenePackageId: field('场景包', id), version, ...policy.shape },
  output: scenePackage,
});

const trialPatientRow = z.strictObject({
  patientId: idOut,
  /** Masked. */
  patientName: z.string(),
  /** 1 male, 2 female. */
  sex: z.literal([1, 2]),
  /** null: no day of birth is known. */
  age: z.nullable(z.int()),
});
export const queryTrialPatientList = service.read({
  operation: 'queryTrialPatientList',
  label: '查询试算患者',
  access: corpusPermissions['run.view'],
  input: { scenePackageId: field('场景包', id), keyword: blankOr(personName('患者', 64)) },
  output: z.array(trialPatientRow),
});

const explainedRow = z.strictObject({
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

const trialAnswer = z.strictObject({
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

export const evaluateForPatient = service.read({
  operation: 'evaluateForPatient',
  label: '单患者试算',
  access: corpusPermissions['run.view'],
  input: {
    scenePackageId: field('场景包', id),
    patientId: field('患者', id),
    conversationId: blankOr(text('会话', 64)),
    expType: z._default(expTypeIn, 1),
    /** Unsaved rows; absent: the stored ones. */
    dataDetail: field('明细', z.optional(conditionRowsIn)),
  },
  output: trialAnswer,
});
