import type { StateMachine } from '../../../../kernel/contract/stateMachine.ts';
import { ask, confirmWithOpinion } from '../../../../kernel/web/feedback/dialogs.tsx';

/** Asks what a declared transition asks for. Null: the operator changed his mind. */
export async function askMove<State extends string, Action extends string>(
  machine: StateMachine<State, Action>,
  action: Action,
  name: string,
): Promise<string | null> {
  const { label, opinion, danger = false } = machine.transitions[action];
  const question = { title: label, content: `确定要${label}“${name}”吗?`, danger };
  if (opinion === 'none') return (await ask(question)) ? '' : null;
  return confirmWithOpinion({ ...question, opinion });
}
