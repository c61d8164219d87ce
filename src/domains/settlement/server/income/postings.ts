import { SYSTEM, type Actor, type AccountRef, type Ledger, type PostCommand, type Posting } from '#domains/ledger/server/index.ts';
import { clawbackOf, costOf, payableOf, pendingOf } from '../chart.ts';

/** An income as its postings name it; amounts as they stand in its row. */
export interface Posted {
  id: string;
  incomeNo: string;
  doctorId: string;
  payerEntityId: string;
  grossFen: string;
}
/** What has to happen to the money of an income. */
type Step = 'accrue' | 'unaccrue' | 'mature' | 'claw' | 'adjust';
export interface Due {
  income: Posted;
  step: Step;
}

const accountsOf = ({ doctorId, payerEntityId }: Posted, step: Step): AccountRef[] => {
  const [pending, payable, claw, cost] = [
    pendingOf(doctorId, payerEntityId),
    payableOf(doctorId, payerEntityId),
    clawbackOf(doctorId, payerEntityId),
    costOf(payerEntityId),
  ];
  switch (step) {
    case 'accrue':
    case 'unaccrue':
      return [cost, pending];
    case 'mature':
      return [pending, payable];
    case 'claw':
      return [payable, claw, cost];
    case 'adjust':
      return [cost, payable];
  }
};

const absolute = (fen: string): bigint => (BigInt(fen) < 0n ? -BigInt(fen) : BigInt(fen));

/** What is taken back comes out of what is payable and not set aside; the rest the doctor owes. */
function clawLegs(income: Posted, left: Map<string, bigint>) {
  const amount = absolute(income.grossFen);
  const payable = payableOf(income.doctorId, income.payerEntityId);
  const key = `${income.doctorId}:${income.payerEntityId}`;
  const available = left.get(key) ?? 0n;
  const out = available < amount ? (available < 0n ? 0n : available) : amount;
  left.set(key, available - out);
  return {
    debit: [
      ...(out > 0n ? [{ account: payable, amount: out }] : []),
      ...(amount > out ? [{ account: clawbackOf(income.doctorId, income.payerEntityId), amount: amount - out }] : []),
    ],
    credit: [{ account: costOf(income.payerEntityId), amount }],
  };
}

/**
 * Moves the money of incomes, all together and as the last statements of a transaction.
 * @param names of the doctors and payers whose accounts are opened by this
 */
export async function postIncomes(
  use: Posting,
  ledger: Ledger,
  due: readonly Due[],
  names: { doctor(id: string): string; payer(id: string): string },
  actor: Actor = SYSTEM,
): Promise<void> {
  if (due.length === 0) return;
  const refs = due.flatMap(({ income, step }) =>
    accountsOf(income, step).map((ref) => ({
      ref,
      ownerName: ref.owner.type === 'doctor' ? names.doctor(ref.owner.id) : names.payer(ref.owner.id),
    })),
  );
  await ledger.openAccounts(use, refs);
  await ledger.lock(
    use,
    refs.map(({ ref }) => ref),
  );
  const clawed = due.filter(({ step }) => step === 'claw').map(({ income }) => income);
  const balances = await ledger.balances(
    use.tx,
    clawed.map(({ doctorId, payerEntityId }) => payableOf(doctorId, payerEntityId)),
    use.now,
  );
  const left = new Map(clawed.map((income, at) => [`${income.doctorId}:${income.payerEntityId}`, balances[at]!.available]));
  const commands = due.map(({ income, step }): PostCommand => {
    const [amount, doctorId, payerId] = [absolute(income.grossFen), income.doctorId, income.payerEntityId];
    const common = {
      businessKey: `settlement:income:${income.id}:${step}`,
      book: 'DOCTOR' as const,
      ref: { type: 'settlementIncome', id: income.id, no: income.incomeNo },
      actor,
    };
    const leg = (account: AccountRef) => [{ account, amount }];
    switch (step) {
      case 'accrue':
        return { ...common, type: 'DR_ACCRUE', debit: leg(costOf(payerId)), credit: leg(pendingOf(doctorId, payerId)) };
      case 'unaccrue':
        return { ...common, type: 'DR_UNACCRUE', debit: leg(pendingOf(doctorId, payerId)), credit: leg(costOf(payerId)) };
      case 'mature':
        return { ...common, type: 'DR_MATURE', debit: leg(pendingOf(doctorId, payerId)), credit: leg(payableOf(doctorId, payerId)) };
      case 'adjust':
        return { ...common, type: 'DR_ADJUST', debit: leg(costOf(payerId)), credit: leg(payableOf(doctorId, payerId)) };
      case 'claw':
        return { ...common, type: 'DR_CLAW', ...clawLegs(income, left) };
    }
  });
  await ledger.postMany(use, commands);
}
