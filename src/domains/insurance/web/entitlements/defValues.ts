import type { EntitlementDocument } from '../../contract/entitlements/document.ts';

/** The form's values; a discount is typed as people say it: 8.5 for 85折. */
export type DefValues = Omit<EntitlementDocument, 'couponRule'> & {
  entitlementCode?: string;
  couponRule: (Omit<NonNullable<EntitlementDocument['couponRule']>, 'value'> & { value: number; discount?: number }) | null;
};

const blankScope: EntitlementDocument['scope'] = {
  productIds: [],
  medicineIds: [],
  categories: [],
  drugstoreIds: [],
  adcodes: [],
  claimTypes: [],
  excludeMedicineIds: [],
};

export const blankDef = (effectiveFrom: string): Partial<DefValues> => ({
  kind: 'COUPON',
  couponRule: { mode: 'FULL_CUT', thresholdFen: 0, value: 0, capFen: null },
  scope: blankScope,
  validity: { mode: 'AFTER_GRANT', from: null, to: null, days: 30, remindDays: 3 },
  stacking: { group: '', priority: 1 },
  transferable: false,
  refundRule: 'RESTORE',
  costBearer: 'INSURER',
  effectiveFrom,
});

/** The coupon as the contract has it, from what is typed so far. */
export function couponOf(typed: Partial<NonNullable<DefValues['couponRule']>> | null | undefined): EntitlementDocument['couponRule'] {
  if (!typed?.mode) return null;
  const { mode, thresholdFen = 0, value = 0, capFen = null, discount } = typed;
  return {
    mode,
    thresholdFen: thresholdFen ?? 0,
    value: mode === 'DISCOUNT' ? Math.round((discount ?? 0) * 1000) : mode === 'EXCHANGE' ? 0 : (value ?? 0),
    capFen: mode === 'DISCOUNT' ? (capFen ?? null) : null,
  };
}

/** What the calls take; parts of another kind are left out. */
export const documentOf = (values: DefValues): EntitlementDocument => ({
  kind: values.kind,
  name: values.name,
  couponRule: values.kind === 'COUPON' ? couponOf(values.couponRule) : null,
  stored: values.kind === 'STORED_VALUE' ? values.stored : null,
  services: values.kind === 'BENEFIT_CARD' ? (values.services ?? []) : null,
  scope: { ...blankScope, ...values.scope },
  validity:
    values.validity.mode === 'FIXED'
      ? {
          mode: 'FIXED',
          from: values.validity.from ?? null,
          to: values.validity.to ?? null,
          days: null,
          remindDays: values.validity.remindDays ?? null,
        }
      : {
          mode: values.validity.mode,
          from: null,
          to: null,
          days: values.validity.days ?? null,
          remindDays: values.validity.remindDays ?? null,
        },
  stacking: values.stacking,
  transferable: values.transferable,
  refundRule: values.refundRule,
  costBearer: values.costBearer,
  perPersonLimit: values.perPersonLimit ?? null,
  effectiveFrom: values.effectiveFrom,
  effectiveTo: values.effectiveTo || null,
  gapNote: values.gapNote ?? '',
});

export const valuesOfDef = (document: EntitlementDocument): DefValues => ({
  ...document,
  couponRule: document.couponRule && {
    ...document.couponRule,
    ...(document.couponRule.mode === 'DISCOUNT' && { discount: document.couponRule.value / 1000 }),
  },
});
