import { sql } from 'kysely';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { Refusal } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { refundBySystem } from '../refunds/open.ts';
import { own } from '../database.ts';
import { lockOrder } from './access.ts';
import { closeUnpaid, type Asking } from './ask.ts';

export const LIVE_STATES = ['WAIT_PAY', 'PAID', 'SERVING', 'REFUNDING'] as const;

const countOf = async (db: Db, column: 'doctor_id' | 'opening_id', id: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n
      from doctor_consult_order
      where ${sql.ref(column)} = ${id} and state = any(${[...LIVE_STATES]}::text[])`.execute(db);
  return rows[0]!.n;
};

/** Orders of a doctor that are not over. */
export const openOrdersOf = (db: Db, doctorId: string): Promise<number> => countOf(db, 'doctor_id', doctorId);
export const openOrdersOfOpening = (db: Db, openingId: string): Promise<number> => countOf(db, 'opening_id', openingId);

/** A job's way to ask and to write. */
export const askingOf = (ctx: JobContext): Asking => ({
  db: ctx.db,
  transaction: (work) => ctx.transaction((writing) => work(asSystem(writing, ctx))),
});

/** What has not begun ends with the doctor's freeze; what runs goes on. */
export const refundWaiting = job<{ doctorId: string }>({
  name: 'doctor.refundWaiting',
  label: '停用医生的待接诊订单退款',
  subject: ({ doctorId }) => doctorId,
  async run({ doctorId }, ctx) {
    const orders = await own(ctx.db)
      .selectFrom('doctorConsultOrder')
      .select(['id', 'state'])
      .where('doctorId', '=', doctorId)
      .where('state', 'in', ['WAIT_PAY', 'PAID'])
      .orderBy('id')
      .execute();
    for (const { id, state } of orders) {
      try {
        if (state === 'WAIT_PAY')
          await closeUnpaid(ctx.kernel, askingOf(ctx), id, { action: 'timeout', reason: 'DOCTOR_DISABLED', opinion: '医生停用' });
      } catch (error) {
        // An open payment is settled by its own job; a success after that is refunded below or as a late one.
        if (!(error instanceof Refusal)) throw error;
      }
      await askingOf(ctx).transaction(async (acting) => {
        const order = await lockOrder(acting.tx, { id });
        if (order.state === 'PAID') await refundBySystem(acting, order, 'DOCTOR_REFUSE', '医生停用，自动退款');
      });
    }
  },
});

/** After a freeze: waiting orders are refunded or closed, by a job that begins with the commit. */
export const refundWaitingOf = (ctx: Acting, doctorId: string): Promise<void> => ctx.enqueue(refundWaiting, { doctorId });
