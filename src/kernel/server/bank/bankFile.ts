import { createHash } from 'node:crypto';
import type { BankTemplate } from '../../contract/bank.ts';
import { fenOf, yuan } from '../../contract/money.ts';
import { csvCell } from '../documents/csvStream.ts';
import { csvRows, decodeText } from '../importing/readCsv.ts';
import { gb18030 } from './gb18030.ts';
import type { BankPayout } from './port.ts';

interface Column {
  label: string;
  of(payout: BankPayout, lineNo: number): string;
}

interface Template {
  columns: readonly Column[];
  refIn: string;
  amountIn: string;
  /** A last line `合计,笔数,金额`. */
  total: boolean;
}

const amount = ({ amountFen }: BankPayout) => yuan(amountFen);

const templates: Readonly<Record<BankTemplate, Template>> = {
  GENERIC_CSV: {
    columns: [
      { label: '序号', of: (_payout, lineNo) => String(lineNo) },
      { label: '业务参考号', of: ({ ref }) => ref },
      { label: '收款户名', of: ({ payeeName }) => payeeName },
      { label: '收款账号', of: ({ account }) => account },
      { label: '联行号', of: ({ cnapsCode }) => cnapsCode },
      { label: '开户行', of: ({ bankName }) => bankName },
      { label: '金额(元)', of: amount },
      { label: '附言', of: ({ purpose }) => purpose },
    ],
    refIn: '业务参考号',
    amountIn: '金额(元)',
    total: true,
  },
  CMB_AGENCY: {
    columns: [
      { label: '账号', of: ({ account }) => account },
      { label: '户名', of: ({ payeeName }) => payeeName },
      { label: '金额', of: amount },
      { label: '开户行', of: ({ bankName }) => bankName },
      { label: '开户地', of: ({ bankPlace }) => bankPlace },
      { label: '注释', of: ({ ref }) => ref },
    ],
    refIn: '注释',
    amountIn: '金额',
    total: false,
  },
};

const TOTAL = '合计';
const END = '\r\n';
/** As it is: a bank knows no marks of spreadsheets. */
const line = (cells: readonly string[]) => cells.map((text) => csvCell({ text, numeric: true })).join(',') + END;

export interface BankFile {
  bytes: Buffer;
  /** Lower-case hex; a file that is made again of the same payments has the same. */
  sha256: string;
  count: number;
  /** As it was read again from the bytes. */
  totalFen: number;
}

/** What a bank would read of a file: references and sums. @throws Error for anything else than a file of this template */
export function readBankFile(template: BankTemplate, bytes: Buffer): { ref: string; amountFen: number }[] {
  const { columns, refIn, amountIn, total } = templates[template];
  const [header = [], ...rows] = [...csvRows(decodeText(bytes) ?? '')];
  const places = [refIn, amountIn].map((label) => header.indexOf(label));
  if (header.length !== columns.length || places.includes(-1)) throw new Error(`this is no bank file ${template}`);
  const payments = total ? rows.filter(([first]) => first !== TOTAL) : rows;
  return payments.map((cells) => {
    const [ref, sum] = places.map((place) => cells[place] ?? '');
    const amountFen = fenOf(sum ?? '');
    if (!ref || amountFen === null) throw new Error('a line of the bank file names no payment');
    return { ref, amountFen: Number(amountFen) };
  });
}

/**
 * The file that a bank takes payments in: GB18030, CRLF. It is read again before it is given out. It holds accounts in clear: it is made on
 * demand, is stored nowhere, and the call that gives it out is a `revealFile` (reason, right and row of the log are the call's own).
 * @throws Error for a sum that is none, a reference twice, or a file that does not say what it was made of
 */
export function bankFile(template: BankTemplate, payouts: readonly BankPayout[]): BankFile {
  const wrong = payouts.find(({ amountFen }) => !Number.isSafeInteger(amountFen) || amountFen <= 0);
  if (wrong) throw new Error(`the payment ${wrong.ref} has no sum`);
  if (new Set(payouts.map(({ ref }) => ref)).size < payouts.length) throw new Error('two payments of a bank file have one reference');
  const { columns, total } = templates[template];
  const totalFen = payouts.reduce((sum, { amountFen }) => sum + amountFen, 0);
  const lines = [
    columns.map(({ label }) => label),
    ...payouts.map((payout, at) =>
      columns.map(({ of }) =>
        of(payout, at + 1)
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
    ),
    ...(total ? [[TOTAL, String(payouts.length), yuan(totalFen)]] : []),
  ];
  const bytes = gb18030(lines.map(line).join(''));
  const listed = (rows: readonly { ref: string; amountFen: number }[]) => rows.map(({ ref, amountFen }) => `${ref}=${amountFen}`).join();
  if (listed(readBankFile(template, bytes)) !== listed(payouts)) throw new Error('the bank file does not say what it was made of');
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), count: payouts.length, totalFen };
}
