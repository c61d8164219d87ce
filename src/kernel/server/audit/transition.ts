import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '../../contract/errors.ts';
import type { StateMachine } from '../../contract/stateMachine.ts';
import type { Instant } from '../../contract/time.ts';
import type { Context, Db, Difference, Writing } from '../context.ts';
import { noteMove, requireAnother, type Reviewed } from './fourEyes.ts';

export interface Move<State extends string, Action extends string> extends Reviewed {
  targetNo?: string;
  action: Action;
  from: State;
  opinion?: string | undefined;
  differences?: readonly Difference[];
  /** The decision takes the drafts over, so that their next contributors begin anew. */
  adopts?: boolean;
  /** A setting says that one person may decide alone. */
  alone?: boolean;
}

/**
 * Takes one declared transition: checks that it may start in this state and that a required opinion is there,
 * writes the audit trail in the command's transaction and names the target in the operation log.
 * The caller has locked the record, so that its UPDATE needs no condition on state or version.
 * @returns the state after the move.
 * @throws Refusal SCM90031 with the state's label; SCM90020 for a missing opinion; SCM90010 without the permission; `otherThan` of a
 *   decision that contributors try.
 */
export async function moveState<State extends string, Action extends string>(
  ctx: Writing & Pick<Context, 'now' | 'traceId' | 'staffOrNull' | 'requirePermission'> & { actorName?: string },
  machine: StateMachine<State, Action>,
  move: Move<State, Action>,
): Promise<State> {
  const transition = machine.transitions[move.action];
  if (transition.permission !== 'system' && transition.permission !== 'session') ctx.requirePermission(transition.permission);
  if (!machine.canStart(move.action, move.from)) {
    throw refuse(platformErrors.WRONG_STATE, { state: machine.states[move.from].label });
  }
  const opinion = move.opinion?.trim() ?? '';
  if (transition.opinion === 'required' && opinion === '') throw refuseField('opinion', '请填写意见');
  const to = transition.to ?? move.from;
  const staff = ctx.staffOrNull;
  // Named before it can be refused, so that the log of the attempt says which document it was.
  ctx.target({
    type: move.targetType,
    id: move.targetId,
    ...(move.targetNo ? { no: move.targetNo } : {}),
    ...(transition.permission === 'system' ? {} : { moved: true }),
  });
  if (transition.otherThan && staff && !move.alone) await requireAnother(ctx.tx, staff, move, transition.otherThan);
  if (staff) await noteMove(ctx, staff, machine, move);
  await sql`
    insert into kernel_audit_trail
      (target_type, target_id, machine, action, label, from_state, to_state, opinion, diff, at, trace_id, user_id, op_no, display_name)
    values (${move.targetType}, ${move.targetId}, ${machine.name}, ${move.action}, ${transition.label}, ${move.from}, ${to},
      ${opinion === '' ? null : opinion}, ${JSON.stringify(move.differences ?? [])}::jsonb, ${ctx.now}, ${ctx.traceId},
      ${staff?.userId ?? null}, ${staff?.opNo ?? null}, ${staff?.displayName ?? ctx.actorName ?? '系统'})`.execute(ctx.tx);
  const stateChange: Difference[] =
    to === move.from ? [] : [{ path: 'state', label: '状态', before: machine.states[move.from].label, after: machine.states[to].label }];
  ctx.changed([...stateChange, ...(move.differences ?? [])]);
  return to;
}

export interface TrailEntry {
  id: string;
  action: string;
  label: string;
  fromState: string | null;
  toState: string | null;
  opinion: string | null;
  diff: Difference[];
  at: Instant;
  opNo: string | null;
  displayName: string;
}

/** The timeline of one record, oldest first. */
export async function trailOf(db: Db, targetType: string, targetId: string): Promise<TrailEntry[]> {
  const { rows } = await sql<TrailEntry>`
    select id, action, label, from_state, to_state, opinion, diff, at, op_no, display_name
    from kernel_audit_trail where target_type = ${targetType} and target_id = ${targetId} order by id`.execute(db);
  return rows;
}
