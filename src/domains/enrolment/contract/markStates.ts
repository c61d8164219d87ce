import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { enrolmentErrors } from './errors.ts';

/** What a mark does to the person's applications and fees. */
export const markTypes = dictionary('enrolment.markType', {
  SKIP_REVIEW: { label: '免初审', tone: 'processing' },
  FORCE_RECHECK: { label: '强制复核', tone: 'warning' },
  BLOCK: { label: '禁止入组', tone: 'error' },
  WAIVE_FEE: { label: '免服务费', tone: 'success' },
  TEST: { label: '测试用户', tone: 'default' },
});
export type MarkType = (typeof markTypes.codes)[number];

/** Marks that take a right away or money, for which there has to be a paper. */
export const marksWithEvidence: readonly MarkType[] = ['BLOCK', 'WAIVE_FEE'];

const audit = 'enrolment.specialUser.audit';
const otherThan = enrolmentErrors.OWN_MARK;
export const markMachine = stateMachine(
  'enrolment.specialUser',
  {
    PENDING: { label: '待审批', tone: 'warning' },
    EFFECTIVE: { label: '生效中', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    REVOKED: { label: '已撤销', tone: 'default' },
    EXPIRED: { label: '已过期', tone: 'default' },
  },
  {
    resubmit: {
      label: '重新提交',
      from: ['REJECTED'],
      to: 'PENDING',
      permission: 'enrolment.specialUser.edit',
      opinion: 'none',
    },
    approve: { label: '同意', from: ['PENDING'], to: 'EFFECTIVE', permission: audit, opinion: 'optional', otherThan, passes: true },
    reject: { label: '驳回', from: ['PENDING'], to: 'REJECTED', permission: audit, opinion: 'required', danger: true, otherThan },
    revoke: { label: '撤销标记', from: ['EFFECTIVE'], to: 'REVOKED', permission: audit, opinion: 'required', danger: true, otherThan },
    /** A successor takes over: it ends the day before. */
    shorten: { label: '由新标记接续', from: ['EFFECTIVE'], permission: 'system', opinion: 'none' },
    expire: { label: '到期', from: ['EFFECTIVE'], to: 'EXPIRED', permission: 'system', opinion: 'none' },
  },
);
