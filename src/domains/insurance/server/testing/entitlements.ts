import type { InputOf } from '#kernel/contract/call.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { addEntitlementDef } from '../../contract/entitlements/calls.ts';

type Input = InputOf<typeof addEntitlementDef>;

/** A coupon 满300减50, in force from today. */
export const couponInput = (app: TestApp, code: string, other: Partial<Input> = {}): Input => ({
  entitlementCode: code,
  kind: 'COUPON',
  name: '满300减50',
  couponRule: { mode: 'FULL_CUT', thresholdFen: 30_000, value: 5_000, capFen: null },
  stored: null,
  services: null,
  scope: { productIds: [], medicineIds: [], categories: [], drugstoreIds: [], adcodes: [], claimTypes: [], excludeMedicineIds: [] },
  validity: { mode: 'AFTER_GRANT', from: null, to: null, days: 30, remindDays: 3 },
  stacking: { priority: 1 },
  transferable: false,
  refundRule: 'RESTORE',
  costBearer: 'INSURER',
  perPersonLimit: 1,
  effectiveFrom: app.clock.today(),
  effectiveTo: null,
  ...other,
});
