import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { cardErrors } from './errors.ts';

export const validModes = dictionary('card.validMode', { FIXED: '固定期', DAYS: '激活后N天' });
export const couponModes = dictionary('card.couponMode', { FULL_CUT: '满减', CASH: '立减', DISCOUNT: '折扣', EXCHANGE: '兑换' });
export const expiryPolicies = dictionary('card.expiryPolicy', { RETURN: '退回出资方', BREAKAGE: '计入过期收益' });
export const orderTypes = dictionary('card.orderType', { STORE_DIRECT: '门店直付', APP: '线上订单', MANUAL: '手工订单' });
export const media = dictionary('card.medium', { VIRTUAL: '电子', PHYSICAL: '实体' });

export const typeMachine = stateMachine(
  'card.type',
  {
    DRAFT: { label: '草稿' },
    ENABLED: { label: '启用', tone: 'success' },
    DISABLED: { label: '停用' },
  },
  {
    enable: { label: '启用', from: ['DRAFT', 'DISABLED'], to: 'ENABLED', permission: 'card.type.edit', opinion: 'none' },
    disable: { label: '停用', from: ['ENABLED'], to: 'DISABLED', permission: 'card.type.edit', opinion: 'none' },
  },
);

export const batchMachine = stateMachine(
  'card.batch',
  {
    DRAFT: { label: '草稿' },
    PENDING_APPROVAL: { label: '待审批', tone: 'warning' },
    PENDING_SECOND: { label: '待复审', tone: 'processing' },
    REJECTED: { label: '已驳回', tone: 'error' },
    APPROVED: { label: '已审批', tone: 'processing' },
    GENERATING: { label: '制卡中', tone: 'processing', job: true },
    GENERATED: { label: '已制卡', tone: 'success' },
    EXPORTED: { label: '已导出', tone: 'success' },
    CLOSED: { label: '已关闭' },
    VOIDED: { label: '已作废' },
  },
  {
    submit: { label: '提交审批', from: ['DRAFT', 'REJECTED'], to: 'PENDING_APPROVAL', permission: 'card.batch.edit', opinion: 'none' },
    approve: {
      label: '批准',
      from: ['PENDING_APPROVAL'],
      to: 'APPROVED',
      permission: 'card.batch.approve',
      opinion: 'none',
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    // The same act on a batch whose value asks for two.
    approveFirst: {
      label: '批准',
      from: ['PENDING_APPROVAL'],
      to: 'PENDING_SECOND',
      permission: 'card.batch.approve',
      opinion: 'none',
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    approveSecond: {
      label: '复审批准',
      from: ['PENDING_SECOND'],
      to: 'APPROVED',
      permission: 'card.batch.approve2',
      opinion: 'required',
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING_APPROVAL'],
      to: 'REJECTED',
      permission: 'card.batch.approve',
      opinion: 'required',
    },
    rejectSecond: {
      label: '驳回',
      from: ['PENDING_SECOND'],
      to: 'REJECTED',
      permission: 'card.batch.approve2',
      opinion: 'required',
    },
    generate: { label: '制卡', from: ['APPROVED'], to: 'GENERATING', permission: 'card.batch.edit', opinion: 'none' },
    generated: { label: '制卡完成', from: ['GENERATING'], to: 'GENERATED', permission: 'system', opinion: 'none' },
    export: { label: '导出卡密', from: ['GENERATED', 'EXPORTED'], to: 'EXPORTED', permission: 'card.batch.export', opinion: 'required' },
    close: { label: '关闭批次', from: ['GENERATED', 'EXPORTED'], to: 'CLOSED', permission: 'card.batch.approve', opinion: 'required' },
    void: {
      label: '作废批次',
      from: ['DRAFT', 'REJECTED', 'APPROVED', 'GENERATED', 'EXPORTED'],
      to: 'VOIDED',
      permission: 'card.batch.approve',
      opinion: 'required',
    },
  },
);
export type BatchState = keyof typeof batchMachine.states;
/** From this total on a batch needs a second approval; fen. */
export const SECOND_APPROVAL_FROM = 50_000_000;
export const MOST_EXPORTS = 3;

/** States of a product in which nobody buys it. */
export const withdrawnProducts = dictionary('card.withdrawnProduct', { SUSPENDED: '已停售', RETIRED: '已下架' });

export const issueDictionaries = [withdrawnProducts, validModes, couponModes, expiryPolicies, orderTypes, media];
export const issueMachines = [typeMachine, batchMachine];
