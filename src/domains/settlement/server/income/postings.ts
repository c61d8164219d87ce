import { SYSTEM, type Actor, type AccountRef, type Ledger, type PostCommand, type Posting } from '#domains/ledger/server/index.ts';
import { clawbackOf, costOf, fundOf, payableOf, pendingOf } from '../chart.ts';

/** An income as its postings name it; amounts as they stand in its row. */
interface Posted {
  id: string;
  incomeNo: string;
  doctorId: string;
  payerEntityId: string;
  /** Of an incentive: whose fund it comes out of. */
  programId: string | null;
  grossFen: string;
}
/** What has to happen to the money of an income. */
type Step = 'accrue' | 'unaccrue' | 'mature' | 'claw' | 'adjust';
export interface Due {
  income: Posted;
  step: Step;
}

/** What an income is paid out of: our own cost, or the fund of a programme. */
const sourceOf = ({ payerEntityId, programId }: Posted): AccountRef => (programId === null ? costOf(payerEntityId) : fundOf(programId));

const accountsOf = (income: Posted, step: Step): AccountRef[] => {
  const { doctorId, payerEntityId } = income;
  const [pending, payable, claw, cost] = [
    pendingOf(doctorId, payerEntityId),
    payableOf(doctorId, payerEntityId),
    clawbackOf(doctorId, payerEntityId),
    sourceOf(income),
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
    credit: [{ account: sourceOf(income), amount }],
  };
}

/**
 * Moves the money of incomes, all together and as the last statements of a transaction.
 * @param names of the doctors, payers and programmes whose accounts are opened by this
 */
export async function postIncomes(
  use: Posting,
  ledger: Ledger,
  due: readonly Due[],
  names: { doctor(id: string): string; payer(id: string): string; program(id: string): string },
  actor: Actor = SYSTEM,
): Promise<void> {
  if (due.length === 0) return;
  const nameOf = ({ owner: { type, id } }: AccountRef): string =>
    type === 'doctor' ? names.doctor(id) : type === 'incentiveProgram' ? names.program(id) : names.payer(id);
  const refs = due.flatMap(({ income, step }) => accountsOf(income, step).map((ref) => ({ ref, ownerName: nameOf(ref) })));
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
    const [amount, doctorId, payerId, source] = [absolute(income.grossFen), income.doctorId, income.payerEntityId, sourceOf(income)];
    const common = {
      businessKey: `settlement:income:${income.id}:${step}`,
      book: 'DOCTOR' as const,
      ref: { type: 'settlementIncome', id: income.id, no: income.incomeNo },
      actor,
    };
    const leg = (account: AccountRef) => [{ account, amount }];
    switch (step) {
      case 'accrue':
        return { ...common, type: 'DR_ACCRUE', debit: leg(source), credit: leg(pendingOf(doctorId, payerId)) };
      case 'unaccrue':
        return { ...common, type: 'DR_UNACCRUE', debit: leg(pendingOf(doctorId, payerId)), credit: leg(source) };
      case 'mature':
        return { ...common, type: 'DR_MATURE', debit: leg(pendingOf(doctorId, payerId)), credit: leg(payableOf(doctorId, payerId)) };
      case 'adjust':
        return { ...common, type: 'DR_ADJUST', debit: leg(source), credit: leg(payableOf(doctorId, payerId)) };
      case 'claw':
        return { ...common, type: 'DR_CLAW', ...clawLegs(income, left) };
    }
  });
  await ledger.postMany(use, commands);
}
