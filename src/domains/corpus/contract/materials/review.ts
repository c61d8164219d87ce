import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { idOut, instantOut } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { corpusPermissions as may } from '../permissions.ts';
import { materialErrors } from './errors.ts';

const EDIT = may['material.edit'].code;
const AUDIT = may['material.audit'].code;

/** Life of a piece of reviewed content: a material or a questionnaire. */
export const reviewMachine = stateMachine(
  'corpus.review',
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
  ['corpus.material', 'corpus.questionnaire'],
);
export type ReviewState = keyof typeof reviewMachine.states;

/** A new version beside one in use: the old one goes on until the new one is approved. */
export const revisionMachine = stateMachine(
  'corpus.revision',
  {
    NONE: { label: '无修改' },
    DRAFT: { label: '有修改' },
    AUDITING: { label: '修改待审核', tone: 'processing' },
  },
  {
    submit: { label: '提交审核', from: ['DRAFT'], to: 'AUDITING', permission: EDIT, opinion: 'none' },
    approve: {
      label: '通过',
      from: ['AUDITING'],
      to: 'NONE',
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
  },
  ['corpus.material', 'corpus.questionnaire'],
);
export type EditState = keyof typeof revisionMachine.states;

export const reviewActions = ['submit', 'approve', 'reject', 'disable', 'enable'] as const;
export type ReviewAction = (typeof reviewActions)[number];

/** Content that was approved once and is revised has two states; the acts of both are offered. */
export const isRevised = (row: { state: ReviewState }): boolean => row.state === 'ENABLED' || row.state === 'DISABLED';

/** Acts on a piece of content in both of its states. */
export const reviewActionsOf = (
  row: { state: ReviewState; editState: EditState },
  has: (permission: string) => boolean,
): ReviewAction[] => [...reviewMachine.allowed(row.state, has), ...(isRevised(row) ? revisionMachine.allowed(row.editState, has) : [])];

export const reviewActionIn = field('操作', z.enum(reviewActions, '操作不正确'));

/** Verdicts and what comes back into use are the auditor's. */
export const reviewAccess = access.byAction(
  'action',
  { approve: may['material.audit'], reject: may['material.audit'], enable: may['material.audit'] },
  may['material.edit'],
);

/** A submitted version and its verdict. */
export const submittedVersion = z.strictObject({
  id: idOut,
  seq: z.int(),
  verdict: z.enum(['AUDITING', 'APPROVED', 'REJECTED']),
  submittedByName: z.string(),
  submittedAt: instantOut,
  auditorName: z.nullable(z.string()),
  auditedAt: z.nullable(instantOut),
  opinion: z.nullable(z.string()),
  /** Soft words that it contains. */
  forbiddenHits: z.array(z.string()),
});
export const verdictLabels = { AUDITING: '待审核', APPROVED: '已通过', REJECTED: '已驳回' } as const;
