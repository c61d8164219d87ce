import type { Day } from '#kernel/contract/time.ts';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine, type TransitionDeclaration } from '#kernel/contract/stateMachine.ts';
import { insuranceErrors } from '../errors.ts';

type Prefix = 'product' | 'formulary' | 'control' | 'entitlement';

const states = {
  DRAFT: { label: '草稿' },
  PENDING_AUDIT: { label: '待审核', tone: 'warning' },
  REJECTED: { label: '已驳回', tone: 'error' },
  PUBLISHED: { label: '已发布', tone: 'success' },
  WITHDRAWN: { label: '已撤回' },
} as const;

/** What is written, handed in, looked at by a second person and in force between two days: one life for all such documents. */
const movesOf = (prefix: Prefix) => {
  const edit = `insurance.${prefix}.edit`;
  const audit = `insurance.${prefix}.audit`;
  return {
    modify: { label: '编辑', from: ['DRAFT', 'REJECTED'], permission: edit, opinion: 'none' },
    newVersion: { label: '新建版本', from: ['PUBLISHED'], permission: edit, opinion: 'none' },
    submit: { label: '提交审核', from: ['DRAFT', 'REJECTED'], to: 'PENDING_AUDIT', permission: edit, opinion: 'required' },
    recall: { label: '撤回提交', from: ['PENDING_AUDIT'], to: 'DRAFT', permission: edit, opinion: 'none' },
    approve: {
      label: '审核通过',
      from: ['PENDING_AUDIT'],
      to: 'PUBLISHED',
      permission: audit,
      opinion: 'required',
      otherThan: insuranceErrors.OWN_VERSION,
    },
    reject: {
      label: '驳回',
      from: ['PENDING_AUDIT'],
      to: 'REJECTED',
      permission: audit,
      opinion: 'required',
      danger: true,
      otherThan: insuranceErrors.OWN_VERSION,
    },
    withdraw: { label: '撤回发布', from: ['PUBLISHED'], to: 'WITHDRAWN', permission: audit, opinion: 'required', danger: true },
    endVersion: { label: '设置失效日', from: ['PUBLISHED'], permission: audit, opinion: 'required', danger: true },
  } as const satisfies Record<string, TransitionDeclaration<keyof typeof states>>;
};

export const productVersionStates = stateMachine('insurance.productVersion', states, movesOf('product'));
export const formularyVersionStates = stateMachine('insurance.formularyVersion', states, movesOf('formulary'));
export const entitlementDefStates = stateMachine('insurance.entitlementDef', states, movesOf('entitlement'));

/** Rules of cost control may besides be put out of action by one person, at once. */
const pausableMoves = movesOf('control');
export const controlRuleVersionStates = stateMachine(
  'insurance.controlRuleVersion',
  { ...states, PAUSED: { label: '已停用' } },
  {
    ...pausableMoves,
    newVersion: { ...pausableMoves.newVersion, from: ['PUBLISHED', 'PAUSED'] },
    pause: {
      handsOver: true,
      label: '停用',
      from: ['PUBLISHED'],
      to: 'PAUSED',
      permission: 'insurance.control.pause',
      opinion: 'required',
      danger: true,
    },
    resume: {
      label: '启用',
      from: ['PAUSED'],
      to: 'PUBLISHED',
      permission: 'insurance.control.audit',
      opinion: 'required',
      otherThan: insuranceErrors.OWN_VERSION,
    },
  },
);

export type DocumentState = keyof typeof states;
/** A published document as people speak of it: by the day. */
export const documentPhases = dictionary('insurance.documentPhase', {
  DRAFT: { label: '草稿' },
  PENDING_AUDIT: { label: '待审核', tone: 'warning' },
  REJECTED: { label: '已驳回', tone: 'error' },
  WAITING: { label: '待生效', tone: 'processing' },
  IN_FORCE: { label: '生效中', tone: 'success' },
  EXPIRED: { label: '已过期' },
  PAUSED: { label: '已停用' },
  WITHDRAWN: { label: '已撤回' },
});
export type DocumentPhase = (typeof documentPhases.codes)[number];

interface Dated {
  state: DocumentState | 'PAUSED';
  effectiveFrom: Day;
  effectiveTo: Day | null;
}

/** Both days count. */
export const isInForce = ({ state, effectiveFrom, effectiveTo }: Dated, day: Day): boolean =>
  state === 'PUBLISHED' && effectiveFrom <= day && (effectiveTo === null || effectiveTo >= day);

export function phaseOf(document: Dated, today: Day): DocumentPhase {
  if (document.state !== 'PUBLISHED') return document.state;
  if (document.effectiveFrom > today) return 'WAITING';
  return isInForce(document, today) ? 'IN_FORCE' : 'EXPIRED';
}

export const documentDictionaries = [
  documentPhases,
  productVersionStates.dictionary,
  formularyVersionStates.dictionary,
  entitlementDefStates.dictionary,
];
