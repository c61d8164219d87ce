import type { StateMachine } from '../../contract/stateMachine.ts';
import type { Fact } from '../kit/fact.ts';
import { ask, confirmWithOpinion } from './dialogs.tsx';

/** A question of the page's own, where the usual one says too little. */
interface Asked {
  title: string;
  content: string;
  /** What the opinion is called. */
  label?: string;
}

/**
 * Asks what a declared transition asks: whether it is meant, and why. The answer is the opinion, empty where the machine takes none.
 * @param of what it is taken on (`素材“降压药”`), or the whole question.
 * @param facts what is decided about
 * @returns null: the operator changed his mind
 */
export async function askTransition<State extends string, Action extends string>(
  machine: Pick<StateMachine<State, Action>, 'transitions'>,
  action: Action,
  of: string | Asked,
  facts: readonly Fact[],
): Promise<string | null> {
  const { label, opinion, danger = false } = machine.transitions[action];
  const question = { danger, facts, ...(typeof of === 'string' ? { title: label, content: `确定要${label}${of}吗?` } : of) };
  if (opinion === 'none') return (await ask(question)) ? '' : null;
  return confirmWithOpinion({ ...question, opinion });
}
