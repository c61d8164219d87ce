import { dayOf, days, hours, minutes, plusMs } from '../../contract/time.ts';
import { digitsOf, simulation, type SimulationParts, type Taken } from '../outside/simulation.ts';
import { sumsOf, unknownInvoice, unknownIssue, type IssueAnswer, type RedAnswer, type TaxPlatform } from './port.ts';

/**
 * How a request ends, by the last two digits of its sum in fen, tax included; every other is answered at once.
 * LOST: done, but the answer does not arrive. NOT_HEARD: the first request does not arrive.
 */
type Ending = 'REFUSED' | 'LATE' | 'NEVER' | 'LOST' | 'NOT_HEARD' | 'BOOKED' | 'SILENT_BUYER';
const ENDS_IN: Readonly<Record<number, Ending>> = {
  91: 'REFUSED',
  92: 'LATE',
  93: 'NEVER',
  94: 'LOST',
  95: 'NOT_HEARD',
  // The invoice is booked by its buyer, who agrees to its red letter a day later, or never.
  96: 'BOOKED',
  97: 'SILENT_BUYER',
};
/** How the invoice of somebody else is found, by the last two digits of its number; every other is as it is printed. */
const FOUND_IN: Readonly<Record<string, 'NOT_FOUND' | 'NEVER' | 'OTHER_SUM' | 'RED' | 'BOOKED'>> = {
  '91': 'NOT_FOUND',
  '93': 'NEVER',
  '94': 'OTHER_SUM',
  '95': 'RED',
  '96': 'BOOKED',
};
const LATE_MS = minutes(10);
const BUYER_AGREES_MS = days(1);
const BUYER_HAS_MS = hours(72);
/** What a seller may issue in a month, without tax. */
const QUOTA_FEN = 1_000_000_000;

interface Request {
  exTaxFen: number;
  taxFen: number;
  number: string;
  fault: 'QUOTA' | 'REFUSED' | null;
  failReason: string | null;
  waitsForBuyer: boolean;
}

const endingOf = ({ exTaxFen, taxFen }: Pick<Request, 'exTaxFen' | 'taxFen'>): Ending | undefined => ENDS_IN[(exTaxFen + taxFen) % 100];
/** Year, province and way of issue, then what is nobody else's. */
const numberOf = (key: string, day: string) => `${day.slice(2, 4)}311${digitsOf(key, 15)}`;
const delayOf = (ending: Ending | undefined): number | null => (ending === 'NEVER' ? null : ending === 'LATE' ? LATE_MS : 0);

