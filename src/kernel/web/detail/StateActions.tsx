import { Button } from 'antd';
import type { StateMachine } from '../../contract/stateMachine.ts';
import { askTransition } from '../feedback/askTransition.ts';
import { useAntiDoubleClick } from '../http/antiDoubleClick.ts';
import { useMay } from '../session/store.ts';
import type { Fact } from '../kit/fact.ts';

interface StateActionsProps<State extends string, Action extends string> {
  machine: StateMachine<State, Action>;
  state: State;
  /** What is decided about: number, count, amount, for whom. */
  facts: readonly Fact[];
  /** Makes the transition; the opinion is empty where the machine asks for none. */
  onAction(action: Action, opinion: string): unknown;
  /** Actions that the page offers elsewhere. */
  without?: readonly Action[];
}

/** Exactly the buttons that the declared machine allows this role in this state. */
export function StateActions<State extends string, Action extends string>({
  machine,
  state,
  facts,
  onAction,
  without = [],
}: StateActionsProps<State, Action>) {
  const may = useMay();
  const { blocked, block } = useAntiDoubleClick();
  const start = async (action: Action) => {
    block();
    const given = await askTransition(machine, action, '', facts);
    if (given === null) return;
    block();
    await onAction(action, given);
  };
  return (
    <>
      {machine
        .allowed(state, may)
        .filter((action) => !without.includes(action))
        .map((action, index) => (
          <Button
            key={action}
            type={index === 0 && !machine.transitions[action].danger ? 'primary' : 'default'}
            danger={machine.transitions[action].danger ?? false}
            disabled={blocked}
            onClick={() => void start(action)}
          >
            {machine.transitions[action].label}
          </Button>
        ))}
    </>
  );
}
