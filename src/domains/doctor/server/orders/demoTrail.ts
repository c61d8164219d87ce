import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Tx } from '../../../../kernel/server/context.ts';
import { consultOrderMachine } from '../../contract/orderStates.ts';
import { ORDER_TARGET } from './access.ts';

interface Step {
  action: keyof typeof consultOrderMachine.transitions & string;
  from: string;
  to: string;
  at: RawBuilder<unknown>;
  when: RawBuilder<SqlBool>;
}

/** How the orders of the demonstration came to where they are. */
export const demoSteps: readonly Step[] = [
  { action: 'create', from: 'WAIT_PAY', to: 'WAIT_PAY', at: sql`o.created_at`, when: sql<SqlBool>`true` },
  { action: 'pay', from: 'WAIT_PAY', to: 'PAID', at: sql`o.paid_at`, when: sql<SqlBool>`o.paid_at is not null` },
  { action: 'timeout', from: 'WAIT_PAY', to: 'CLOSED', at: sql`o.ended_at`, when: sql<SqlBool>`o.state = 'CLOSED'` },
  { action: 'accept', from: 'PAID', to: 'SERVING', at: sql`o.accepted_at`, when: sql<SqlBool>`o.accepted_at is not null` },
  { action: 'reply', from: 'SERVING', to: 'SERVING', at: sql`o.first_reply_at`, when: sql<SqlBool>`o.first_reply_at is not null` },
  { action: 'complete', from: 'SERVING', to: 'COMPLETED', at: sql`o.completed_at`, when: sql<SqlBool>`o.completed_at is not null` },
  { action: 'systemRefund', from: 'PAID', to: 'REFUNDING', at: sql`o.ended_at`, when: sql<SqlBool>`o.state = 'REFUNDED'` },
  { action: 'refundedAll', from: 'REFUNDING', to: 'REFUNDED', at: sql`o.ended_at`, when: sql<SqlBool>`o.state = 'REFUNDED'` },
  {
    action: 'refund',
    from: 'SERVING',
    to: 'REFUNDING',
    at: sql`(select r.created_at from doctor_consult_refund r where r.order_id = o.id limit 1)`,
    when: sql<SqlBool>`o.state = 'REFUNDING'`,
  },
];

export async function writeTrails(tx: Tx, steps: readonly Step[]): Promise<void> {
  for (const { action, from, to, at, when } of steps) {
    await sql`
      insert into kernel_audit_trail (
        target_type, target_id, machine, action, label, from_state, to_state, diff, at, trace_id, display_name
      )
      select ${ORDER_TARGET}, o.id::text, ${consultOrderMachine.name}, ${action}, ${consultOrderMachine.transitions[action].label}, ${from},
        ${to}, '[]'::jsonb, ${at}, 'demo', ${action === 'refund' ? '医生运营' : '系统'}
      from doctor_consult_order o where ${when} order by o.id`.execute(tx);
  }
}
