import type { Day } from '../../contract/time.ts';

/** Digital invoices (数电票), for which no 专票 or 普票 has paper: a number of twenty digits, no code. */
type InvoiceKind = 'NORMAL' | 'SPECIAL';

interface InvoiceLine {
  /** `*分类简称*名称`. */
  goodsName: string;
  spec: string;
  unit: string;
  quantity: string;
  unitPriceExTax: string;
  /** 19 digits. */
  taxCode: string;
  taxRateBp: number;
  exTaxFen: number;
  taxFen: number;
}

/** An invoice to be issued. A title needs a name, and a tax number where it has one; address, telephone and bank are nobody's duty. */
export interface InvoiceOrder {
  /** Our number of the request, unique for ever; the same number again is the same invoice. */
  requestNo: string;
  kind: InvoiceKind;
  sellerTaxNo: string;
  buyerName: string;
  buyerTaxNo: string | null;
  lines: readonly InvoiceLine[];
  remark: string;
}

/**
 * UNKNOWN: the platform did not answer, or is still at it; the request is asked for, never sent under another number.
 * QUOTA: of this month nothing is left for it.
 */
export interface IssueAnswer {
  state: 'ISSUED' | 'FAILED' | 'UNKNOWN';
  number: string | null;
  issuedOn: Day | null;
  fault: 'QUOTA' | 'REFUSED' | null;
  failReason: string | null;
}

/** A red letter: takes back an invoice or a part of it. Sums are positive. */
interface RedOrder {
  /** Our number; the same number again is the same red letter. */
  redNo: string;
  sellerTaxNo: string;
  /** Of the invoice that is taken back. */
  number: string;
  exTaxFen: number;
  taxFen: number;
  /** 01 开票有误, 02 销货退回, 03 服务中止, 04 销售折让. */
  reasonCode: '01' | '02' | '03' | '04';
}

/** WAIT_BUYER: the buyer used or booked the invoice and has 72 hours to agree; EXPIRED: he did not. */
export interface RedAnswer extends Omit<IssueAnswer, 'state'> {
  state: IssueAnswer['state'] | 'WAIT_BUYER' | 'EXPIRED';
}

/** What is printed on an invoice of somebody. */
export interface PrintedInvoice {
  /** Null on digital ones. */
  code: string | null;
  number: string;
  issuedOn: Day;
  exTaxFen: number;
  taxFen: number;
  sellerName: string;
  sellerTaxNo: string;
  buyerName: string;
  buyerTaxNo: string | null;
  /** The last six digits of the check code, on those that have one. */
  checkCode: string | null;
}

/** What the tax authority has; whoever asks compares it field by field. UNKNOWN: nobody answered, a person looks. */
export interface VerifyAnswer {
  state: 'FOUND' | 'NOT_FOUND' | 'UNKNOWN';
  invoice: (PrintedInvoice & { redFen: number; use: 'NONE' | 'USED' | 'BOOKED' }) | null;
}

export interface TaxPlatform {
  /** Whether anybody can be asked. */
  readonly available: boolean;
  /** @throws NotConnected where no platform is connected */
  issue(order: InvoiceOrder): Promise<IssueAnswer>;
  /** Null: the platform has never seen this request, so it may be sent again as it is. */
  query(sellerTaxNo: string, requestNo: string): Promise<IssueAnswer | null>;
  /** @throws NotConnected */
  red(order: RedOrder): Promise<RedAnswer>;
  /** Null: never seen. */
  queryRed(sellerTaxNo: string, redNo: string): Promise<RedAnswer | null>;
  verify(printed: PrintedInvoice): Promise<VerifyAnswer>;
  /** What a seller may issue in this month, without tax (总额度); null: nobody answered. */
  quota(sellerTaxNo: string): Promise<{ totalFen: number; leftFen: number } | null>;
}

export const unknownIssue: IssueAnswer = { state: 'UNKNOWN', number: null, issuedOn: null, fault: null, failReason: null };
export const unknownInvoice: VerifyAnswer = { state: 'UNKNOWN', invoice: null };

/** Sums of an invoice: those of its lines. */
export const sumsOf = (lines: readonly Pick<InvoiceLine, 'exTaxFen' | 'taxFen'>[]): { exTaxFen: number; taxFen: number } => ({
  exTaxFen: lines.reduce((sum, { exTaxFen }) => sum + exTaxFen, 0),
  taxFen: lines.reduce((sum, { taxFen }) => sum + taxFen, 0),
});
