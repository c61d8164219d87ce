import type { StateMachine } from '../../contract/stateMachine.ts';
import type { Context } from '../context.ts';

/** What every action answers (`actionAnswer` of the contract): the record's state, its version, and what this user may do next. */
export const actionAnswer = <State extends string, Action extends string>(
  ctx: Pick<Context, 'has'>,
  machine: StateMachine<State, Action>,
  row: { id: string; state: NoInfer<State>; version: number },
) => ({
  id: row.id,
  state: row.state,
  version: row.version,
  allowedActions: machine.allowed(row.state, (permission) => ctx.has(permission)),
});
