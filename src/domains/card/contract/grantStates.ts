import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { cardErrors } from './errors.ts';

export const grantSources = dictionary('card.grantSource', { SINGLE: '单笔', IMPORT: '批量导入', CONTRACT: '签约自动', API: '接口' });
export const lineStates = dictionary('card.grantLineState', {
  PENDING: { label: '待执行', tone: 'processing' },
  SUCCESS: { label: '成功', tone: 'success' },
  FAILED: { label: '失败', tone: 'error' },
  PART_REVOKED: { label: '部分撤回', tone: 'warning' },
  REVOKED: { label: '已撤回' },
});

export const grantMachine = stateMachine(
  'card.grant',
  {
    DRAFT: { label: '草稿' },
    PENDING_APPROVAL: { label: '待审批', tone: 'warning' },
    PENDING_SECOND: { label: '待复审', tone: 'processing' },
    REJECTED: { label: '已驳回', tone: 'error' },
    EXECUTING: { label: '发放中', tone: 'processing', job: true },
    DONE: { label: '已发放', tone: 'success' },
    PART_DONE: { label: '部分成功', tone: 'warning' },
    REVOKED: { label: '已撤回' },
  },
  {
    submit: { label: '提交', from: ['DRAFT', 'REJECTED'], to: 'PENDING_APPROVAL', permission: 'card.grant.edit', opinion: 'none' },
    approve: {
      label: '批准',
      from: ['PENDING_APPROVAL'],
      to: 'EXECUTING',
      permission: 'card.grant.approve',
      opinion: 'optional',
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    approveFirst: {
      label: '批准',
      from: ['PENDING_APPROVAL'],
      to: 'PENDING_SECOND',
      permission: 'card.grant.approve',
      opinion: 'optional',
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    approveSecond: {
      label: '复审批准',
      from: ['PENDING_SECOND'],
      to: 'EXECUTING',
      permission: 'card.grant.approve2',
      opinion: 'optional',
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING_APPROVAL'],
      to: 'REJECTED',
      permission: 'card.grant.approve',
      opinion: 'required',
    },
    rejectSecond: {
      label: '驳回',
      from: ['PENDING_SECOND'],
      to: 'REJECTED',
      permission: 'card.grant.approve2',
      opinion: 'required',
    },
    auto: { label: '自动发放', from: ['DRAFT'], to: 'EXECUTING', permission: 'system', opinion: 'none' },
    done: { label: '发放完成', from: ['EXECUTING'], to: 'DONE', permission: 'system', opinion: 'none' },
    partDone: { label: '部分成功', from: ['EXECUTING'], to: 'PART_DONE', permission: 'system', opinion: 'none' },
    retry: { label: '重试失败行', from: ['PART_DONE'], to: 'EXECUTING', permission: 'card.grant.edit', opinion: 'none' },
    revoke: {
      label: '撤回',
      from: ['DONE', 'PART_DONE'],
      to: 'REVOKED',
      permission: 'card.grant.approve',
      opinion: 'required',
      danger: true,
    },
    revokePart: { label: '部分撤回', from: ['DONE', 'PART_DONE'], permission: 'card.grant.approve', opinion: 'required' },
  },
);
export type GrantState = keyof typeof grantMachine.states;
/** From this total of principal and bonus on a grant needs a third person; fen. */
export const SECOND_GRANT_FROM = 10_000_000;
export const GRANT_IMPORTER = 'card.grantLines';
export const grantDictionaries = [grantSources, lineStates];
