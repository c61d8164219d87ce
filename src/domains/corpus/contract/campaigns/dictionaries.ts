import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { corpusPermissions as may } from '../permissions.ts';
import { materialErrors } from '../materials/errors.ts';

export const CAMPAIGN_TARGET = 'corpus.campaign';

const EDIT = may['campaign.edit'].code;
const AUDIT = may['campaign.audit'].code;

export const campaignMachine = stateMachine(
  'corpus.campaign',
  {
    DRAFT: { label: '草稿' },
    AUDITING: { label: '待审核', tone: 'warning' },
    SCHEDULED: { label: '待发送', tone: 'processing' },
    SENDING: { label: '发送中', tone: 'processing', job: true },
    DONE: { label: '已完成', tone: 'success' },
    STOPPED: { label: '已停止', tone: 'error' },
  },
  {
    submit: { label: '提交审核', from: ['DRAFT'], to: 'AUDITING', permission: EDIT, opinion: 'none' },
    approve: {
      label: '通过',
      from: ['AUDITING'],
      to: 'SCHEDULED',
      permission: AUDIT,
      opinion: 'optional',
      otherThan: materialErrors.SAME_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['AUDITING'],
      to: 'DRAFT',
      permission: AUDIT,
      opinion: 'required',
      danger: true,
      otherThan: materialErrors.SAME_PERSON,
    },
    stop: { label: '停止', from: ['SCHEDULED', 'SENDING'], to: 'STOPPED', permission: EDIT, opinion: 'required', danger: true },
    start: { label: '开始发送', from: ['SCHEDULED'], to: 'SENDING', permission: 'system', opinion: 'none' },
    halt: { label: '自动停止', from: ['SCHEDULED'], to: 'STOPPED', permission: 'system', opinion: 'optional' },
    finish: { label: '发送完成', from: ['SENDING'], to: 'DONE', permission: 'system', opinion: 'none' },
  },
);
export const campaignActions = ['submit', 'approve', 'reject'] as const;
export type CampaignAction = (typeof campaignActions)[number] | 'stop';

/** What would become of a person of the audience if it were sent now. */
export const audienceResult = dictionary('corpusAudienceResult', {
  SEND: { label: '可发送', tone: 'success' },
  NO_CONSENT: { label: '未授权', tone: 'warning' },
  NO_CHANNEL: { label: '无会话', tone: 'warning' },
  KILL: { label: '停发', tone: 'warning' },
  CAP: { label: '频次已满', tone: 'warning' },
  OTHER: { label: '其他原因' },
});
export type AudienceResult = (typeof audienceResult.codes)[number];

/** Importer of an audience by a file of patients' numbers. */
export const CAMPAIGN_AUDIENCE_IMPORTER = 'corpus.campaignAudience';
