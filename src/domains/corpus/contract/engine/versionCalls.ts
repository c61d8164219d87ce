import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { id, idOut, instantOut, optionalText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { corpusPermissions } from '../permissions.ts';
import { migrateMode, onResume, packageMachine, versionMachine } from './states.ts';

const service = declareService('ScenePackageService');
const scenePackageId = field('场景包', id);

/** One line of what was looked at before a version was handed in. */
const check = z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() });
export type Check = z.output<typeof check>;

/** What approving would do to the patients who are under way. */
const migrationPlan = z.strictObject({
  runs: z.int(),
  added: z.int(),
  moved: z.int(),
  cancelled: z.int(),
  /** Added, but their time is over. */
  tooLate: z.int(),
});
export type MigrationPlan = z.output<typeof migrationPlan>;

const versionRow = z.strictObject({
  id: idOut,
  scenePackageId: idOut,
  seq: field('版本', z.int()),
  state: versionMachine.dictionary.schema,
  contentHash: z.string(),
  submitNote: field('提交说明', z.string()),
  checks: z.array(check),
  migrateMode: field('运行中患者', z.nullable(migrateMode.schema)),
  submittedBy: field('提交人', z.string()),
  submittedAt: field('提交时间', instantOut),
  auditedBy: field('审核人', z.nullable(z.string())),
  auditedAt: field('审核时间', z.nullable(instantOut)),
  opinion: field('审核意见', z.string()),
  /** Runs under way on this version. */
  liveRuns: field('进行中', z.int()),
  version: z.int(),
  allowedActions: actionsOf(versionMachine),
});
export type VersionRow = z.output<typeof versionRow>;

/** Where a package stands between its draft and what the engine runs. */
const packageStateView = z.strictObject({
  state: packageMachine.dictionary.schema,
  /** Number of the version in force; null before the first. */
  publishedSeq: z.nullable(z.int()),
  draftHash: z.string(),
  /** 有未发布修改. */
  isDirty: z.boolean(),
  /** The checks of the present draft. */
  checks: z.array(check),
  liveRuns: z.int(),
  allowedActions: z.array(z.string()),
  version: z.int(),
});
export type PackageStateView = z.output<typeof packageStateView>;

export const queryPackageState = service.read({
  operation: 'queryPackageState',
  label: '查询场景发布状态',
  access: corpusPermissions['corpus.view'],
  input: { scenePackageId },
  output: packageStateView,
});

export const queryPackageVersionList = service.list({
  operation: 'queryPackageVersionList',
  label: '查询场景版本',
  access: corpusPermissions['corpus.view'],
  filter: { scenePackageId },
  output: versionRow,
});

const versionDifference = z.strictObject({
  part: z.enum(['policy', 'launch', 'stop', 'mainLaunch', 'schedule', 'cycle']),
  label: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type VersionDifference = z.output<typeof versionDifference>;

export const queryPackageVersionDiff = service.read({
  operation: 'queryPackageVersionDiff',
  label: '查询场景版本差异',
  access: corpusPermissions['corpus.view'],
  /** Without `to` the draft is set against `from`; without `from` the version against nothing. */
  input: { scenePackageId, from: field('原版本', z.optional(id)), to: field('新版本', z.optional(id)) },
  output: z.strictObject({ differences: z.array(versionDifference), migration: z.nullable(migrationPlan) }),
});

const packageActions = ['submit', 'withdraw', 'approve', 'reject', 'rollback', 'suspend', 'resume', 'offline'] as const;
export type PackageAction = (typeof packageActions)[number];
const message = '请选择操作';

export const auditScenePackage = service.act({
  operation: 'auditScenePackage',
  label: '审核与发布场景',
  access: access.byAction(
    'action',
    {
      submit: corpusPermissions['scene.edit'],
      withdraw: corpusPermissions['scene.edit'],
      suspend: corpusPermissions['engine.stop'],
      resume: corpusPermissions['engine.resume'],
    },
    corpusPermissions['scene.audit'],
  ),
  idempotency: 'required',
  message: '操作成功',
  input: {
    scenePackageId,
    versionId: field('版本', z.optional(id)),
    action: field('操作', z.enum(packageActions, message)),
    opinion: optionalText('意见', 200),
    migrateMode: field('运行中患者的处理方式', z.optional(migrateMode.schema)),
    onResume: field('恢复方式', z.optional(onResume.schema)),
  },
  output: packageStateView,
});
