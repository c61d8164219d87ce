import type { ProductLine } from '#domains/insurance/contract/businessLines.ts';
import type { ApplyState } from '../../contract/applyMachine.ts';

export interface ApplySpec {
  /** Days before today on which it was entered. */
  came: number;
  ends: ApplyState;
  line: ProductLine;
  /** Diagnosed before the cover began, so that a pass is an override. */
  early: boolean;
  /** For a product whose contract the person pays for. */
  fee: boolean;
}
const spec = (line: ProductLine, came: number, ends: ApplyState, more: Partial<Pick<ApplySpec, 'early' | 'fee'>> = {}): ApplySpec => ({
  line,
  came,
  ends,
  early: false,
  fee: false,
  ...more,
});
/** One whose contract is paid for: a product of special drugs. */
const paid = (came: number, ends: ApplyState, more: Partial<Pick<ApplySpec, 'early'>> = {}): ApplySpec =>
  spec('STANDARD', came, ends, { ...more, fee: true });

/** Applications in each state, of each line. */
export const applySpecs: readonly ApplySpec[] = [
  paid(38, 'APPROVED'),
  paid(35, 'APPROVED'),
  paid(33, 'APPROVED'),
  paid(30, 'APPROVED'),
  paid(27, 'APPROVED'),
  paid(24, 'APPROVED'),
  paid(21, 'APPROVED'),
  paid(18, 'APPROVED'),
  paid(15, 'APPROVED', { early: true }),
  paid(12, 'APPROVED'),
  paid(9, 'APPROVED'),
  paid(6, 'APPROVED'),
  paid(5, 'APPROVED'),
  paid(4, 'APPROVED'),
  paid(4, 'APPROVED'),
  paid(3, 'APPROVED'),
  paid(3, 'APPROVED'),
  paid(3, 'APPROVED'),
  paid(2, 'APPROVED'),
  paid(2, 'APPROVED'),
  paid(2, 'APPROVED'),
  // Signed today: they begin tomorrow.
  spec('STANDARD', 2, 'APPROVED'),
  spec('HMO', 2, 'APPROVED'),
  spec('STANDARD', 26, 'APPROVED'),
  spec('SAAS', 23, 'APPROVED'),
  spec('HMO', 22, 'APPROVED'),
  spec('RSB', 21, 'APPROVED'),
  spec('STANDARD', 20, 'APPROVED'),
  spec('HMO', 18, 'APPROVED'),
  spec('STANDARD', 16, 'APPROVED'),
  spec('SAAS', 14, 'APPROVED'),
  spec('HMO', 10, 'APPROVED'),
  spec('STANDARD', 8, 'APPROVED'),
  spec('HMO', 5, 'APPROVED'),
  spec('STANDARD', 3, 'APPROVED'),
  paid(15, 'REJECTED'),
  spec('RSB', 11, 'REJECTED'),
  spec('HMO', 9, 'REJECTED'),
  spec('SAAS', 6, 'REJECTED'),
  spec('STANDARD', 6, 'WITHDRAWN'),
  spec('HMO', 4, 'WITHDRAWN'),
  spec('STANDARD', 13, 'CLOSED'),
  spec('HMO', 12, 'CLOSED'),
  spec('STANDARD', 7, 'SUPPLEMENT'),
  spec('SAAS', 5, 'SUPPLEMENT'),
  spec('HMO', 3, 'SUPPLEMENT'),
  paid(4, 'RECHECK', { early: true }),
  paid(3, 'RECHECK', { early: true }),
  paid(2, 'RECHECK', { early: true }),
  spec('SAAS', 4, 'WAIT_INSURER'),
  spec('SAAS', 2, 'WAIT_INSURER'),
  spec('STANDARD', 2, 'REVIEWING'),
  spec('HMO', 1, 'REVIEWING'),
  paid(3, 'PENDING'),
  paid(1, 'PENDING'),
  spec('STANDARD', 1, 'PENDING'),
  spec('SAAS', 1, 'PENDING'),
  spec('HMO', 0, 'PENDING'),
  spec('RSB', 0, 'PENDING'),
  spec('SAAS', 0, 'PENDING'),
  paid(1, 'DRAFT'),
  spec('HMO', 0, 'DRAFT'),
];
