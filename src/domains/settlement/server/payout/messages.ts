import { yuan } from '#kernel/contract/money.ts';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import type { JobContext, JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { sendSms } from '#domains/identity/server/index.ts';
import { statementOf } from '../bills/print.ts';
import { own } from '../database.ts';

const CHUNK = 100;
/** A message that failed is tried again after so long, then after twice as long, up to an hour. */
const FIRST_WAIT_MS = minutes(1);
const LONGEST_DOUBLING = 6;

/** The doctor is to be told: written with the outcome, sent by a job of its own. */
export const noteMessage = (ctx: Pick<Acting, 'tx' | 'now'>, itemId: string, kind: 'PAID' | 'FAILED') =>
  own(ctx.tx)
    .insertInto('settlementPayoutMessage')
    .values({ itemId, kind, dueAt: ctx.now, createdAt: ctx.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

const readMessage = (tx: Tx, id: string) =>
  own(tx)
    .selectFrom('settlementPayoutMessage as m')
    .innerJoin('settlementPayoutItem as i', 'i.id', 'm.itemId')
    .innerJoin('settlementBill as b', 'b.id', 'i.billId')
    .innerJoin('settlementAccount as a', 'a.doctorId', 'i.doctorId')
    .select(['m.id', 'm.kind', 'm.status', 'i.billId', 'i.netFen', 'i.taxFen', 'i.bankName', 'i.accountMasked', 'i.failReason'])
    .select(['b.billNo', 'b.period', 'a.mobileCipher'])
    .where('m.id', '=', id)
    .forUpdate('m')
    .executeTakeFirstOrThrow();
type Message = Awaited<ReturnType<typeof readMessage>>;

const textOf = ({ kind, period, billNo, netFen, taxFen, bankName, accountMasked, failReason }: Message): string =>
  kind === 'PAID'
    ? `【康桥】您${period}的服务费结算单${billNo}已付款，实发${yuan(netFen, true)}元（已代扣个税${yuan(taxFen, true)}元），` +
      `收款账户${bankName}${accountMasked}。结算单可向客服索取。`
    : `【康桥】您${period}的服务费结算单${billNo}付款失败（${failReason ?? '银行未受理'}），请联系客服核对收款账户，更正后将重新付款。`;

/** Only what can be printed is told: who is told that he was paid may ask for the statement at once. */
async function sendMessage(kernel: Kernel, ctx: JobContext, id: string): Promise<void> {
  await ctx.transaction(async (writing) => {
    const message = await readMessage(writing.tx, id);
    if (message.status !== 'WAITING') return;
    if (message.kind === 'PAID') await statementOf(writing.tx, message.billId, '');
    if (message.mobileCipher !== null)
      await sendSms(
        kernel,
        writing,
        { mobile: kernel.secrets.decrypt(message.mobileCipher), text: textOf(message), purpose: null },
        ctx.now,
      );
    const isSent = message.mobileCipher !== null;
    await own(writing.tx)
      .updateTable('settlementPayoutMessage')
      .set((eb) => ({
        status: isSent ? ('SENT' as const) : ('NO_MOBILE' as const),
        sentAt: isSent ? ctx.now : null,
        tryCount: eb('tryCount', '+', 1),
        failure: null,
      }))
      .where('id', '=', id)
      .execute();
  });
}

/** What failed waits longer each time, so that it holds up nobody behind it. */
const putOff = (ctx: JobContext, { id, tryCount }: { id: string; tryCount: number }) =>
  ctx.transaction(({ tx }) =>
    own(tx)
      .updateTable('settlementPayoutMessage')
      .set({
        tryCount: tryCount + 1,
        dueAt: plusMs(ctx.now, Math.min(FIRST_WAIT_MS * 2 ** Math.min(tryCount, LONGEST_DOUBLING), minutes(60))),
        failure: '结算单或短信未能生成，稍后自动重试',
      })
      .where('id', '=', id)
      .where('status', '=', 'WAITING')
      .execute(),
  );

async function tellAll(kernel: Kernel, ctx: JobContext): Promise<void> {
  const failures = isolateFailures(ctx);
  const due = await own(ctx.db)
    .selectFrom('settlementPayoutMessage as m')
    .innerJoin('settlementPayoutItem as i', 'i.id', 'm.itemId')
    .select(['m.id', 'm.tryCount', 'i.bizRef'])
    .where('m.status', '=', 'WAITING')
    .where('m.dueAt', '<=', ctx.now)
    .orderBy('m.dueAt')
    .orderBy('m.id')
    .limit(CHUNK)
    .execute();
  for (const message of due) {
    if (ctx.signal.aborted) break;
    if (!(await failures.run(message.bizRef, () => sendMessage(kernel, ctx, message.id)))) await putOff(ctx, message);
  }
  failures.throwIfAny();
}

export const messageJob = (kernel: Kernel): JobDeclaration => ({
  name: 'settlement.tellDoctors',
  label: '通知医生付款结果',
  everySeconds: 60,
  run: (_data, ctx) => tellAll(kernel, ctx),
});
