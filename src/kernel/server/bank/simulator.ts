import { bankResults, type BankResult } from '../../contract/bank.ts';
import { yuan } from '../../contract/money.ts';
import { dayOf, days, minutes, plusMs, type Instant } from '../../contract/time.ts';
import { csvCell } from '../documents/csvStream.ts';
import { digitsOf, simulation, type SimulationParts, type Taken } from '../outside/simulation.ts';
import { gb18030 } from './gb18030.ts';
import { unknownPayout, type Bank, type BankAnswer } from './port.ts';
import { bankResultColumns } from './results.ts';

/** How a payment ends, by the last two digits of its sum in fen; every other succeeds. */
type Ending = 'FAILED' | 'LATE' | 'NEVER' | 'OTHER_SUM' | 'TWICE' | 'RETURNED';
const ENDS_IN: Readonly<Record<number, Ending>> = { 91: 'FAILED', 92: 'LATE', 93: 'NEVER', 94: 'OTHER_SUM', 95: 'TWICE', 96: 'RETURNED' };
const LATE_MS = minutes(10);
/** A payment that comes back does so the next day. */
const RETURNED_MS = days(1);

interface Payment {
  amountFen: number;
}

export interface BankSimulator extends Bank {
  /** The result file of a batch as the bank has it by now; payments without an answer are not in it. */
  resultFile(batchNo: string): Promise<Buffer>;
}

const endingOf = ({ amountFen }: Payment): Ending | undefined => ENDS_IN[amountFen % 100];
const answersAfter = (payment: Payment) => ({ LATE: LATE_MS, NEVER: null })[String(endingOf(payment))];

/** Stands in for a bank: it keeps references and sums in the own database, neither names nor accounts, and never moves money. */
export function simulatedBank(parts: SimulationParts): BankSimulator {
  const payments = simulation<Payment>('BANK', parts);

  function answerOf({ ref, facts, takenAt, isAnswered }: Taken<Payment>, now: Instant): BankAnswer {
    if (!isAnswered) return unknownPayout;
    const ending = endingOf(facts);
    if (ending === 'FAILED') return { ...unknownPayout, state: 'FAILED', amountFen: facts.amountFen, failReason: '模拟银行：账号户名不符' };
    const isBack = ending === 'RETURNED' && now >= plusMs(takenAt, RETURNED_MS);
    return {
      state: isBack ? 'RETURNED' : 'SUCCESS',
      amountFen: ending === 'OTHER_SUM' ? facts.amountFen - 1 : facts.amountFen,
      // Ten digits of its own: as with real banks they come again one day.
      serial: digitsOf(ref, 10),
      day: dayOf(takenAt),
      failReason: isBack ? '模拟银行：收款账户已销户' : null,
    };
  }

  return {
    available: true,
    async submit({ batchNo, payouts }) {
      await payments.take(
        payouts.map(({ ref, amountFen }) => {
          const after = answersAfter({ amountFen });
          return { ref, group: batchNo, facts: { amountFen }, answersAfter: after === undefined ? 0 : after };
        }),
      );
      const taken = new Map((await payments.group(batchNo)).map(({ ref, facts }) => [ref, facts.amountFen]));
      return payouts.every(({ ref, amountFen }) => taken.get(ref) === amountFen) ? 'TAKEN' : 'REFUSED';
    },
    async query(ref) {
      const payment = await payments.find(ref);
      return payment && answerOf(payment, parts.now());
    },
    async resultFile(batchNo) {
      const lines = (await payments.group(batchNo)).flatMap((payment) => {
        const { state, amountFen, serial, day, failReason } = answerOf(payment, parts.now());
        if (state === 'UNKNOWN') return [];
        const lineOf = (result: BankResult) => ({
          ref: payment.ref,
          amountFen: yuan(amountFen ?? 0),
          result: bankResults.label(result),
          serial: serial ?? '',
          day: day ?? '',
          failReason: failReason ?? '',
        });
        if (state === 'RETURNED') return [{ ...lineOf('SUCCESS'), failReason: '' }, lineOf('RETURNED')];
        return endingOf(payment.facts) === 'TWICE' ? [lineOf(state), lineOf(state)] : [lineOf(state)];
      });
      const rows = [bankResultColumns.map(({ label }) => label), ...lines.map((line) => bankResultColumns.map(({ key }) => line[key]))];
      return gb18030(rows.map((cells) => `${cells.map((text) => csvCell({ text, numeric: true })).join(',')}\r\n`).join(''));
    },
  };
}
