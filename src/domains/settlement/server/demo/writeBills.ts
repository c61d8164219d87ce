import { hours, plusDays, plusMs, startOfDay, type Day } from '#kernel/contract/time.ts';
import { billMachine } from '../../contract/billStates.ts';
import { billRecords } from '../access.ts';
import { buildBill, freeIncomes, releaseBill } from '../bills/build.ts';
import { doctorsDue } from '../bills/collect.ts';
import { beginRun, finishRun } from '../bills/run.ts';
import { own } from '../database.ts';
import type { Stage, Step } from './stage.ts';

type Action = keyof typeof billMachine.transitions;
const FATES = [
  'APPROVED',
  'SUBMITTED',
  'CALCULATED',
  'APPROVED',
  'HELD',
  'REJECTED',
  'APPROVED',
  'VOIDED',
  'APPROVED',
  'SUBMITTED',
] as const;
type Fate = (typeof FATES)[number];

function stepsTo(fate: Fate, at: string): Step<Action>[] {
  const submit = { action: 'submit', at: plusMs(at, hours(2)), by: 'fin_a' } as const;
  const judged = { at: plusMs(at, hours(26)), by: 'fin_r' } as const;
  switch (fate) {
    case 'CALCULATED':
      return [];
    case 'SUBMITTED':
      return [submit];
    case 'APPROVED':
      return [submit, { action: 'approve', ...judged, opinion: '与收入明细核对一致' }];
    case 'REJECTED':
      return [submit, { action: 'reject', ...judged, opinion: '有投诉待核实的咨询，请核对后重新计算' }];
    case 'HELD':
      return [{ action: 'hold', at: plusMs(at, hours(3)), by: 'fin_a', opinion: '等待医生确认收款账户' }];
    case 'VOIDED':
      return [{ action: 'void', ...judged, opinion: '合作主体变更，作废后滚存下期' }];
  }
}

async function writeFate(stage: Stage, billId: string, fate: Fate, at: string): Promise<void> {
  const { tx, staff } = stage;
  const bill = await own(tx).selectFrom('settlementBill').selectAll().where('id', '=', billId).executeTakeFirstOrThrow();
  const steps = stepsTo(fate, at);
  const done = new Set(steps.map(({ action }) => action));
  const last = steps.at(-1);
  if (fate === 'VOIDED') {
    await freeIncomes({ tx, now: last!.at }, billId);
    await releaseBill(stage.at(last!.at), stage.ledger, bill, '作废', staff.fin_r);
  }
  await own(tx)
    .updateTable('settlementBill')
    .set({
      status: fate,
      version: steps.length + 1,
      ...(last && { updatedAt: last.at, ...(last.opinion && { opinion: last.opinion }) }),
      ...(done.has('submit') && { submittedBy: staff.fin_a.id, submittedByName: staff.fin_a.name }),
      ...((done.has('approve') || done.has('reject')) && { auditedBy: staff.fin_r.id, auditedByName: staff.fin_r.name }),
      ...(fate === 'HELD' && { heldFrom: 'CALCULATED' as const, holdReason: last?.opinion ?? '' }),
      ...(fate === 'VOIDED' && { holdId: null }),
    })
    .where('id', '=', billId)
    .execute();
  stage.trail(billMachine, { type: billRecords.type, id: billId }, steps);
}

/** On the second day of a month the month before is run for each company; the last one is still being looked at. */
export async function writeBillsOn(stage: Stage, day: Day): Promise<void> {
  const { tx, staff, ledger } = stage;
  if (!day.endsWith('-02')) return;
  const at = startOfDay(day, '09:30');
  if (at >= stage.now) return;
  const period = plusDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7);
  const isLast = period === plusDays(`${stage.today.slice(0, 7)}-01`, -1).slice(0, 7);
  for (const payer of await own(tx).selectFrom('settlementPayer').select('id').orderBy('id').execute()) {
    const acting = stage.at(at);
    const scope = { period, payerEntityId: payer.id };
    const doctors = await doctorsDue(tx, scope, '0', 1_000);
    if (doctors.length === 0) continue;
    const run = await beginRun(acting, scope, { userId: staff.fin_a.id, name: staff.fin_a.name }, at);
    for (const { id } of doctors) await buildBill(acting, ledger, { ...scope, id: run.id, startedBy: staff.fin_a.id }, id);
    await finishRun(acting, run.id, plusMs(at, 40_000));
    const bills = await own(tx).selectFrom('settlementBill').select('id').where('runId', '=', run.id).orderBy('id').execute();
    for (const [n, bill] of bills.entries()) await writeFate(stage, bill.id, isLast ? FATES[n % FATES.length]! : 'APPROVED', at);
  }
}
