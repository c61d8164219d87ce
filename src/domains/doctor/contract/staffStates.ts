import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { doctorPermissions as may } from './permissions.ts';

const { code: assistantEdit } = may['assistant.edit'];
const { code: recommendEdit } = may['recommend.edit'];
const { code: cardEdit } = may['card.edit'];

export const assistantMachine = stateMachine(
  'doctor.assistant',
  {
    ON_DUTY: { label: '在岗', tone: 'success' },
    OFF_DUTY: { label: '离岗' },
    LEAVE: { label: '请假', tone: 'warning' },
    DISABLED: { label: '已停用' },
  },
  {
    add: { label: '新增', from: ['OFF_DUTY'], permission: 'system', opinion: 'none' },
    modify: { label: '编辑', from: ['ON_DUTY', 'OFF_DUTY', 'LEAVE', 'DISABLED'], permission: 'system', opinion: 'none' },
    goOn: { label: '上岗', from: ['OFF_DUTY'], to: 'ON_DUTY', permission: assistantEdit, opinion: 'none' },
    goOff: { label: '离岗', from: ['ON_DUTY'], to: 'OFF_DUTY', permission: assistantEdit, opinion: 'none' },
    /** The person's own switch in the workbench. */
    goOnSelf: { label: '上岗', from: ['OFF_DUTY'], to: 'ON_DUTY', permission: 'system', opinion: 'none' },
    goOffSelf: { label: '离岗', from: ['ON_DUTY'], to: 'OFF_DUTY', permission: 'system', opinion: 'none' },
    leave: { label: '请假', from: ['ON_DUTY', 'OFF_DUTY'], to: 'LEAVE', permission: assistantEdit, opinion: 'optional' },
    return: { label: '销假', from: ['LEAVE'], to: 'OFF_DUTY', permission: assistantEdit, opinion: 'none' },
    returnInTime: { label: '假期结束', from: ['LEAVE'], to: 'OFF_DUTY', permission: 'system', opinion: 'none' },
    disable: {
      label: '停用',
      from: ['ON_DUTY', 'OFF_DUTY', 'LEAVE'],
      to: 'DISABLED',
      permission: assistantEdit,
      opinion: 'required',
      danger: true,
    },
    disableBySystem: {
      label: '员工停用',
      from: ['ON_DUTY', 'OFF_DUTY', 'LEAVE'],
      to: 'DISABLED',
      permission: 'system',
      opinion: 'optional',
    },
    enable: { label: '启用', from: ['DISABLED'], to: 'OFF_DUTY', permission: assistantEdit, opinion: 'none' },
  },
);
export type AssistantState = keyof typeof assistantMachine.states & string;

export const recommendationMachine = stateMachine(
  'doctor.recommendation',
  {
    WAITING: { label: '待生效', tone: 'processing' },
    ON: { label: '展示中', tone: 'success' },
    ENDED: { label: '已结束' },
    OFF: { label: '已下架' },
  },
  {
    add: { label: '新增', from: ['WAITING', 'ON'], permission: 'system', opinion: 'none' },
    modify: { label: '编辑', from: ['WAITING', 'ON'], permission: recommendEdit, opinion: 'none' },
    start: { label: '开始展示', from: ['WAITING'], to: 'ON', permission: 'system', opinion: 'none' },
    end: { label: '到期结束', from: ['WAITING', 'ON'], to: 'ENDED', permission: 'system', opinion: 'none' },
    off: { label: '下架', from: ['WAITING', 'ON', 'ENDED'], to: 'OFF', permission: recommendEdit, opinion: 'required', danger: true },
    offBySystem: { label: '系统下架', from: ['WAITING', 'ON', 'ENDED'], to: 'OFF', permission: 'system', opinion: 'optional' },
  },
);

export const cardMachine = stateMachine(
  'doctor.card',
  {
    NONE: { label: '未生成' },
    GENERATING: { label: '生成中', tone: 'processing', job: true },
    READY: { label: '可用', tone: 'success' },
    FAILED: { label: '生成失败', tone: 'error' },
    STALE: { label: '待更新', tone: 'warning' },
    DISABLED: { label: '已停用' },
  },
  {
    generate: {
      label: '生成',
      from: ['NONE', 'READY', 'FAILED', 'STALE', 'DISABLED'],
      to: 'GENERATING',
      permission: cardEdit,
      opinion: 'none',
    },
    regenerate: { label: '自动重新生成', from: ['READY', 'STALE', 'FAILED'], to: 'GENERATING', permission: 'system', opinion: 'none' },
    ready: { label: '生成完成', from: ['GENERATING'], to: 'READY', permission: 'system', opinion: 'none' },
    fail: { label: '生成失败', from: ['GENERATING'], to: 'FAILED', permission: 'system', opinion: 'optional' },
    stale: { label: '资料已变更', from: ['READY'], to: 'STALE', permission: 'system', opinion: 'none' },
    disable: {
      label: '停用',
      from: ['NONE', 'GENERATING', 'READY', 'FAILED', 'STALE'],
      to: 'DISABLED',
      permission: cardEdit,
      opinion: 'optional',
      danger: true,
    },
    disableBySystem: {
      label: '系统停用',
      from: ['NONE', 'GENERATING', 'READY', 'FAILED', 'STALE'],
      to: 'DISABLED',
      permission: 'system',
      opinion: 'optional',
    },
  },
);
