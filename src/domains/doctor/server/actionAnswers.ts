import type { StateMachine } from '../../../kernel/contract/stateMachine.ts';
import type { Context } from '../../../kernel/server/context.ts';

/** What every action answers. */
export const acted = <State extends string, Action extends string>(
  ctx: Pick<Context, 'has'>,
  machine: StateMachine<State, Action>,
  row: { id: string; state: State; version: number },
) => ({
  id: row.id,
  state: row.state,
  version: row.version,
  allowedActions: machine.allowed(row.state, ctx.has),
});
