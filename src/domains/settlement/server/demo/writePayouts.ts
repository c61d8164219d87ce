import { hours, plusDays, plusMs, startOfDay, type Day } from '#kernel/contract/time.ts';
import { payoutMachine } from '../../contract/payoutStates.ts';
import { payoutRecords, type BillRecord } from '../access.ts';
import { own } from '../database.ts';
import { makeBatch } from '../payout/batches.ts';
import { sendBatch } from '../payout/export.ts';
import { settlePayouts, type Outcome } from '../payout/settle.ts';
import { writeAccounts } from './writeIncomes.ts';
import type { Stage, Step } from './stage.ts';

type Action = keyof typeof payoutMachine.transitions;
/** How far a batch got: still being looked at, at the bank, or over. */
type Fate = 'DRAFT' | 'PENDING_REVIEW' | 'APPROVED' | 'EXPORTED' | 'DONE';

async function payableBills({ tx }: Stage, payerEntityId: string): Promise<BillRecord[]> {
  return own(tx)
    .selectFrom('settlementBill as b')
    .innerJoin('settlementAccount as a', 'a.doctorId', 'b.doctorId')
    .selectAll('b')
    .where('b.payerEntityId', '=', payerEntityId)
    .where('b.status', '=', 'APPROVED')
    .where('a.verifyStatus', '=', 'VERIFIED')
    .where('a.settleState', '=', 'NORMAL')
    .orderBy('b.id')
    .execute();
}

/** What the bank said of each row: most were paid, one account had another name. */
async function answerBatch(stage: Stage, batchId: string, at: string, fate: Fate): Promise<void> {
  const items = await own(stage.tx).selectFrom('settlementPayoutItem').select('id').where('batchId', '=', batchId).orderBy('id').execute();
  const day = at.slice(0, 10);
  const outcomes = items.flatMap(({ id }, n): Outcome[] => {
    if (fate === 'EXPORTED' && n % 2 === 1) return [];
    if (n === 2) return [{ itemId: id, result: 'FAILED', serial: null, day: null, failReason: '账号户名不符' }];
    return [
      { itemId: id, result: 'SUCCESS', serial: `CMB${day.replaceAll('-', '')}${String(n + 1).padStart(4, '0')}`, day, failReason: null },
    ];
  });
  await settlePayouts(stage.at(at, 'fin_a'), stage.ledger, batchId, outcomes, stage.staff.fin_a);
}

async function writeBatch(stage: Stage, payerId: string, bills: readonly BillRecord[], at: string, fate: Fate): Promise<void> {
  const { tx, staff, ledger, kernel } = stage;
  if (bills.length === 0) return;
  const planPayDate = at.slice(0, 10);
  const made = await makeBatch(stage.at(at, 'fin_a'), { payerEntityId: payerId, planPayDate }, bills, staff.fin_a);
  if (fate === 'DRAFT') return;
  const steps: Step<Action>[] = [{ action: 'submit', at: plusMs(at, hours(1)), by: 'fin_a' }];
  const passed = fate !== 'PENDING_REVIEW';
  if (passed) steps.push({ action: 'approve', at: plusMs(at, hours(3)), by: 'fin_r', opinion: '金额与结算单一致' });
  stage.trail(payoutMachine, { type: payoutRecords.type, id: made.id }, steps);
  const batch = await own(tx)
    .updateTable('settlementPayoutBatch')
    .set({
      status: passed ? 'APPROVED' : 'PENDING_REVIEW',
      version: steps.length + 1,
      ...(passed && { checkerId: staff.fin_r.id, checkerName: staff.fin_r.name }),
    })
    .where('id', '=', made.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (fate !== 'EXPORTED' && fate !== 'DONE') return;
  // What was decided stands before what follows from it.
  await stage.writeTrails();
  await sendBatch(stage.at(plusMs(at, hours(4)), 'cashier'), { secrets: kernel.secrets, ledger }, batch, staff.cashier);
  await answerBatch(stage, batch.id, plusMs(at, hours(8)), fate);
}

const FATES: readonly Fate[] = ['EXPORTED', 'PENDING_REVIEW', 'DRAFT'];
/** On the sixth what was passed is paid; of the last month some of it is still under way. */
export async function writePayoutsOn(stage: Stage, day: Day): Promise<void> {
  if (!day.endsWith('-06')) return;
  const at = startOfDay(day, '09:30');
  if (plusMs(at, hours(9)) >= stage.now) return;
  await writeAccounts(stage);
  const isLast = day.slice(0, 7) === stage.today.slice(0, 7) || plusDays(day, 31) > stage.today;
  for (const payer of await own(stage.tx).selectFrom('settlementPayer').select('id').orderBy('id').execute()) {
    const bills = await payableBills(stage, payer.id);
    if (!isLast) {
      await writeBatch(stage, payer.id, bills, at, 'DONE');
      continue;
    }
    const share = Math.ceil(bills.length / FATES.length);
    for (const [n, fate] of FATES.entries()) await writeBatch(stage, payer.id, bills.slice(n * share, (n + 1) * share), at, fate);
  }
}
