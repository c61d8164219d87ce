import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { corpusPermissions } from '../permissions.ts';
import { materialErrors } from '../materials/errors.ts';

const {
  'scene.edit': edit,
  'scene.audit': audit,
  'engine.stop': stop,
  'engine.resume': resume,
  'run.operate': operate,
} = corpusPermissions;

export const packageMachine = stateMachine(
  'corpus.scenePackage',
  {
    UNPUBLISHED: { label: '未发布' },
    RUNNING: { label: '运行中', tone: 'success' },
    SUSPENDED: { label: '已停发', tone: 'warning' },
    OFFLINE: { label: '已下线' },
  },
  {
    publish: { label: '发布', from: ['UNPUBLISHED', 'OFFLINE'], to: 'RUNNING', permission: 'system', opinion: 'optional' },
    suspend: { label: '停发', from: ['RUNNING'], to: 'SUSPENDED', permission: stop.code, opinion: 'required', danger: true },
    resume: { label: '恢复发送', from: ['SUSPENDED'], to: 'RUNNING', permission: resume.code, opinion: 'required' },
    offline: { label: '下线', from: ['RUNNING', 'SUSPENDED'], to: 'OFFLINE', permission: audit.code, opinion: 'required', danger: true },
  },
);

export const versionMachine = stateMachine(
  'corpus.packageVersion',
  {
    AUDITING: { label: '待审核', tone: 'warning' },
    PUBLISHED: { label: '已发布', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    WITHDRAWN: { label: '已撤回' },
    SUPERSEDED: { label: '已被替代' },
    OFFLINE: { label: '已下线' },
  },
  {
    withdraw: { label: '撤回', from: ['AUDITING'], to: 'WITHDRAWN', permission: edit.code, opinion: 'none' },
    approve: {
      label: '通过并发布',
      from: ['AUDITING'],
      to: 'PUBLISHED',
      permission: audit.code,
      opinion: 'optional',
      otherThan: materialErrors.SAME_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['AUDITING'],
      to: 'REJECTED',
      permission: audit.code,
      opinion: 'required',
      danger: true,
      otherThan: materialErrors.SAME_PERSON,
    },
    rollback: { label: '回滚到此版本', from: ['SUPERSEDED'], to: 'PUBLISHED', permission: audit.code, opinion: 'required', danger: true },
    supersede: { label: '被替代', from: ['PUBLISHED'], to: 'SUPERSEDED', permission: 'system', opinion: 'none' },
    offline: { label: '下线', from: ['PUBLISHED'], to: 'OFFLINE', permission: 'system', opinion: 'none' },
  },
  ['corpus.packageVersion', 'corpus.scene'],
);
export type VersionState = (typeof versionMachine.dictionary.codes)[number];

export const runMachine = stateMachine(
  'corpus.followRun',
  {
    RUNNING: { label: '进行中', tone: 'processing' },
    PAUSED: { label: '已暂停', tone: 'warning' },
    FINISHED: { label: '已完成', tone: 'success' },
    STOPPED: { label: '已终止', tone: 'error' },
  },
  {
    pause: { label: '暂停', from: ['RUNNING'], to: 'PAUSED', permission: operate.code, opinion: 'required' },
    resume: { label: '恢复', from: ['PAUSED'], to: 'RUNNING', permission: operate.code, opinion: 'none' },
    stop: { label: '终止', from: ['RUNNING', 'PAUSED'], to: 'STOPPED', permission: operate.code, opinion: 'required', danger: true },
    wait: { label: '自动暂停', from: ['RUNNING', 'PAUSED'], to: 'PAUSED', permission: 'system', opinion: 'optional' },
    goOn: { label: '自动恢复', from: ['PAUSED'], to: 'RUNNING', permission: 'system', opinion: 'none' },
    finish: { label: '完成', from: ['RUNNING'], to: 'FINISHED', permission: 'system', opinion: 'none' },
    end: { label: '自动终止', from: ['RUNNING', 'PAUSED'], to: 'STOPPED', permission: 'system', opinion: 'optional' },
  },
);
export const entrySource = dictionary('corpusEntrySource', { AUTO: '条件自动', MANUAL: '人工加入' });
export const pauseReason = dictionary('corpusPauseReason', { PATIENT_REPLY: '患者已回复', DOCTOR_REPLY: '医生已介入', MANUAL: '人工暂停' });
export const stopReason = dictionary('corpusStopReason', {
  STOP_CONDITION: '满足停止条件',
  SERVICE_END: '服务已结束',
  NO_CHANNEL: '会话已关闭',
  CONSENT: '撤回授权',
  DECEASED: '已身故',
  CANCELLED: '已注销',
  MERGED: '档案合并',
  SCENE_OFFLINE: '场景下线',
  MANUAL: '人工终止',
});
export type StopReason = (typeof stopReason.codes)[number];

export const sendState = dictionary('corpusSendState', {
  PLANNED: { label: '待发送', tone: 'processing' },
  HELD: { label: '暂缓', tone: 'warning' },
  SENDING: { label: '发送中', tone: 'processing', job: true },
  UNKNOWN: { label: '结果待确认', tone: 'warning' },
  SENT: { label: '已发送', tone: 'success' },
  FAILED: { label: '发送失败', tone: 'error' },
  SKIPPED: '已跳过',
  CANCELLED: '已取消',
});
export type SendState = (typeof sendState.codes)[number];

export const switchScope = dictionary('corpusSwitchScope', {
  ENGINE: '全局',
  SCENE: '场景',
  DOCTOR: '医生',
  CONVERSATION: '会话',
  PATIENT: '患者',
});
export type SwitchScope = (typeof switchScope.codes)[number];
export const onResume = dictionary('corpusOnResume', { CATCH_UP: '补发未过期', SKIP: '全部跳过' });
export const migrateMode = dictionary('corpusMigrateMode', { KEEP: '沿用旧版本', MIGRATE: '迁移到新版本' });
export const reasonDictionary = dictionary('corpusSendReason', {
  KILL: '停发中',
  PAUSED: '随访已暂停',
  ACTIVE: '会话进行中',
  QUIET: '非发送时段',
  CAP: '触达频次已满',
  EXPIRED: '已过有效期',
  CONDITION_LOST: '条件不再满足',
  ITEM_CONDITION: '日程条件不满足',
  NO_CONSENT: '未授权',
  NO_CHANNEL: '无可用会话',
  MATERIAL_OFF: '素材已停用',
  RX_REQUIRED: '无有效处方',
  REPEAT: '近期已发过相同素材',
  MANUAL: '人工跳过',
  KILL_SKIP: '停发期间跳过',
  TASK: '已生成任务',
});
export type SendReason = (typeof reasonDictionary.codes)[number];
