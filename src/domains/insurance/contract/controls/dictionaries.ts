import { dictionary, type Entry } from '#kernel/contract/dictionary.ts';
import type { CapTarget, ControlMode } from '../adjudication/spec.ts';
import type { ControlStage } from '../rules/variables.ts';

export const controlStageWords = dictionary('insurance.controlStage', {
  ENROL: '入组',
  DIRECT: '直付授权',
  CLAIM: '理赔审核',
  PAY: '打款前',
} satisfies Record<ControlStage, string>);

/** In rising strength. */
export const controlModeWords = dictionary('insurance.controlMode', {
  MONITOR: { label: '仅监控' },
  WARN: { label: '提醒', tone: 'warning' },
  CAP: { label: '限额', tone: 'warning' },
  HOLD: { label: '挂起', tone: 'warning' },
  REJECT: { label: '拒绝', tone: 'error' },
} satisfies Record<ControlMode, Entry>);

export const capTargetWords = dictionary('insurance.capTarget', {
  QTY: '数量',
  UNIT_PRICE: '单价',
  PAYABLE: '单行赔付额',
  CLAIM_PAYABLE: '整案赔付额',
} satisfies Record<CapTarget, string>);

export const controlDictionaries = [controlStageWords, controlModeWords, capTargetWords];
