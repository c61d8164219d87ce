import type { InputOf } from '#kernel/contract/call.ts';
import { asDraft, blankGroup, type BuiltGroup } from '#kernel/contract/rules/groups.ts';
import type { CapSpec, CapTarget, ControlMode } from '../../contract/adjudication/spec.ts';
import { capIsQuantity } from '../../contract/controls/content.ts';
import type { ControlVersion, modifyControlRule } from '../../contract/controls/rules.ts';

/** The form's values; amounts as they are typed. */
export interface RuleValues {
  ruleCode?: string;
  ruleName: string;
  mode: ControlMode;
  expression: BuiltGroup;
  capTarget?: CapTarget;
  capBy: 'VALUE' | 'VARIABLE';
  /** Units of sale, or yuan. */
  capValue?: number | null;
  capVariable?: string | null;
  capFactor?: number | null;
  reasonCode?: string | null;
  applicantText?: string;
  internalNote?: string;
  effectiveFrom: string;
  effectiveTo?: string | null;
}

const perUnit = (target: CapTarget) => (capIsQuantity(target) ? 1000 : 100);

/** Null while nothing of it is chosen: the server then asks for both. */
export function capOf({ mode, capTarget, capBy, capValue, capVariable, capFactor }: Partial<RuleValues>): CapSpec | null {
  if (mode !== 'CAP' || !capTarget) return null;
  if (capBy === 'VARIABLE')
    return capVariable
      ? { target: capTarget, value: null, variable: capVariable, factorBp: Math.round((capFactor ?? 1) * 10_000) }
      : { target: capTarget, value: null, variable: null, factorBp: null };
  const value = typeof capValue === 'number' ? Math.round(capValue * perUnit(capTarget)) : null;
  return { target: capTarget, value, variable: null, factorBp: null };
}

type Content = Omit<InputOf<typeof modifyControlRule>, 'versionId' | 'version'>;

export const contentInput = (values: RuleValues): Content => ({
  ruleName: values.ruleName,
  mode: values.mode,
  expression: asDraft(values.expression),
  cap: capOf(values),
  reasonCode: values.reasonCode ?? null,
  applicantText: values.applicantText ?? '',
  internalNote: values.internalNote ?? '',
  effectiveFrom: values.effectiveFrom,
  effectiveTo: values.effectiveTo || null,
});

export const valuesOf = (version: ControlVersion): RuleValues => ({
  ruleName: version.ruleName,
  mode: version.mode,
  expression: version.expression,
  capBy: version.cap?.variable ? 'VARIABLE' : 'VALUE',
  ...(version.cap && {
    capTarget: version.cap.target,
    capValue: version.cap.value === null ? null : version.cap.value / perUnit(version.cap.target),
    capVariable: version.cap.variable,
    capFactor: version.cap.factorBp === null ? null : version.cap.factorBp / 10_000,
  }),
  reasonCode: version.reasonCode,
  applicantText: version.applicantText,
  internalNote: version.internalNote,
  effectiveFrom: version.effectiveFrom,
  effectiveTo: version.effectiveTo,
});

export const blankValues = (effectiveFrom: string): RuleValues => ({
  ruleName: '',
  mode: 'MONITOR',
  expression: blankGroup(),
  capBy: 'VALUE',
  effectiveFrom,
});
