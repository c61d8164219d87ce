import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';

export const insurerTypes = dictionary('insurance.insurerType', { PROPERTY: '财险', LIFE: '寿险', HEALTH: '健康险', PENSION: '养老险' });
export const auditModes = dictionary('insurance.auditMode', { PLATFORM: '平台审核', PLATFORM_THEN_INSURER: '平台初审保司复审' });
export const fundModes = dictionary('insurance.fundMode', { ADVANCE: '平台垫付月结', PREPAID: '预存款扣减', INSURER_PAYS: '保司自付' });
/** Which invoice page serves the insurer. */
export const invoiceVariants = dictionary('insurance.invoiceVariant', { STANDARD: '通用开票', ZA: '众安开票' });

export const contactRoles = dictionary('insurance.contactRole', { CLAIM: '理赔', UNDERWRITE: '承保', FINANCE: '财务', TECH: '技术' });

export const insurerStates = stateMachine(
  'insurance.insurer',
  { ENABLED: { label: '启用', tone: 'success' }, DISABLED: { label: '停用' } },
  {
    modify: { label: '编辑', from: ['ENABLED', 'DISABLED'], permission: 'insurance.insurer.edit', opinion: 'none' },
    disable: { label: '停用', from: ['ENABLED'], to: 'DISABLED', permission: 'insurance.insurer.edit', opinion: 'required', danger: true },
    enable: { label: '启用', from: ['DISABLED'], to: 'ENABLED', permission: 'insurance.insurer.edit', opinion: 'required' },
  },
);
export type InsurerState = keyof typeof insurerStates.states;

export const insurerDictionaries = [insurerTypes, auditModes, fundModes, invoiceVariants, contactRoles, insurerStates.dictionary];
