import { Button } from 'antd';
import type { Shortcut } from '../keyboard/keys.ts';
import { submitVerdict, verdictTitle, type Decision } from './verdict.ts';

/** An act on the case that is shown. */
export interface AuditAction {
  label: string;
  /** `A`, `R`, `L` … */
  keys: string;
  primary?: boolean;
  /** One of several that are chosen between; says whether it is. */
  pressed?: boolean;
  danger?: boolean;
  disabled?: boolean;
  loading?: boolean;
  act(): void;
}

/** The verdicts to choose between, the chosen one ticked, and the act that sends it. */
export function decisionActions<V extends string>(decision: Decision<V>): AuditAction[] {
  const { verdict, options, busy = false, sending = false } = decision;
  return [
    ...options.map(({ value, label, keys, danger = false }) => ({
      label: verdict.chosen === value ? `✓ ${label}` : label,
      keys,
      danger,
      disabled: busy,
      pressed: verdict.chosen === value,
      act: () => verdict.choose(value),
    })),
    {
      label: verdict.chosen === null ? '提交' : `提交：${verdictTitle(decision)}`,
      keys: 'S',
      primary: true,
      disabled: busy,
      loading: sending,
      act: () => submitVerdict(decision),
    },
  ];
}

/** Keys of the acts that can be taken now; Ctrl+Enter sends the verdict, also from within a field. */
export const actionKeys = <V extends string>(actions: readonly AuditAction[], decision?: Decision<V>): Shortcut[] => [
  ...actions.filter((act) => !act.disabled && !act.loading).map(({ keys, label, act }) => ({ keys, label, act })),
  ...(decision ? [{ keys: 'Ctrl+Enter', label: '提交结论', act: () => submitVerdict(decision), inFields: true }] : []),
];

export function ActionButtons({ actions }: { actions: readonly AuditAction[] }) {
  return actions.map((act) => (
    <Button
      key={act.keys}
      {...(act.primary && { type: 'primary' as const })}
      {...(act.pressed !== undefined && { 'aria-pressed': act.pressed })}
      danger={act.danger ?? false}
      disabled={act.disabled ?? false}
      loading={act.loading ?? false}
      onClick={act.act}
    >
      {act.label}
    </Button>
  ));
}
