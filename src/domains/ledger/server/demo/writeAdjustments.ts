import { dayOf, hours, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { demoTrails } from '#kernel/server/demo/trails.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import { checkersFor } from '#domains/identity/server/index.ts';
import { adjustmentStates, type AdjustmentAction, type AdjustmentReason, type AdjustmentState } from '../../contract/adjustments.ts';
import type { Side } from '../../contract/books.ts';
import { ledgerPermissions as may } from '../../contract/permissions.ts';
import { ADJUST_FILES, ADJUSTMENT, type StoredLeg } from '../adjustments/access.ts';
import { notifyChecker } from '../adjustments/notify.ts';
import { ledgerOf } from '../books.ts';
import { ADJUST } from '../chart.ts';
import type { AccountRef, Posting } from '../commands.ts';
import { ownTx } from '../database.ts';
import { adjustmentPaper } from './paper.ts';

type Person = { userId: string; displayName: string };
interface People {
  maker: Person;
  checker: Person;
  second: Person;
}

/** One adjustment of the demonstration; the steps are those that it took, hours apart. */
interface Story {
  state: AdjustmentState;
  /** Days before today. */
  daysAgo: number;
  /** From this account type to that one. */
  debit: string;
  credit: string;
  amountFen: number;
  reasonCode: AdjustmentReason;
  reason: string;
  steps: readonly { action: AdjustmentAction; opinion?: string; by: keyof People }[];
}

const submit = { action: 'submit', by: 'maker' } as const;
const stories: readonly Story[] = [
  {
    state: 'POSTED',
    daysAgo: 12,
    debit: 'CARD_SETTLE_DIFF',
    credit: 'CARD_CASH',
    amountFen: 36_50,
    reasonCode: 'BANK_DIFF',
    reason: '11月上旬收款通道手续费多扣36.50元，按银行回单调整资金往来',
    steps: [submit, { action: 'approve', opinion: '与银行回单核对一致，同意入账', by: 'checker' }],
  },
  {
    state: 'REJECTED',
    daysAgo: 9,
    debit: 'CARD_CASH',
    credit: 'CARD_SETTLE_DIFF',
    amountFen: 820_00,
    reasonCode: 'POSTING_ERROR',
    reason: '核销商户结算款重复入账，申请冲减结算差异',
    steps: [submit, { action: 'reject', opinion: '回单金额为802.00元，请核对后重新提交', by: 'checker' }],
  },
  {
    state: 'CANCELLED',
    daysAgo: 7,
    debit: 'CARD_SETTLE_DIFF',
    credit: 'CARD_CASH',
    amountFen: 15_00,
    reasonCode: 'DATA_FIX',
    reason: '测试环境误录的调账，业务侧已自行处理，申请撤回',
    steps: [submit, { action: 'cancel', by: 'maker' }],
  },
  {
    state: 'PENDING_SECOND',
    daysAgo: 2,
    debit: 'CARD_SETTLE_DIFF',
    credit: 'CARD_CASH',
    amountFen: 12_000_00,
    reasonCode: 'WRITE_OFF',
    reason: '停业门店未达结算款经法务确认无法追回，按制度核销坏账',
    steps: [submit, { action: 'forward', opinion: '核销依据齐全，金额超过1万元，提交二级复核', by: 'checker' }],
  },
  {
    state: 'PENDING',
    daysAgo: 1,
    debit: 'CARD_CASH',
    credit: 'CARD_REVENUE',
    amountFen: 268_00,
    reasonCode: 'POSTING_ERROR',
    reason: '一笔开卡手续费漏记收入，按收款流水补记手续费收入',
    steps: [submit],
  },
  {
    state: 'DRAFT',
    daysAgo: 0,
    debit: 'CARD_SETTLE_DIFF',
    credit: 'CARD_CASH',
    amountFen: 4_20,
    reasonCode: 'BANK_DIFF',
    reason: '对账尾差4.20元，待取得银行书面说明后提交复核',
    steps: [],
  },
];

async function peopleOf(tx: Tx, today: string): Promise<People | null> {
  const one = async (permission: string, others: readonly Person[]): Promise<Person | undefined> =>
    (await checkersFor(tx, { permission, today, limit: 20 })).find(({ userId }) => !others.some((other) => other.userId === userId));
  const maker = await one(may['adjust.make'].code, []);
  const checker = maker && (await one(may['adjust.check'].code, [maker]));
  const second = checker && (await one(may['adjust.check2'].code, [maker, checker]));
  return second ? { maker, checker, second } : null;
}

/** The platform's account of a type: the one that its owner opened, else a new one. */
async function accountOf(posting: Posting, kernel: Kernel, type: string): Promise<{ ref: AccountRef; accountNo: string } | null> {
  const declared = ledgerOf(kernel).chart.accountType('CARD', type);
  if (!declared) return null;
  const known = await ownTx(posting.tx)
    .selectFrom('ledgerAccount')
    .select(['accountNo', 'ownerType', 'ownerId', 'sub'])
    .where('book', '=', 'CARD')
    .where('accountType', '=', type)
    .orderBy('id')
    .executeTakeFirst();
  if (known)
    return { ref: { book: 'CARD', type, owner: { type: known.ownerType, id: known.ownerId }, sub: known.sub }, accountNo: known.accountNo };
  const ref: AccountRef = { book: 'CARD', type, owner: { type: declared.ownerType, id: 'PLATFORM' } };
  const { accountNo } = await ledgerOf(kernel).openAccount(posting, ref, { ownerName: '康桥平台' });
  return { ref, accountNo };
}

/** Adjustments in each of their states. */
export async function writeAdjustments(ctx: DemoContext, kernel: Kernel, postingAt: (now: Instant) => Posting): Promise<void> {
  const today = dayOf(ctx.now);
  const people = await peopleOf(postingAt(ctx.now).tx, today);
  if (!people) return;
  for (const story of stories) {
    const made = startOfDay(plusDays(today, -story.daysAgo), '09:20');
    const at = (step: number): Instant => {
      const then = plusMs(made, hours(2 * step + 1));
      return then < ctx.now ? then : ctx.now;
    };
    const posting = postingAt(made < ctx.now ? made : ctx.now);
    const [debit, credit] = [await accountOf(posting, kernel, story.debit), await accountOf(posting, kernel, story.credit)];
    if (!debit || !credit) return;
    const { tx } = posting;
    const paper = await kernel.ports.files.store(
      tx,
      {
        purpose: ADJUST_FILES,
        name: '调账依据.pdf',
        body: adjustmentPaper(story),
        contentType: 'application/pdf',
        createdBy: people.maker.userId,
      },
      posting.now,
    );
    const adjustNo = await nextNumber(tx, 'LJ', dayOf(posting.now));
    const leg = (accountNo: string, side: Side): StoredLeg => ({ accountNo, side, amountFen: String(story.amountFen) });
    const checked = story.steps.some(({ by }) => by === 'checker');
    const { id } = await ownTx(tx)
      .insertInto('ledgerAdjustment')
      .values({
        adjustNo,
        book: 'CARD',
        reasonCode: story.reasonCode,
        reason: story.reason,
        legs: JSON.stringify([leg(debit.accountNo, 'D'), leg(credit.accountNo, 'C')]),
        totalFen: String(story.amountFen),
        attachmentIds: [paper.fileId],
        makerId: people.maker.userId,
        makerName: people.maker.displayName,
        ...(checked && { checkerId: people.checker.userId, checkerName: people.checker.displayName }),
        ...(story.steps.length > 0 && { submittedAt: at(0) }),
        createdAt: posting.now,
        version: story.steps.length + 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await attach(
      tx,
      {
        fileIds: [paper.fileId],
        purpose: ADJUST_FILES,
        ownerType: ADJUSTMENT,
        ownerId: id,
        field: 'attachmentIds',
        userId: people.maker.userId,
      },
      posting.now,
    );
    const trails = demoTrails(tx);
    trails.add(
      adjustmentStates,
      { type: ADJUSTMENT, id },
      story.steps.map(({ by, ...step }, index) => ({
        ...step,
        at: at(index),
        by: { id: people[by].userId, name: people[by].displayName },
      })),
    );
    await trails.write();
    const ended = at(Math.max(0, story.steps.length - 1));
    if (story.state === 'POSTED') {
      const { transferId } = await ledgerOf(kernel).post(postingAt(ended), {
        businessKey: `ledger:adjustment:${id}:post`,
        book: 'CARD',
        type: ADJUST,
        debit: [{ account: debit.ref, amount: BigInt(story.amountFen) }],
        credit: [{ account: credit.ref, amount: BigInt(story.amountFen) }],
        ref: { type: ADJUSTMENT, id, no: adjustNo },
        memo: story.reason,
        actor: { id: people.maker.userId, name: people.maker.displayName },
      });
      await ownTx(tx).updateTable('ledgerAdjustment').set({ status: 'POSTED', transferId, closedAt: ended }).where('id', '=', id).execute();
    } else {
      await ownTx(tx)
        .updateTable('ledgerAdjustment')
        .set({ status: story.state, ...(story.state === 'CANCELLED' && { closedAt: ended }) })
        .where('id', '=', id)
        .execute();
      if (story.state === 'PENDING' || story.state === 'PENDING_SECOND')
        await notifyWaiting(kernel, postingAt(ended), { id, adjustNo, version: story.steps.length }, story, people.maker);
    }
  }
}

async function notifyWaiting(
  kernel: Kernel,
  posting: Posting,
  row: { id: string; adjustNo: string; version: number },
  story: Story,
  maker: Person,
): Promise<void> {
  const permission = may[story.state === 'PENDING' ? 'adjust.check' : 'adjust.check2'].code;
  await notifyChecker(
    kernel,
    posting,
    { ...row, book: 'CARD', totalFen: String(story.amountFen), makerId: maker.userId, makerName: maker.displayName },
    permission,
  );
}
