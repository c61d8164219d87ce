import type { StateMachine } from '../../../kernel/contract/stateMachine.ts';
import type { TrailEntry } from '../../../kernel/server/audit/transition.ts';
import type { Context, Difference } from '../../../kernel/server/context.ts';

/** What every action answers. */
export const acted = <State extends string, Action extends string>(ctx: Pick<Context, 'has'>, machine: StateMachine<State, Action>, row: { id: string; state: string; version: number }) => ({
  id: row.id,
  state: row.state,
  version: row.version,
  allowedActions: machine.allowed(row.state as State, (permission) => ctx.has(permission)) as string[],
});

/** Rows of the timeline as the page takes them, newest first. */
export const presentTrail = (rows: readonly TrailEntry[]) =>
  rows
    .map(({ id, action, label, fromState, toState, opinion, at, opNo, displayName, diff }) => ({
      id, action, label, fromState, toState: toState ?? fromState ?? '', opinion, at, opNo, displayName,
      differences: diff.map(({ path, label: name, before, after }: Difference) => ({ path, label: name, before, after })),
    }))
    .toReversed();
