import { sql } from 'kysely';
import { dayOf, daysBetween, minutes, plusDays, plusMs } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job, type JobContext, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contractPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { amendmentRecords, contractRecords, type ContractRecord } from './access.ts';
import { isReviewOverdue } from './actions.ts';
import { applyAmendment } from './amend.ts';
import { askPay, expirePay } from './ask.ts';
import { activate, isCovered } from './begin.ts';
import { loseCover } from './consumers.ts';
import { moveContract, writeContract } from './move.ts';
import { publishCancelled, publishChange } from './publish.ts';
import { askRefund, sendContractRefund } from './sendRefund.ts';
import { expireTermination } from './terminate.ts';

const MOST = 200;
const MINUTE_SECONDS = 60;
/** A refund on its way for longer has lost its job. */
const LOST_MINUTES = 5;
const REMINDED_DAYS = [30, 7, 1] as const;

const idsOf = async (ctx: JobContext, table: string, where: ReturnType<typeof sql>): Promise<string[]> =>
  (
    await sql<{ id: string }>`
      select id
        from ${sql.table(table)}
        where ${where}
        order by id limit ${MOST}`.execute(ctx.db)
  ).rows.map(({ id }) => id);

const actingOf = (ctx: JobContext) => ({
  db: ctx.db,
  transaction: <T>(run: (acting: Acting) => Promise<T>) => ctx.transaction((writing) => run(asSystem(writing, ctx))),
});

async function cancelUnsigned(ctx: Acting, id: string): Promise<void> {
  const contract = await contractRecords.lock(ctx.tx, contractRecords.everyone, id);
  if (contract.state !== 'WAIT_SIGN' || contract.signDueAt === null || contract.signDueAt > ctx.now) return;
  const moved = await moveContract(ctx, contract, 'cancelBySystem', { cancelReason: 'UNSIGNED', signDueAt: null });
  await publishCancelled(ctx, moved);
}

/** What is over by the clock: signatures, payments, terminations that nobody confirmed; and what channels still owe an answer to. */
const contractTimeouts = job({
  name: 'enrolment.contractTimeouts',
  label: '签约与支付超时处理',
  everySeconds: MINUTE_SECONDS,
  async run(_data, ctx) {
    const failures = isolateFailures(ctx);
    const asking = actingOf(ctx);
    const each = async (ids: readonly string[], name: string, run: (id: string) => Promise<unknown>) => {
      for (const id of ids) if (!ctx.signal.aborted) await failures.run(`${name}${id}`, () => run(id));
    };
    await each(await idsOf(ctx, 'enrolment_contract', sql`state = 'WAIT_SIGN' and sign_due_at <= ${ctx.now}`), '合同', (id) =>
      asking.transaction((acting) => cancelUnsigned(acting, id)),
    );
    await each(await idsOf(ctx, 'enrolment_contract_pay', sql`ask_due_at <= ${ctx.now}`), '支付单', (id) => askPay(ctx.kernel, asking, id));
    await each(await idsOf(ctx, 'enrolment_contract_pay', sql`state in ('INIT', 'PENDING') and expire_at <= ${ctx.now}`), '支付单', (id) =>
      expirePay(ctx.kernel, asking, id),
    );
    const lost = plusMs(ctx.now, -minutes(LOST_MINUTES));
    await each(
      await idsOf(ctx, 'enrolment_contract_refund', sql`ask_due_at <= ${ctx.now} or (state = 'PENDING' and updated_at < ${lost})`),
      '退款单',
      (id) => askRefund(ctx, id),
    );
    await each(await idsOf(ctx, 'enrolment_termination', sql`state = 'PENDING' and expires_at <= ${ctx.now}`), '终止申请', (id) =>
      asking.transaction((acting) => expireTermination(acting, id)),
    );
    failures.throwIfAny();
  },
});

async function remind(kernel: Kernel, ctx: Acting, contract: ContractRecord): Promise<void> {
  const { nextReviewOn, reviewRemindedOn } = contract;
  if (nextReviewOn === null) return;
  const left = daysBetween(ctx.today, nextReviewOn);
  const step = REMINDED_DAYS.findLast((days) => left <= days);
  if (step === undefined || left < 0) return;
  const since = plusDays(nextReviewOn, -step);
  if (reviewRemindedOn !== null && reviewRemindedOn >= since) return;
  await writeContract(ctx, contract, { reviewRemindedOn: ctx.today });
  await kernel.ports.notices.addTodo(
    ctx.tx,
    {
      businessKey: `enrolment.review.${contract.id}.${nextReviewOn}`,
      title: '合同复查即将到期，请提醒提交复查材料',
      body: `合同${contract.contractNo}（${contract.insuredName}）应于${nextReviewOn}前复查`,
      link: `/signContractListDetail?contractId=${contract.id}`,
      permission: contractPermissions['contract.edit'].code,
    },
    ctx.now,
  );
}