/** Stands in for the tax platform: it keeps numbers and sums in the own database, no names, and issues nothing. */
export function simulatedTax(parts: SimulationParts & { quotaFen?: number }): TaxPlatform {
  const requests = simulation<Request>('TAX', parts);
  const { now, quotaFen = QUOTA_FEN } = parts;
  const monthOf = (sellerTaxNo: string) => `${sellerTaxNo}:${dayOf(now()).slice(0, 7)}`;
  const refOf = (sellerTaxNo: string, no: string) => `${sellerTaxNo}:${no}`;

  function answerOf({ facts, takenAt, isAnswered }: Taken<Request>): IssueAnswer {
    if (!isAnswered) return unknownIssue;
    const { fault, failReason, number } = facts;
    return fault
      ? { ...unknownIssue, state: 'FAILED', fault, failReason }
      : { ...unknownIssue, state: 'ISSUED', number, issuedOn: dayOf(takenAt) };
  }

  function redAnswerOf(request: Taken<Request>): RedAnswer {
    if (!request.facts.waitsForBuyer || request.isAnswered) return answerOf(request);
    return { ...unknownIssue, state: now() >= plusMs(request.takenAt, BUYER_HAS_MS) ? 'EXPIRED' : 'WAIT_BUYER' };
  }

  /** What is left of the month; refused requests take nothing of it. */
  async function leftOf(sellerTaxNo: string): Promise<number> {
    const issued = await requests.group(monthOf(sellerTaxNo));
    return quotaFen - issued.reduce((sum, { facts }) => sum + (facts.fault === null ? facts.exTaxFen : 0), 0);
  }

  /** Takes a request in and answers it, unless one of the two is lost. */
  async function take(ref: string, group: string, facts: Request, answersAfter: number | null): Promise<Taken<Request> | null> {
    const ending = endingOf(facts);
    if (
      ending === 'NOT_HEARD' &&
      (await requests.take([{ ref: `${ref}:unheard`, group: 'unheard', facts, answersAfter: null }])).length > 0
    )
      return null;
    await requests.take([
      { ref, group, facts, answersAfter },
      ...(facts.fault === null ? [{ ref: facts.number, group: 'number', facts, answersAfter: 0 }] : []),
    ]);
    return ending === 'LOST' ? null : requests.find(ref);
  }

  async function redFenOf(number: string): Promise<number> {
    const reds = await requests.group(`red:${number}`);
    return reds.reduce((sum, { facts }) => sum + (facts.fault === null ? facts.exTaxFen + facts.taxFen : 0), 0);
  }

  return {
    available: true,
    async issue({ requestNo, sellerTaxNo, lines }) {
      const ref = refOf(sellerTaxNo, requestNo);
      const known = await requests.find(ref);
      if (known) return answerOf(known);
      const sums = sumsOf(lines);
      const isOver = sums.exTaxFen > (await leftOf(sellerTaxNo));
      const isRefused = endingOf(sums) === 'REFUSED';
      const facts: Request = {
        ...sums,
        number: numberOf(ref, dayOf(now())),
        fault: isOver ? 'QUOTA' : isRefused ? 'REFUSED' : null,
        failReason: isOver ? '模拟税务平台：本月发票额度不足' : isRefused ? '模拟税务平台：购买方名称与税号不符' : null,
        waitsForBuyer: false,
      };
      const taken = await take(ref, monthOf(sellerTaxNo), facts, delayOf(endingOf(sums)));
      return taken ? answerOf(taken) : unknownIssue;
    },
    async query(sellerTaxNo, requestNo) {
      const known = await requests.find(refOf(sellerTaxNo, requestNo));
      return known && answerOf(known);
    },
    async red({ redNo, sellerTaxNo, number, exTaxFen, taxFen }) {
      const ref = refOf(sellerTaxNo, redNo);
      const known = await requests.find(ref);
      if (known) return redAnswerOf(known);
      const invoice = (await requests.find(number))?.facts;
      const left = invoice ? invoice.exTaxFen + invoice.taxFen - (await redFenOf(number)) : 0;
      const isOver = exTaxFen + taxFen > left;
      const use = invoice && endingOf(invoice);
      const waitsForBuyer = !isOver && (use === 'BOOKED' || use === 'SILENT_BUYER');
      const facts: Request = {
        exTaxFen,
        taxFen,
        number: numberOf(ref, dayOf(now())),
        fault: isOver ? 'REFUSED' : null,
        failReason: isOver ? '模拟税务平台：原发票不存在，或可红冲金额不足' : null,
        waitsForBuyer,
      };
      const buyer = use === 'BOOKED' ? BUYER_AGREES_MS : null;
      const taken = await take(ref, `red:${number}`, facts, waitsForBuyer ? buyer : delayOf(endingOf(facts)));
      return taken ? redAnswerOf(taken) : unknownIssue;
    },
    async queryRed(sellerTaxNo, redNo) {
      const known = await requests.find(refOf(sellerTaxNo, redNo));
      return known && redAnswerOf(known);
    },
    async verify(printed) {
      const own = await requests.find(printed.number);
      const redFen = await redFenOf(printed.number);
      if (own) {
        const { exTaxFen, taxFen } = own.facts;
        const isBooked = ['BOOKED', 'SILENT_BUYER'].includes(endingOf(own.facts) ?? '');
        const invoice = { ...printed, exTaxFen, taxFen, issuedOn: dayOf(own.takenAt), redFen, use: isBooked ? 'BOOKED' : 'NONE' } as const;
        return { state: 'FOUND', invoice };
      }
      const found = FOUND_IN[printed.number.slice(-2)];
      if (found === 'NEVER') return unknownInvoice;
      if (found === 'NOT_FOUND') return { state: 'NOT_FOUND', invoice: null };
      const exTaxFen = found === 'OTHER_SUM' ? printed.exTaxFen - 1 : printed.exTaxFen;
      const isRed = found === 'RED';
      const use = found === 'BOOKED' ? 'BOOKED' : 'NONE';
      return { state: 'FOUND', invoice: { ...printed, exTaxFen, redFen: isRed ? exTaxFen + printed.taxFen : 0, use } };
    },
    async quota(sellerTaxNo) {
      return { totalFen: quotaFen, leftFen: await leftOf(sellerTaxNo) };
    },
  };
}
