import type { CheckCode } from '../../../contract/dictionaries.ts';
import type { MachineResult } from './facts.ts';

export interface Judged {
  checkCode: CheckCode;
  hard: boolean;
  machineResult: MachineResult;
  explain: string;
  humanVerdict: 'AGREE' | 'OVERRIDE' | 'FAIL' | null;
  note: string;
}

/** What the machine does not let through: a hard check that fails, or of which it could not see enough. */
const blocks = ({ hard, machineResult }: Judged) => hard && (machineResult === 'FAIL' || machineResult === 'UNKNOWN');
const overridden = ({ humanVerdict, note }: Judged) => humanVerdict === 'OVERRIDE' && note.trim() !== '';

/** Checks without a verdict. */
export const openChecks = (checks: readonly Judged[]): Judged[] => checks.filter(({ humanVerdict }) => humanVerdict === null);

/** Checks that stop a pass: judged as failed, or hard ones that nobody overrode with a reason. */
export const stoppingChecks = (checks: readonly Judged[]): Judged[] =>
  checks.filter(
    (check) =>
      check.humanVerdict === 'FAIL' ||
      (check.humanVerdict === 'OVERRIDE' && check.note.trim() === '') ||
      (blocks(check) && !overridden(check)),
  );

/** R1: where a first pass leads. */
export function nextStep(
  applyType: string,
  checks: readonly Judged[],
): { state: 'APPROVED' } | { state: 'RECHECK'; reason: 'OVERRIDE' | 'LEVEL' } {
  if (checks.some((check) => check.hard && check.humanVerdict === 'OVERRIDE')) return { state: 'RECHECK', reason: 'OVERRIDE' };
  return applyType === 'FIRST' || applyType === 'HOSPITAL' ? { state: 'RECHECK', reason: 'LEVEL' } : { state: 'APPROVED' };
}
