import { sql } from 'kysely';
import { consultOrderCompleted, consultOrderRefunded } from '#events/doctor.ts';
import type { PayloadOf } from '#kernel/contract/event.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';
import type { ConsumerContext, JobContext, JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { bookOrder, waitingFacts } from './book.ts';
import { matureIncomes } from './mature.ts';

const bookJob: JobKind<{ orderId: string; orderNo: string }> = {
  name: 'settlement.bookOrder',
  label: '计算医生收入',
  retryLimit: 8,
  subject: ({ orderNo }) => orderNo,
};

/** What was refunded only grows: events that come late or twice change nothing. */
async function keepFact(ctx: ConsumerContext, order: PayloadOf<typeof consultOrderCompleted>): Promise<void> {
  await own(ctx.tx)
    .insertInto('settlementFact')
    .values({
      orderId: order.orderId,
      orderNo: order.orderNo,
      doctorId: order.doctorId,
      serviceItemId: order.itemId,
      serviceType: order.serviceType,
      productLineId: order.productLineId,
      channelId: order.channelId,
      agentId: order.agentId,
      payFen: String(order.payFen),
      listFen: String(order.listFen),
      refundedFen: String(order.refundedFen),
      completedAt: order.at,
      createdAt: ctx.now,
    })
    .onConflict((conflict) =>
      conflict.column('orderId').doUpdateSet({ refundedFen: sql`greatest(settlement_fact.refunded_fen, excluded.refunded_fen)` }),
    )
    .execute();
  await ctx.enqueue(bookJob, { orderId: order.orderId, orderNo: order.orderNo });
}

export const incomeConsumers = [
  consumer('settlement', consultOrderCompleted, ({ payload }, ctx) => keepFact(ctx, payload)),
  consumer('settlement', consultOrderRefunded, async ({ payload }, ctx) => {
    // A refund before the service was over is told again with its completion.
    const known = await own(ctx.tx)
      .updateTable('settlementFact')
      .set({ refundedFen: sql`greatest(refunded_fen, ${String(payload.refundedFen)}::bigint)` })
      .where('orderId', '=', payload.orderId)
      .returning('orderId')
      .executeTakeFirst();
    if (known) await ctx.enqueue(bookJob, { orderId: payload.orderId, orderNo: payload.orderNo });
  }),
];

const WAITING_TODO = 'settlement:waitingFacts';

/** Who keeps the rules is told once that orders wait for one. */
async function tellWaiting(kernel: Kernel, ctx: JobContext): Promise<void> {
  await ctx.transaction(async ({ tx }) => {
    const n = await waitingFacts({ tx });
    if (n === 0) return kernel.ports.notices.closeTodo(tx, WAITING_TODO, ctx.now);
    return kernel.ports.notices.addTodo(
      tx,
      {
        businessKey: WAITING_TODO,
        title: '有已完成的咨询没有适用的结算规则',
        body: `共${n}笔咨询在完成当日没有适用的分成规则或周期规则，暂未计入医生收入。请在结算规则中补充默认规则，或用人工调整单补记。`,
        link: '/settlementRules',
        permission: may['rule.edit'].code,
      },
      ctx.now,
    );
  });
}

const CHUNK = 200;

/** Orders without a rule get another chance, one by one. */
async function bookWaiting(kernel: Kernel, ctx: JobContext): Promise<void> {
  const failures = isolateFailures(ctx);
  for (let after = '0'; !ctx.signal.aborted;) {
    const facts = await own(ctx.db)
      .selectFrom('settlementFact')
      .select(['orderId', 'orderNo'])
      .where('state', '=', 'WAITING')
      .where('orderId', '>', after)
      .orderBy('orderId')
      .limit(CHUNK)
      .execute();
    const last = facts.at(-1);
    if (!last) break;
    after = last.orderId;
    for (const { orderId, orderNo } of facts)
      await failures.run(orderNo, async () => {
        await ctx.transaction((writing) => bookOrder(asSystem(writing, ctx), ledgerOf(kernel), orderId));
      });
  }
  failures.throwIfAny();
}

/** Incomes whose days are over become payable, some hundreds at a time. */
async function mature(kernel: Kernel, ctx: JobContext): Promise<void> {
  const failures = isolateFailures(ctx);
  const take = (ids: readonly string[]) => ctx.transaction((writing) => matureIncomes(asSystem(writing, ctx), ledgerOf(kernel), ids));
  for (let after = '0'; !ctx.signal.aborted;) {
    const incomes = await own(ctx.db)
      .selectFrom('settlementIncome')
      .select(['id', 'incomeNo'])
      .where('status', '=', 'PENDING')
      .where('availableAt', '<=', ctx.now)
      .where('id', '>', after)
      .orderBy('id')
      .limit(CHUNK)
      .execute();
    const last = incomes.at(-1);
    if (!last) break;
    after = last.id;
    await failures.runTogether(
      incomes,
      ({ incomeNo }) => incomeNo,
      (some) => take(some.map(({ id }) => id)),
    );
  }
  failures.throwIfAny();
}

export const incomeJobs = (kernel: Kernel): JobDeclaration<never>[] => {
  const book: JobDeclaration<{ orderId: string; orderNo: string }> = {
    ...bookJob,
    run: async ({ orderId }, ctx) => {
      const found = await ctx.transaction((writing) => bookOrder(asSystem(writing, ctx), ledgerOf(kernel), orderId));
      if (!found) await tellWaiting(kernel, ctx);
    },
  };
  const maturing: JobDeclaration = {
    name: 'settlement.matureIncomes',
    label: '医生收入到期入账',
    cron: '5 0,8,16 * * *',
    run: (_data, ctx) => mature(kernel, ctx),
  };
  const waiting: JobDeclaration = {
    name: 'settlement.bookWaitingOrders',
    label: '补算无规则的医生收入',
    cron: '40 0 * * *',
    run: async (_data, ctx) => {
      await bookWaiting(kernel, ctx);
      await tellWaiting(kernel, ctx);
    },
  };
  return [book as JobDeclaration<never>, maturing as JobDeclaration<never>, waiting as JobDeclaration<never>];
};
