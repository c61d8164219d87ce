import { Button } from 'antd';
import type { TransitionDeclaration } from '../../contract/stateMachine.ts';

interface TransitionButtonsProps<Action extends string> {
  machine: { transitions: Readonly<Record<NoInfer<Action>, Pick<TransitionDeclaration<string>, 'label' | 'danger'>>> };
  /** Those that the page offers, in its order. */
  actions: readonly Action[];
  /** What the server allows on the record that is shown. */
  allowed: readonly string[];
  disabled: boolean;
  onTake(action: Action): unknown;
}

/** Buttons for what the server allows on a record, named as its machine names them. */
export function TransitionButtons<Action extends string>({ machine, actions, allowed, disabled, onTake }: TransitionButtonsProps<Action>) {
  return actions
    .filter((action) => allowed.includes(action))
    .map((action) => (
      <Button key={action} danger={machine.transitions[action].danger ?? false} disabled={disabled} onClick={() => void onTake(action)}>
        {machine.transitions[action].label}
      </Button>
    ));
}