/** Where the day has taken a contract. */
export async function advanceContract(kernel: Kernel, ctx: Acting, id: string): Promise<void> {
  const contract = await contractRecords.lock(ctx.tx, contractRecords.everyone, id);
  const { state, startDate, endDate } = contract;
  if (state !== 'NOT_STARTED' && state !== 'ACTIVE' && state !== 'SUSPENDED') return;
  if (endDate !== null && endDate < ctx.today) {
    const moved = await moveContract(ctx, contract, 'expire', { nextReviewOn: null });
    return publishChange(ctx, moved, 'expired', { reason: 'TERM', onDate: endDate });
  }
  if (state === 'NOT_STARTED') {
    if (startDate !== null && startDate <= ctx.today && (await isCovered(ctx, contract, ctx.today))) await activate(ctx, contract, 'start');
    return;
  }
  if (state !== 'ACTIVE') return;
  if (contract.coverLostOn !== null && contract.coverLostOn <= ctx.today) {
    return loseCover(kernel, ctx, contract, `被保人自${contract.coverLostOn}起不在保障期内`);
  }
  if (isReviewOverdue(contract, ctx.today)) {
    const moved = await moveContract(ctx, contract, 'suspendBySystem', { suspendReason: 'REVIEW_OVERDUE' });
    return publishChange(ctx, moved, 'suspended', { reason: 'REVIEW_OVERDUE', onDate: ctx.today });
  }
  await remind(kernel, ctx, contract);
}

async function applyDue(ctx: Acting, id: string): Promise<void> {
  const found = await amendmentRecords.get(ctx.tx, amendmentRecords.everyone, id);
  const contract = await contractRecords.lock(ctx.tx, contractRecords.everyone, found.contractId);
  const row = await amendmentRecords.lock(ctx.tx, amendmentRecords.everyone, id);
  if (row.state !== 'APPROVED' || row.applied || !['NOT_STARTED', 'ACTIVE', 'SUSPENDED'].includes(contract.state)) return;
  await applyAmendment(ctx, contract, row);
}

const AT_ONCE = 200;
/** Every night: contracts begin, end, rest for a review that did not come, and change on their day. */
const contractDay = job({
  name: 'enrolment.contractDay',
  label: '合同每日生效与到期',
  cron: '5 0 * * *',
  expireSeconds: 3600,
  async run(_data, ctx) {
    const failures = isolateFailures(ctx);
    const asking = actingOf(ctx);
    const today = dayOf(ctx.now);
    const due = await own(ctx.db)
      .selectFrom('enrolmentAmendment')
      .select('id')
      .where('state', '=', 'APPROVED')
      .where('applied', '=', false)
      .where('effectiveOn', '<=', today)
      .orderBy('id')
      .execute();
    for (const { id } of due) await failures.run(`变更${id}`, () => asking.transaction((acting) => applyDue(acting, id)));
    let after = '0';
    for (;;) {
      if (ctx.signal.aborted) return failures.throwIfAny();
      const found = await own(ctx.db)
        .selectFrom('enrolmentContract')
        .select(['id', 'contractNo'])
        .where('id', '>', after)
        .where('state', 'in', ['NOT_STARTED', 'ACTIVE', 'SUSPENDED'])
        .where((eb) =>
          eb.or([
            eb('endDate', '<', today),
            eb('coverLostOn', '<=', today),
            eb('nextReviewOn', '<=', plusDays(today, REMINDED_DAYS[0])),
            eb.and([eb('state', '=', 'NOT_STARTED'), eb('startDate', '<=', today)]),
          ]),
        )
        .orderBy('id')
        .limit(AT_ONCE)
        .execute();
      const last = found.at(-1);
      if (!last) return failures.throwIfAny();
      after = last.id;
      for (const { id, contractNo } of found)
        await failures.run(contractNo, () => asking.transaction((acting) => advanceContract(ctx.kernel, acting, id)));
    }
  },
});

export const contractJobs: readonly JobDeclaration<never>[] = [contractTimeouts, contractDay, sendContractRefund as JobDeclaration<never>];
