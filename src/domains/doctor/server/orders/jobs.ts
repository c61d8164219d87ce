import { sql } from 'kysely';
import { minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { Refusal } from '#kernel/contract/errors.ts';
import { job, type JobContext, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { askRefund, sendRefund } from '../refunds/sendJob.ts';
import { refundBySystem } from '../refunds/open.ts';
import { lockOrder } from './access.ts';
import { askPayment, closeUnpaid } from './ask.ts';
import { askingOf, refundWaiting } from './onDoctorChanged.ts';

const MINUTE_SECONDS = 60;
const MOST = 200;
/** Consultation has this long to report a missed acceptance itself. */
const REPAIR_MINUTES = 30;
/** A refund on its way for longer has lost its job. */
const LOST_MINUTES = 5;

const idsOf = async (ctx: JobContext, what: 'order' | 'refund', where: ReturnType<typeof sql>): Promise<string[]> =>
  (
    await sql<{ id: string }>`
      select id
        from ${sql.table(what === 'order' ? 'doctor_consult_order' : 'doctor_consult_refund')}
        where ${where}
        order by id limit ${MOST}`.execute(ctx.db)
  ).rows.map(({ id }) => id);

/** Each by itself: one that cannot be settled now does not hold up the others. */
async function each(ctx: JobContext, ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> {
  for (const id of ids) {
    if (ctx.signal.aborted) return;
    try {
      await work(id);
    } catch (error) {
      // Open at the channel: asked again at the next run.
      if (!(error instanceof Refusal)) ctx.kernel.log.error({ error, id }, 'an order or refund could not be settled');
    }
  }
}

/** Unpaid orders whose time is over. */
const expireOrders = job({
  name: 'doctor.expireConsultOrders',
  label: '付费咨询超时关闭',
  everySeconds: MINUTE_SECONDS,
  run: async (_data, ctx) =>
    each(ctx, await idsOf(ctx, 'order', sql`state = 'WAIT_PAY' and expire_at <= ${ctx.now}`), (id) =>
      closeUnpaid(ctx.kernel, askingOf(ctx), id, { action: 'timeout', reason: 'TIMEOUT', opinion: '超时未支付' }),
    ),
});

/** Payments and refunds whose outcome is open are asked for on the schedule of `kernel/server/money`, until the channel knows. */
const resolveUnknown = job({
  name: 'doctor.resolvePayUnknown',
  label: '支付与退款结果查询',
  everySeconds: MINUTE_SECONDS,
  async run(_data, ctx) {
    await each(ctx, await idsOf(ctx, 'order', sql`ask_due_at <= ${ctx.now}`), (id) => askPayment(ctx.kernel, askingOf(ctx), id));
    const lost: Instant = plusMs(ctx.now, -minutes(LOST_MINUTES));
    await each(ctx, await idsOf(ctx, 'refund', sql`ask_due_at <= ${ctx.now} or (state = 'PENDING' and updated_at < ${lost})`), (id) =>
      askRefund(ctx, id),
    );
  },
});

/** Paid, and consultation has not even opened an inquiry: the patient gets his money back. */
const repairOrders = job({
  name: 'doctor.repairConsultOrders',
  label: '付费咨询接诊修复',
  everySeconds: MINUTE_SECONDS * 5,
  async run(_data, ctx) {
    const due = plusMs(ctx.now, -minutes(REPAIR_MINUTES));
    await each(ctx, await idsOf(ctx, 'order', sql`state = 'PAID' and inquiry_id is null and accept_due_at <= ${due}`), (id) =>
      askingOf(ctx).transaction(async (acting) => {
        const order = await lockOrder(acting.tx, { id });
        if (order.state === 'PAID' && order.inquiryId === null) await refundBySystem(acting, order, 'NO_ACCEPT', '超时未接诊，自动退款');
      }),
    );
  },
});

export const orderJobs: readonly JobDeclaration<never>[] = [
  expireOrders,
  resolveUnknown,
  repairOrders,
  refundWaiting as JobDeclaration<never>,
  sendRefund as JobDeclaration<never>,
];
