import type { ProductLine } from '#domains/insurance/contract/businessLines.ts';
import type { ApplyState } from '../../contract/applyMachine.ts';

export interface ApplySpec {
  /** Days before today on which it was entered. */
  came: number;
  ends: ApplyState;
  line: ProductLine;
  /** Diagnosed before the cover began, so that a pass is an override. */
  early: boolean;
}
const spec = (line: ProductLine, came: number, ends: ApplyState, early = false): ApplySpec => ({ line, came, ends, early });

/** Thirty applications: each state that staff bring them to, each line. */
export const applySpecs: readonly ApplySpec[] = [
  spec('STANDARD', 24, 'APPROVED'),
  spec('SAAS', 23, 'APPROVED'),
  spec('HMO', 22, 'APPROVED'),
  spec('RSB', 21, 'APPROVED'),
  spec('STANDARD', 20, 'APPROVED'),
  spec('HMO', 18, 'APPROVED'),
  spec('STANDARD', 16, 'APPROVED', true),
  spec('SAAS', 14, 'APPROVED'),
  spec('STANDARD', 12, 'APPROVED'),
  spec('HMO', 10, 'APPROVED'),
  spec('STANDARD', 8, 'APPROVED'),
  spec('HMO', 5, 'APPROVED'),
  spec('STANDARD', 3, 'APPROVED'),
  spec('STANDARD', 15, 'REJECTED'),
  spec('RSB', 11, 'REJECTED'),
  spec('HMO', 9, 'REJECTED'),
  spec('STANDARD', 6, 'WITHDRAWN'),
  spec('HMO', 4, 'WITHDRAWN'),
  spec('STANDARD', 7, 'SUPPLEMENT'),
  spec('SAAS', 5, 'SUPPLEMENT'),
  spec('HMO', 3, 'SUPPLEMENT'),
  spec('STANDARD', 3, 'RECHECK', true),
  spec('STANDARD', 2, 'RECHECK', true),
  spec('SAAS', 4, 'WAIT_INSURER'),
  spec('SAAS', 2, 'WAIT_INSURER'),
  spec('STANDARD', 2, 'REVIEWING'),
  spec('HMO', 1, 'REVIEWING'),
  spec('STANDARD', 3, 'PENDING'),
  spec('STANDARD', 1, 'PENDING'),
  spec('SAAS', 1, 'PENDING'),
  spec('HMO', 0, 'PENDING'),
  spec('RSB', 0, 'PENDING'),
  spec('STANDARD', 1, 'DRAFT'),
  spec('HMO', 0, 'DRAFT'),
];
