import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { corpusPermissions as may } from '../permissions.ts';
import { materialErrors } from '../materials/errors.ts';

export const AUTO_MESSAGE_TARGET = 'corpus.autoMessage';

export const autoKind = dictionary('corpusAutoKind', { WELCOME: '欢迎语', NOTICE: '服务通知' });
export type AutoKind = (typeof autoKind.codes)[number];

/** Acts of a patient that are answered by a greeting. */
const welcomeTriggers = ['GROUP_CREATED', 'SINGLE_OPEN', 'CHANNEL_SCAN'] as const;
/** What sets an automatic message off; a notice names the event of the other domain. */
export const autoTrigger = dictionary('corpusAutoTrigger', {
  GROUP_CREATED: '建群',
  SINGLE_OPEN: '单聊开启',
  CHANNEL_SCAN: '扫码进入',
  'enrolment.apply.submitted': '入组申请已提交',
  'enrolment.apply.approved': '入组审核通过',
  'enrolment.apply.rejected': '入组审核未通过',
  'enrolment.apply.supplementRequested': '入组资料待补充',
  'enrolment.apply.closed': '入组申请已关闭',
  'claim.case.supplementRequested': '理赔资料待补充',
  'claim.case.resultNotified': '理赔结果通知',
  'order.fulfilment.shipped': '药品已发货',
  'order.fulfilment.signed': '药品已签收',
  'card.card.granted': '权益卡已发放',
  'card.card.expiryNeared': '权益卡即将到期',
});
export type AutoTrigger = (typeof autoTrigger.codes)[number];
export type WelcomeTrigger = (typeof welcomeTriggers)[number];

const greetings: readonly string[] = welcomeTriggers;
export const triggersOf = (kind: AutoKind): AutoTrigger[] =>
  autoTrigger.codes.filter((code) => greetings.includes(code) === (kind === 'WELCOME'));

/** The narrower scope goes before the wider one, in this order (R13). */
export const autoScope = dictionary('corpusAutoScope', {
  CHANNEL: '渠道',
  DOCTOR: '医生',
  SERVICE_ITEM: '服务项目',
  DISEASE: '病种',
  DEFAULT: '默认',
});
export type AutoScope = (typeof autoScope.codes)[number];
/** Events of insurance and orders name the patient alone: a notice can tell by his diseases at most. */
export const scopesOf = (kind: AutoKind): readonly AutoScope[] => (kind === 'WELCOME' ? autoScope.codes : ['DISEASE', 'DEFAULT']);

export const quietMode = dictionary('corpusQuietMode', { IMMEDIATE: '即时', WINDOW: '仅08:30-18:30' });

const EDIT = may['welcome.edit'].code;
const AUDIT = may['welcome.audit'].code;

export const autoMachine = stateMachine(
  'corpus.autoMessage',
  {
    DRAFT: { label: '草稿' },
    AUDITING: { label: '待审核', tone: 'warning' },
    ENABLED: { label: '已启用', tone: 'success' },
    DISABLED: { label: '已停用' },
  },
  {
    submit: { label: '提交审核', from: ['DRAFT'], to: 'AUDITING', permission: EDIT, opinion: 'none' },
    approve: {
      label: '通过',
      from: ['AUDITING'],
      to: 'ENABLED',
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
    disable: { label: '停用', from: ['ENABLED'], to: 'DISABLED', permission: EDIT, opinion: 'required', danger: true },
    enable: { label: '启用', from: ['DISABLED'], to: 'ENABLED', permission: AUDIT, opinion: 'none' },
  },
);
export const autoActions = ['submit', 'approve', 'reject', 'disable', 'enable'] as const;
export type AutoAction = (typeof autoActions)[number];
/** Once written anew, what was out of use is a draft again. */
export const isEditable = (state: keyof typeof autoMachine.states): boolean => state === 'DRAFT' || state === 'DISABLED';
