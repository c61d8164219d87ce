import type { ProductLine } from '#domains/insurance/contract/businessLines.ts';
import type { ApplyState } from '../../contract/applyMachine.ts';

export interface ApplySpec {
  /** Days before today on which it was entered. */
  came: number;
  ends: ApplyState;
  line?: ProductLine;
  /** Diagnosed before the cover began, so that a pass is an override. */
  early: boolean;
}
const spec = (came: number, ends: ApplyState, more: Partial<ApplySpec> = {}): ApplySpec => ({ came, ends, early: false, ...more });

/** Thirty applications: each state that staff bring them to, each line. */
export const applySpecs: readonly ApplySpec[] = [
  spec(24, 'APPROVED', { line: 'STANDARD' }),
  spec(23, 'APPROVED', { line: 'SAAS' }),
  spec(22, 'APPROVED', { line: 'HMO' }),
  spec(21, 'APPROVED', { line: 'RSB' }),
  spec(20, 'APPROVED', { line: 'STANDARD' }),
  spec(18, 'APPROVED', { line: 'HMO' }),
  spec(16, 'APPROVED', { line: 'STANDARD', early: true }),
  spec(14, 'APPROVED', { line: 'SAAS' }),
  spec(12, 'APPROVED', { line: 'STANDARD' }),
  spec(10, 'APPROVED', { line: 'HMO' }),
  spec(8, 'APPROVED', { line: 'STANDARD' }),
  spec(5, 'APPROVED', { line: 'HMO' }),
  spec(3, 'APPROVED', { line: 'STANDARD' }),
  spec(15, 'REJECTED', { line: 'STANDARD' }),
  spec(11, 'REJECTED', { line: 'RSB' }),
  spec(9, 'REJECTED', { line: 'HMO' }),
  spec(6, 'WITHDRAWN', { line: 'STANDARD' }),
  spec(4, 'WITHDRAWN', { line: 'HMO' }),
  spec(7, 'SUPPLEMENT', { line: 'STANDARD' }),
  spec(5, 'SUPPLEMENT', { line: 'SAAS' }),
  spec(3, 'SUPPLEMENT', { line: 'HMO' }),
  spec(3, 'RECHECK', { line: 'STANDARD', early: true }),
  spec(2, 'RECHECK', { line: 'STANDARD', early: true }),
  spec(4, 'WAIT_INSURER', { line: 'SAAS' }),
  spec(2, 'WAIT_INSURER', { line: 'SAAS' }),
  spec(2, 'REVIEWING', { line: 'STANDARD' }),
  spec(1, 'REVIEWING', { line: 'HMO' }),
  spec(3, 'PENDING', { line: 'STANDARD' }),
  spec(1, 'PENDING', { line: 'STANDARD' }),
  spec(1, 'PENDING', { line: 'SAAS' }),
  spec(0, 'PENDING', { line: 'HMO' }),
  spec(0, 'PENDING', { line: 'RSB' }),
  spec(1, 'DRAFT', { line: 'STANDARD' }),
  spec(0, 'DRAFT', { line: 'HMO' }),
];
