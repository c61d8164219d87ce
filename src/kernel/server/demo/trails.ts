import type { StateMachine } from '../../contract/stateMachine.ts';
import type { Instant } from '../../contract/time.ts';
import type { Tx } from '../context.ts';
import { bulk, reserve } from './bulk.ts';

/** Who is named in a trail: somebody without an account has no id; null is the system. */
export interface DemoActor {
  id: string | null;
  name: string;
  opNo?: string | null;
}
export interface DemoStep<A extends string> {
  action: A;
  at: Instant;
  by: DemoActor | null;
  opinion?: string | null;
  /** Where it differs from what the steps before it led to. */
  from?: string | null;
  to?: string | null;
}

/** Gathers who did what to the documents of a demonstration, and writes it as their own commands would have noted it. */
export function demoTrails(tx: Tx) {
  const rows: { at: Instant; [column: string]: unknown }[] = [];
  return {
    /** Steps of one document in their order; its state is followed through the machine. */
    add<S extends string, A extends string>(
      machine: StateMachine<S, A>,
      target: { type: string; id: string },
      steps: readonly DemoStep<NoInfer<A>>[],
    ): void {
      let state: string | null = null;
      for (const { action, at, by, opinion, ...named } of steps) {
        const { label, to, from } = machine.transitions[action];
        const before: string | null = named.from === undefined ? (state ?? from[0]!) : named.from;
        const after: string | null = named.to === undefined ? (to ?? before) : named.to;
        rows.push({
          targetType: target.type,
          targetId: target.id,
          machine: machine.name,
          action,
          label,
          fromState: before,
          toState: after,
          opinion: opinion ?? null,
          diff: [],
          at,
          traceId: 'demo',
          userId: by?.id ?? null,
          opNo: by?.opNo ?? null,
          displayName: by?.name ?? '系统',
        });
        state = after;
      }
    },
    /** Writes what was gathered since the last time, the oldest first. */
    async write(): Promise<void> {
      const gathered = rows.splice(0).toSorted((a, b) => a.at.localeCompare(b.at));
      const ids = await reserve(tx, 'kernel_audit_trail', gathered.length);
      await bulk(
        tx,
        'kernel_audit_trail',
        gathered.map((row, index) => ({ id: ids[index]!, ...row })),
      );
    },
  };
}
