import { sql } from 'kysely';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job, type JobContext, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { openException } from '../exceptions/open.ts';
import { inTransaction } from '../orders/jobs.ts';
import { fulfilmentRecords, lockPart } from './access.ts';
import { cancelAtSupplierJob, cancelConfirmed, cancelRefused, supplierOf, withdrawn } from './give.ts';
import { askPushResult, pollPart, push } from './push.ts';

const MOST = 200;
interface Named {
  id: string;
  fulfilmentNo: string;
}
/** Each part of a query by itself: one that fails holds up no other. */
async function forEachPart(ctx: JobContext, parts: readonly Named[], run: (part: Named) => Promise<unknown>): Promise<void> {
  const failures = isolateFailures(ctx);
  for (const part of parts) {
    if (ctx.signal.aborted) break;
    await failures.run(part.fulfilmentNo, async () => {
      await run(part);
    });
  }
  failures.throwIfAny();
}

/** Pushes that nobody answered are asked for, never pushed again blindly. */
const askUnknown = job({
  name: 'order.askPushResult',
  label: '查询推送结果',
  everySeconds: 60,
  async run(_data, ctx) {
    const { rows } = await sql<Named>`
      select id, fulfilment_no
        from order_fulfilment
        where ask_due_at <= ${ctx.now} and state = 'WAIT_PUSH' and push_state = 'UNKNOWN'
        order by ask_due_at limit ${MOST}`.execute(ctx.db);
    await forEachPart(ctx, rows, (part) => askPushResult(ctx.kernel, (run) => inTransaction(ctx, run), part));
  },
});

/** Suppliers with an interface are asked how their parts stand. */
const pollSuppliers = job({
  name: 'order.pollSuppliers',
  label: '查询供应商履约进度',
  everySeconds: 300,
  async run(_data, ctx) {
    if (!ctx.kernel.oms.available) return;
    let behind = '0';
    for (;;) {
      const { rows } = await sql<Named>`
        select f.id, f.fulfilment_no
          from order_fulfilment f
          join order_supplier s on s.id = f.supplier_id
          where f.id > ${behind} and s.integration = 'API' and f.push_state = 'SENT'
            and f.state in ('WAIT_ACCEPT', 'WAIT_SHIP', 'PART_SHIPPED', 'CANCELLING')
          order by f.id limit ${MOST}`.execute(ctx.db);
      await forEachPart(ctx, rows, (part) => pollPart(ctx, part));
      const last = rows.at(-1);
      if (rows.length < MOST || !last || ctx.signal.aborted) return;
      behind = last.id;
    }
  },
});

/** Whoever says nothing in time counts as one who refused: the part is asked back, then another supplier is looked for. */
const acceptTimeout = job({
  name: 'order.acceptTimeout',
  label: '供应商超时未接单',
  everySeconds: 60,
  async run(_data, ctx) {
    const { rows } = await sql<Named>`
      select id, fulfilment_no
        from order_fulfilment
        where state = 'WAIT_ACCEPT' and accept_deadline <= ${ctx.now}
        order by accept_deadline limit ${MOST}`.execute(ctx.db);
    await forEachPart(ctx, rows, ({ id }) =>
      inTransaction(ctx, async (acting) => {
        const { order, part } = await lockPart(acting.tx, fulfilmentRecords.everyone, id);
        if (part.state !== 'WAIT_ACCEPT' || part.acceptDeadline === null || part.acceptDeadline > acting.now) return;
        await openException(acting, order, { type: 'ACCEPT_TIMEOUT', detail: `${part.fulfilmentNo}超时未接单`, fulfilmentId: id });
        const { integration } = await supplierOf(acting.tx, part);
        const asked = await withdrawn(acting, { order, part }, '超时未接单，系统撤回', '超时未接单');
        // Nobody but people of this house knows of it.
        if (integration !== 'API') await cancelConfirmed(acting, { order, part: asked });
      }),
    );
  },
});

/** Says once of each part that it was not sent in time. */
const shipTimeout = job({
  name: 'order.shipTimeout',
  label: '供应商超时未发货',
  everySeconds: 60,
  async run(_data, ctx) {
    const { rows } = await sql<Named>`
      select f.id, f.fulfilment_no
        from order_fulfilment f
        where f.state in ('WAIT_SHIP', 'PART_SHIPPED') and f.ship_deadline <= ${ctx.now}
          and not exists (select from order_exception x where x.fulfilment_id = f.id and x.type = 'SHIP_TIMEOUT')
        order by f.ship_deadline limit ${MOST}`.execute(ctx.db);
    await forEachPart(ctx, rows, ({ id }) =>
      inTransaction(ctx, async (acting) => {
        const { order, part } = await lockPart(acting.tx, fulfilmentRecords.everyone, id);
        if (part.state !== 'WAIT_SHIP' && part.state !== 'PART_SHIPPED') return;
        await openException(acting, order, { type: 'SHIP_TIMEOUT', detail: `${part.fulfilmentNo}超时未发货`, fulfilmentId: id });
      }),
    );
  },
});

/** The supplier is asked to leave a part; without an answer the job asks again. */
const cancelAtSupplier = job({
  ...cancelAtSupplierJob,
  async run({ fulfilmentId }, ctx) {
    const part = await fulfilmentRecords.get(ctx.db, fulfilmentRecords.everyone, fulfilmentId);
    if (part.state !== 'CANCELLING' || !ctx.kernel.oms.available) return;
    const answer = await ctx.kernel.oms.cancel(part.fulfilmentNo);
    if (answer === 'UNKNOWN') throw new Error(`${part.fulfilmentNo}: the supplier did not answer whether it leaves it`);
    await inTransaction(ctx, async (acting) => {
      const locked = await lockPart(acting.tx, fulfilmentRecords.everyone, fulfilmentId);
      if (locked.part.state !== 'CANCELLING') return;
      if (answer === 'TAKEN') await cancelConfirmed(acting, locked);
      else await cancelRefused(acting, locked, '供应商不同意取消');
    });
  },
});

export const fulfilmentJobs: readonly JobDeclaration<never>[] = [
  push as JobDeclaration<never>,
  askUnknown,
  pollSuppliers,
  acceptTimeout,
  shipTimeout,
  cancelAtSupplier as JobDeclaration<never>,
];
