import { sql } from 'kysely';
import { minutes, plusMs, type Instant } from '../../contract/time.ts';
import type { Db } from '../context.ts';
import { digitsOf } from '../outside/simulation.ts';
import type { Secrets } from '../sensitive/secrets.ts';
import {
  PayError,
  unknownRefund,
  unknownTrade,
  type PayChannel,
  type PayChannelCode,
  type PayNotice,
  type RefundAnswer,
  type Trade,
} from './port.ts';

/** How a simulated payer's attempt ends. */
export type Outcome = 'SUCCESS' | 'FAILURE' | 'UNKNOWN';

/** Last two digits of the amount in fen that decide an outcome, whatever was pressed. */
const PAY_ENDS_IN: Readonly<Record<number, Outcome>> = { 91: 'FAILURE', 92: 'UNKNOWN' };
/** The same of a refund's amount; an unknown one is found to have succeeded later. */
const REFUND_ENDS_IN: Readonly<Record<number, 'FAILED' | 'UNKNOWN'>> = { 93: 'FAILED', 94: 'UNKNOWN' };
const UNKNOWN_MINUTES = 10;
const SIGNATURE = 'x-simulated-signature';

export interface Simulator extends PayChannel {
  /** Lets the payer act. @returns the notice that the channel would send, or null. */
  act(tradeNo: string, outcome: Outcome): Promise<{ headers: Record<string, string>; body: string } | null>;
}

interface Row {
  amountFen: string;
  state: 'WAITING' | 'PAID' | 'FAILED' | 'CLOSED';
  unknownUntil: Instant | null;
  channelTradeNo: string | null;
  paidAt: Instant | null;
}

const numberOf = (prefix: string, ...parts: string[]) => prefix + digitsOf(parts.join('/'), 28);

/** Stands in for a pay channel that is not configured: keeps its payments in the own database and never moves money. */
export function simulatedPay(code: PayChannelCode, parts: { db: Db; secrets: Secrets; now(): Instant }): Simulator {
  const { db, secrets, now } = parts;
  const purpose = `pay.simulated.${code}`;

  async function rowOf(tradeNo: string): Promise<Row | null> {
    const { rows } = await sql<Row>`
      select amount_fen, state, unknown_until, channel_trade_no, paid_at
        from kernel_pay_simulation
        where channel = ${code} and trade_no = ${tradeNo}`.execute(db);
    return rows[0] ?? null;
  }

  async function refundOf(refundNo: string): Promise<RefundAnswer | null> {
    const { rows } = await sql<{ state: 'SUCCESS' | 'FAILED'; unknownUntil: Instant | null; channelRefundNo: string }>`
      select state, unknown_until, channel_refund_no
        from kernel_pay_simulated_refund
        where channel = ${code} and refund_no = ${refundNo}`.execute(db);
    const row = rows[0];
    if (!row) return null;
    if (row.unknownUntil !== null && row.unknownUntil > now()) return unknownRefund;
    return { state: row.state, channelRefundNo: row.channelRefundNo, failReason: row.state === 'FAILED' ? '模拟支付渠道：账户异常' : null };
  }

  return {
    code,
    async create({ tradeNo, amountFen, subject }) {
      await sql`insert into kernel_pay_simulation (channel, trade_no, amount_fen, subject, state, created_at)
        values (${code}, ${tradeNo}, ${amountFen}, ${subject}, 'WAITING', ${now()}) on conflict do nothing`.execute(db);
      return { kind: 'PAGE', address: '' };
    },
    async query(tradeNo): Promise<Trade> {
      const row = await rowOf(tradeNo);
      if (!row) return { ...unknownTrade, state: 'WAITING' };
      if (row.unknownUntil !== null && row.unknownUntil > now()) return unknownTrade;
      return { state: row.state, channelTradeNo: row.channelTradeNo, amountFen: Number(row.amountFen), paidAt: row.paidAt };
    },
    close: async (tradeNo) =>
      void (await sql`
        update kernel_pay_simulation
          set state = 'CLOSED'
          where channel = ${code} and trade_no = ${tradeNo} and state in ('WAITING', 'FAILED')`.execute(db)),
    async refund({ tradeNo, refundNo, amountFen }) {
      const ends = REFUND_ENDS_IN[amountFen % 100];
      const { rows } = await sql`
        insert into kernel_pay_simulated_refund (
          channel, refund_no, trade_no, amount_fen, state, unknown_until, channel_refund_no, created_at
        )
        select channel, ${refundNo}, trade_no, ${amountFen}, ${ends === 'FAILED' ? 'FAILED' : 'SUCCESS'},
          ${ends === 'UNKNOWN' ? plusMs(now(), minutes(UNKNOWN_MINUTES)) : null}::timestamptz, ${numberOf('5', code, refundNo)}, ${now()}
        from kernel_pay_simulation p where p.channel = ${code} and p.trade_no = ${tradeNo} and p.state = 'PAID'
          and p.amount_fen >= ${amountFen} + coalesce((
            select sum(r.amount_fen)
              from kernel_pay_simulated_refund r
              where r.channel = p.channel and r.trade_no = p.trade_no and r.state = 'SUCCESS' and r.refund_no <> ${refundNo}
          ), 0)
        on conflict do nothing returning 1`.execute(db);
      const known = await refundOf(refundNo);
      if (rows.length === 0 && known === null)
        return { state: 'FAILED', channelRefundNo: null, failReason: '模拟支付渠道：订单未支付或可退金额不足' };
      return known ?? unknownRefund;
    },
    queryRefund: (_tradeNo, refundNo) => refundOf(refundNo),
    readNotice({ headers, body }): PayNotice {
      if (!secrets.verify(purpose, body, String(headers[SIGNATURE] ?? '')))
        throw new PayError('wrong signature of the simulated pay channel');
      return JSON.parse(body) as PayNotice;
    },
    thanks: { contentType: 'text/plain', body: 'success' },
    async act(tradeNo, wished) {
      const row = await rowOf(tradeNo);
      if (!row || (row.state !== 'WAITING' && row.state !== 'FAILED')) return null;
      const outcome = PAY_ENDS_IN[Number(row.amountFen) % 100] ?? wished;
      if (outcome === 'FAILURE') {
        await sql`
          update kernel_pay_simulation
            set state = 'FAILED'
            where channel = ${code} and trade_no = ${tradeNo} and state = 'WAITING'`.execute(db);
        return null;
      }
      const notice: PayNotice = { tradeNo, channelTradeNo: numberOf('4', code, tradeNo), amountFen: Number(row.amountFen), paidAt: now() };
      await sql`
        update kernel_pay_simulation
          set state = 'PAID', channel_trade_no = ${notice.channelTradeNo}, paid_at = ${notice.paidAt},
            unknown_until = ${outcome === 'UNKNOWN' ? plusMs(notice.paidAt, minutes(UNKNOWN_MINUTES)) : null}::timestamptz
          where channel = ${code} and trade_no = ${tradeNo} and state in ('WAITING', 'FAILED')`.execute(db);
      const body = JSON.stringify(notice);
      return outcome === 'UNKNOWN' ? null : { headers: { [SIGNATURE]: secrets.sign(purpose, body) }, body };
    },
  };
}
