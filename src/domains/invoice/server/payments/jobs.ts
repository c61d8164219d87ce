import { sql } from 'kysely';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { askRefund } from '../refunds/send.ts';
import { askingOf, askPayment, closePayment } from './close.ts';

const MOST = 200;
const MINUTE_SECONDS = 60;
/** A refund on its way for longer has lost its job. */
const LOST_MINUTES = 5;

const found = async (ctx: JobContext, table: string, no: string, where: ReturnType<typeof sql>) =>
  (
    await sql<{ id: string; no: string }>`
      select id, ${sql.ref(no)} as no
        from ${sql.table(table)}
        where ${where}
        order by id limit ${MOST}`.execute(ctx.db)
  ).rows;

/** Payments and refunds of which the channels still owe an answer, payments whose time is over, refunds that lost their job. */
export const resolveOpen = job({
  name: 'invoice.resolveOpen',
  label: '订单支付与退款结果查询',
  everySeconds: MINUTE_SECONDS,
  async run(_data, ctx) {
    const failures = isolateFailures(ctx);
    const asking = askingOf(ctx);
    const each = async (rows: readonly { id: string; no: string }[], work: (id: string) => Promise<unknown>) => {
      for (const { id, no } of rows) if (!ctx.signal.aborted) await failures.run(no, () => work(id));
    };
    await each(await found(ctx, 'invoice_payment', 'payment_no', sql`ask_due_at <= ${ctx.now}`), (id) =>
      askPayment(ctx.kernel, asking, id),
    );
    const isOver = sql`status in ('INIT', 'PENDING') and expire_at <= ${ctx.now}`;
    await each(await found(ctx, 'invoice_payment', 'payment_no', isOver), (id) => closePayment(ctx.kernel, asking, id));
    await each(await found(ctx, 'invoice_refund', 'refund_no', sql`ask_due_at <= ${ctx.now}`), (id) => askRefund(ctx.kernel, asking, id));
    const isLost = sql`(status = 'PROCESSING' and way = 'ORIGINAL' or status = 'APPROVED' and by_itself)
      and updated_at < ${plusMs(ctx.now, -minutes(LOST_MINUTES))}`;
    await each(await found(ctx, 'invoice_refund', 'refund_no', isLost), (id) => askRefund(ctx.kernel, asking, id));
    failures.throwIfAny();
  },
});
