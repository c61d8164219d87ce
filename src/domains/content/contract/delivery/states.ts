import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { releaseErrors } from '../releases/errors.ts';

/** Banners and advertisements live alike; who may do what differs. */
const machineOf = (name: string, edit: string, audit: string) =>
  stateMachine(
    name,
    {
      DRAFT: { label: '草稿' },
      AUDITING: { label: '待审核', tone: 'warning' },
      APPROVED: { label: '已通过', tone: 'success' },
      REJECTED: { label: '已驳回', tone: 'error' },
      OFFLINE: { label: '已下线' },
    },
    {
      submit: { label: '提交审核', from: ['DRAFT', 'REJECTED'], to: 'AUDITING', permission: edit, opinion: 'none' },
      withdraw: { label: '撤回', from: ['AUDITING'], to: 'DRAFT', permission: edit, opinion: 'none' },
      approve: {
        label: '通过',
        from: ['AUDITING'],
        to: 'APPROVED',
        permission: audit,
        opinion: 'optional',
        otherThan: releaseErrors.OWN_AUDIT,
      },
      reject: {
        label: '驳回',
        from: ['AUDITING'],
        to: 'REJECTED',
        permission: audit,
        opinion: 'required',
        danger: true,
        otherThan: releaseErrors.OWN_AUDIT,
      },
      /** By whoever made it; the auditor takes down what others made. */
      offline: { label: '下线', from: ['APPROVED'], to: 'OFFLINE', permission: edit, opinion: 'optional', danger: true },
      takeDown: { label: '下线', from: ['APPROVED'], to: 'OFFLINE', permission: audit, opinion: 'optional', danger: true },
      expire: { label: '到期下线', from: ['APPROVED'], to: 'OFFLINE', permission: 'system', opinion: 'none' },
      adjust: { label: '调整投放', from: ['APPROVED'], permission: edit, opinion: 'none' },
    },
  );

export const bannerMachine = machineOf('content.banner', 'content.banner.edit', 'content.banner.audit');
export const advertMachine = machineOf('content.advert', 'content.ad.edit', 'content.ad.audit');
export const machines = { BANNER: bannerMachine, AD: advertMachine } as const;

/** Acts that change where a delivery stands. */
export const deliveryActions = ['submit', 'withdraw', 'approve', 'reject', 'offline', 'takeDown'] as const;
export type DeliveryAction = (typeof deliveryActions)[number];
