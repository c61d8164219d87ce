import { useMemo } from 'react';
import { toast } from '../feedback/toast.ts';
import { useCaseState } from './caseState.ts';

const chosenByHand: unique symbol = Symbol('chosen by hand');

/** The verdict on one case. Only `useVerdict` makes one, so that no desk can begin with a verdict that nobody gave. */
export interface Verdict<V extends string> {
  readonly chosen: V | null;
  choose(verdict: V): void;
  readonly [chosenByHand]: true;
}

/** Verdict on the shown case: none until the auditor chooses one, and none again on the next case. */
export function useVerdict<V extends string>(caseId: string): Verdict<V> {
  const [chosen, choose] = useCaseState<V | null>(caseId, null);
  return useMemo(() => ({ chosen, choose, [chosenByHand]: true }), [chosen, choose]);
}

export interface VerdictOption<V extends string> {
  value: V;
  label: string;
  /** `A`, `R`, `L` … */
  keys: string;
  danger?: boolean;
}

/** What the auditor may decide, and the call that says so. */
export interface Decision<V extends string> {
  verdict: Verdict<V>;
  options: readonly VerdictOption<V>[];
  submit(verdict: V): void;
  busy?: boolean;
  sending?: boolean;
}

const verdictMissing = <V extends string>(options: readonly VerdictOption<V>[]): string =>
  `请先选择审核结论：${options.map(({ keys, label }) => `${keys} ${label}`).join('、')}`;

/** Sends the verdict that was given; without one it says which there are. */
export function submitVerdict<V extends string>({ verdict, options, submit }: Decision<V>): void {
  const chosen = options.find(({ value }) => value === verdict.chosen);
  if (chosen) submit(chosen.value);
  else toast(verdictMissing(options), 'warning');
}

/** `通过`, or that nothing is chosen yet; heads the form of the verdict. */
export const verdictTitle = <V extends string>({ verdict, options }: Pick<Decision<V>, 'verdict' | 'options'>): string =>
  options.find(({ value }) => value === verdict.chosen)?.label ?? '未选择';
