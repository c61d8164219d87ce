import { conditionsIn, explainGroup, type TypedFacts } from '#kernel/contract/rules/groups.ts';
import { decimalTimes } from './integers.ts';
import type { Hit } from './result.ts';
import type { CapTarget, ControlMode, ControlSpec } from './spec.ts';

/** A control rule as it came out for one line, or for the claim. */
export interface JudgedControl {
  control: ControlSpec;
  mode: ControlMode;
  intendedMode: ControlMode;
  missing: string[];
  /** Of a cap that counts: thousandths or fen. */
  cap: { target: CapTarget; value: number } | null;
}

/** Rules about nothing of a line are judged once for the claim. */
export const isOfLine = ({ expression, cap }: ControlSpec): boolean =>
  [...conditionsIn(expression).map(({ variable }) => variable), cap?.variable ?? ''].some((variable) => variable.startsWith('line.'));

function capValue({ cap }: ControlSpec, facts: TypedFacts): number | null {
  if (!cap) return null;
  if (cap.variable === null) return cap.value;
  const fact = facts[cap.variable];
  // Quantities are typed in units of sale, and kept in thousandths.
  return typeof fact === 'string' ? decimalTimes(fact, (cap.factorBp ?? 10_000) * (cap.target === 'QTY' ? 1000 : 1), 10_000) : null;
}

/**
 * What a control rule says to the facts; null: nothing. A rule of which something is missing does not hit; where it would cap, hold up or
 * reject, it is told as a hint.
 */
export function judgeControl(control: ControlSpec, facts: TypedFacts): JudgedControl | null {
  const { truth, missing } = explainGroup(control.expression, facts);
  if (truth === 'FALSE') return null;
  const intendedMode = control.mode;
  const observed = (mode: ControlMode): ControlMode => (control.observeOnly ? 'MONITOR' : mode);
  if (truth === 'UNKNOWN') {
    // What only watches or hints changes nothing: there is nothing to tell of it.
    if (intendedMode === 'MONITOR' || intendedMode === 'WARN') return null;
    return { control, mode: observed('WARN'), intendedMode, missing, cap: null };
  }
  if (intendedMode !== 'CAP') return { control, mode: observed(intendedMode), intendedMode, missing: [], cap: null };
  const value = capValue(control, facts);
  if (value === null)
    return { control, mode: observed('WARN'), intendedMode, missing: control.cap?.variable ? [control.cap.variable] : [], cap: null };
  return {
    control,
    mode: observed('CAP'),
    intendedMode,
    missing: [],
    cap: control.observeOnly || !control.cap ? null : { target: control.cap.target, value },
  };
}

export const judgeControls = (controls: readonly ControlSpec[], facts: TypedFacts): JudgedControl[] =>
  controls.flatMap((control) => judgeControl(control, facts) ?? []);

/** Caps of one target combine by their minimum; the earlier rule among equals. */
export function lowestCap(judged: readonly JudgedControl[], target: CapTarget): { value: number; by: JudgedControl } | null {
  let lowest: { value: number; by: JudgedControl } | null = null;
  for (const by of judged) {
    if (by.cap?.target === target && (lowest === null || by.cap.value < lowest.value)) lowest = { value: by.cap.value, by };
  }
  return lowest;
}

/** Rising strength. */
const strength: Readonly<Record<ControlMode, number>> = { MONITOR: 0, WARN: 1, CAP: 2, HOLD: 3, REJECT: 4 };
export const strongest = (judged: readonly JudgedControl[]): ControlMode | null =>
  judged.reduce<ControlMode | null>((most, { mode }) => (most === null || strength[mode] > strength[most] ? mode : most), null);

export const hitOf = ({ control, mode, intendedMode, missing }: JudgedControl, lineNo: number | null, savedFen: number): Hit => ({
  ruleVersionId: control.ruleVersionId,
  ruleCode: control.ruleCode,
  ruleName: control.ruleName,
  moduleCode: control.moduleCode,
  lineNo,
  mode,
  intendedMode,
  missing,
  savedFen,
});
