import type { Instant } from '../../contract/time.ts';

export type PayChannelCode = 'WECHAT' | 'ALIPAY';

/** What a payer is asked for. Amounts are integer fen. */
export interface PayOrder {
  /** Our number of the payment (`out_trade_no`), unique for ever. */
  tradeNo: string;
  amountFen: number;
  /** What is bought, as the payer reads it. */
  subject: string;
  expireAt: Instant;
  notifyUrl: string;
  returnUrl: string;
}

/** UNKNOWN: the channel did not answer, or says itself that it does not know yet; it is asked again, never guessed. */
export interface Trade {
  state: 'WAITING' | 'PAID' | 'FAILED' | 'CLOSED' | 'UNKNOWN';
  channelTradeNo: string | null;
  amountFen: number | null;
  paidAt: Instant | null;
}

interface RefundOrder {
  tradeNo: string;
  /** Our number of the refund; the same number again is the same refund. */
  refundNo: string;
  amountFen: number;
  /** Of the whole payment. */
  totalFen: number;
  reason: string;
}

export interface RefundAnswer {
  state: 'SUCCESS' | 'FAILED' | 'UNKNOWN';
  channelRefundNo: string | null;
  failReason: string | null;
}

/** A payment that the channel reports of its own accord, signature proven. */
export interface PayNotice {
  tradeNo: string;
  channelTradeNo: string;
  amountFen: number;
  paidAt: Instant;
}

export interface RawNotice {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** Wrong configuration, refused requests and forged messages; the text is for the log. */
export class PayError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PayError';
  }
}

/** One pay channel; the simulator and the real ones behave alike. */
export interface PayChannel {
  code: PayChannelCode;
  /**
   * Where the payer pays: a page to go to, or text to be shown as a code and read by the payer's phone.
   * @throws PayError when the channel refuses or cannot be reached.
   */
  create(order: PayOrder): Promise<{ kind: 'PAGE' | 'CODE'; address: string }>;
  query(tradeNo: string): Promise<Trade>;
  /** Nobody can pay any more; nothing happens where it is closed already. @throws PayError */
  close(tradeNo: string): Promise<void>;
  refund(order: RefundOrder): Promise<RefundAnswer>;
  /** Null: the channel has never seen this refund. */
  queryRefund(tradeNo: string, refundNo: string): Promise<RefundAnswer | null>;
  /**
   * Proves a notice and reads it; null: genuine, but about something else than a finished payment.
   * @throws PayError when the signature is wrong.
   */
  readNotice(notice: RawNotice): PayNotice | null;
  /** What the channel wants to hear when a notice was taken in. */
  thanks: { contentType: string; body: string };
}

export const unknownTrade: Trade = { state: 'UNKNOWN', channelTradeNo: null, amountFen: null, paidAt: null };
export const unknownRefund: RefundAnswer = { state: 'UNKNOWN', channelRefundNo: null, failReason: null };
