import { stateMachine } from '#kernel/contract/stateMachine.ts';

export const fileMachine = stateMachine(
  'files.fileObject',
  {
    PENDING: { label: '待上传' },
    CHECKING: { label: '校验中', tone: 'processing', job: true },
    READY: { label: '可用', tone: 'success' },
    REJECTED: { label: '已拒绝', tone: 'error' },
    EXPIRED: { label: '已过期' },
    DELETED: { label: '已删除' },
  },
  {
    complete: { label: '完成上传', from: ['PENDING'], to: 'CHECKING', permission: 'session', opinion: 'none' },
    pass: { label: '通过校验', from: ['CHECKING'], to: 'READY', permission: 'system', opinion: 'none' },
    reject: { label: '拒绝', from: ['CHECKING'], to: 'REJECTED', permission: 'system', opinion: 'none' },
    expire: { label: '过期', from: ['PENDING', 'READY'], to: 'EXPIRED', permission: 'system', opinion: 'none' },
    remove: { label: '删除', from: ['READY', 'REJECTED'], to: 'DELETED', permission: 'session', opinion: 'none', danger: true },
  },
);

export const exportMachine = stateMachine(
  'files.exportTask',
  {
    QUEUED: { label: '排队中', job: true },
    RUNNING: { label: '生成中', tone: 'processing', job: true },
    SUCCESS: { label: '已完成', tone: 'success' },
    FAILED: { label: '生成失败', tone: 'error' },
    CANCELLED: { label: '已取消' },
    EXPIRED: { label: '已过期' },
  },
  {
    start: { label: '开始生成', from: ['QUEUED'], to: 'RUNNING', permission: 'system', opinion: 'none' },
    finish: { label: '生成完成', from: ['RUNNING'], to: 'SUCCESS', permission: 'system', opinion: 'none' },
    fail: { label: '生成失败', from: ['QUEUED', 'RUNNING'], to: 'FAILED', permission: 'system', opinion: 'none' },
    download: { label: '下载', from: ['SUCCESS'], permission: 'session', opinion: 'none' },
    revealPassword: { label: '查看密码', from: ['SUCCESS'], permission: 'session', opinion: 'none' },
    cancel: { label: '取消', from: ['QUEUED', 'RUNNING'], to: 'CANCELLED', permission: 'session', opinion: 'none' },
    retry: { label: '重试', from: ['FAILED'], to: 'QUEUED', permission: 'session', opinion: 'none' },
    rerun: { label: '再次导出', from: ['SUCCESS', 'EXPIRED', 'FAILED', 'CANCELLED'], permission: 'session', opinion: 'none' },
    expire: { label: '过期', from: ['SUCCESS', 'FAILED'], to: 'EXPIRED', permission: 'system', opinion: 'none' },
  },
);

export const importMachine = stateMachine(
  'files.importTask',
  {
    VALIDATING: { label: '校验中', tone: 'processing', job: true },
    INVALID: { label: '校验未通过', tone: 'error' },
    READY: { label: '待提交', tone: 'warning' },
    COMMITTING: { label: '提交中', tone: 'processing', job: true },
    DONE: { label: '已完成', tone: 'success' },
    FAILED: { label: '提交失败', tone: 'error' },
    CANCELLED: { label: '已取消' },
    UNDONE: { label: '已撤销' },
  },
  {
    validated: { label: '校验通过', from: ['VALIDATING'], to: 'READY', permission: 'system', opinion: 'none' },
    invalidated: { label: '校验未通过', from: ['VALIDATING'], to: 'INVALID', permission: 'system', opinion: 'none' },
    commit: { label: '确认提交', from: ['READY', 'INVALID'], to: 'COMMITTING', permission: 'session', opinion: 'none' },
    done: { label: '提交完成', from: ['COMMITTING'], to: 'DONE', permission: 'system', opinion: 'none' },
    fail: { label: '提交失败', from: ['COMMITTING', 'VALIDATING'], to: 'FAILED', permission: 'system', opinion: 'none' },
    giveBack: { label: '中断，待重新提交', from: ['COMMITTING'], to: 'READY', permission: 'system', opinion: 'none' },
    revalidate: { label: '重新校验', from: ['READY', 'INVALID', 'FAILED'], to: 'VALIDATING', permission: 'session', opinion: 'none' },
    cancel: { label: '取消', from: ['VALIDATING', 'READY', 'INVALID', 'FAILED'], to: 'CANCELLED', permission: 'session', opinion: 'none' },
    undo: { label: '整批撤销', from: ['DONE'], to: 'UNDONE', permission: 'session', opinion: 'required', danger: true },
  },
);
