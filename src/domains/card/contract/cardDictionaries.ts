import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import type { CardAction } from './states.ts';
import { cardErrors } from './errors.ts';

export const freezeReasons = dictionary('card.freezeReason', {
  LOST: '挂失',
  RISK: '风险',
  REQUEST: '持卡人申请',
  OTHER: '其他',
  CONTRACT_SUSPENDED: '合同中止',
  CONTRACT_ENDED: '合同终止',
  LEDGER: '账户冻结',
});
export type FreezeReason = (typeof freezeReasons.codes)[number];
/** Those that people choose; the others come with events. */
export const CHOSEN_REASONS = ['LOST', 'RISK', 'REQUEST', 'OTHER'] as const satisfies readonly FreezeReason[];

export const changeActions = dictionary('card.changeAction', {
  VOID: '作废',
  REPLACE: '换卡',
  EXTEND: '延期',
  ADJUST: '调账',
  REBIND: '更换手机号',
});
export type ChangeAction = (typeof changeActions.codes)[number];

/** What an approval does with the card; the state decides of two. */
export const cardActionsOf: Readonly<Record<ChangeAction, readonly CardAction[]>> = {
  VOID: ['void'],
  REPLACE: ['replace'],
  EXTEND: ['extend', 'reopen'],
  ADJUST: ['adjust'],
  REBIND: ['rebind'],
};

/** An expired card may be taken up again for so many days. */
export const REOPEN_DAYS = 90;
export const MOST_CARDS_AT_ONCE = 500;
export const MOST_WRONG_SECRETS = 5;
export const SECRET_LOCK_MINUTES = 30;

export const changeMachine = stateMachine(
  'card.change',
  {
    PENDING: { label: '待审批', tone: 'warning' },
    APPROVED: { label: '已执行', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    WITHDRAWN: { label: '已撤销' },
  },
  {
    approve: {
      label: '批准',
      from: ['PENDING'],
      to: 'APPROVED',
      permission: 'card.change.approve',
      opinion: 'optional',
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: 'card.change.approve',
      opinion: 'required',
      danger: true,
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    withdraw: { label: '撤销', from: ['PENDING'], to: 'WITHDRAWN', permission: 'card.change.edit', opinion: 'none' },
  },
);

export const cardDictionaries = [freezeReasons, changeActions, changeMachine.dictionary];
