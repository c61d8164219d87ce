import { fenOf, yuan } from '../../contract/money.ts';
import { instantOf, showInstant } from '../../contract/time.ts';
import { PayError, unknownRefund, unknownTrade, type PayChannel, type Trade } from './port.ts';
import { isSigned, privateKeyOf, publicKeyOf, signText } from './rsa.ts';

export interface AlipayConfig {
  appId: string;
  privateKey: string;
  /** Alipay's own key. */
  publicKey: string;
}

const GATEWAY = 'https://openapi.alipay.com/gateway.do';
const TIMEOUT_MS = 10_000;
const STATES: Record<string, Trade['state']> = {
  TRADE_SUCCESS: 'PAID',
  TRADE_FINISHED: 'PAID',
  WAIT_BUYER_PAY: 'WAITING',
  TRADE_CLOSED: 'CLOSED',
};

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type Texts = Readonly<Record<string, string>>;

/** Text that parameters are signed over: `a=1&b=2` in the order of their names, without empty ones and `except`. */
export const signedParameters = (values: Texts, except: readonly string[]): string =>
  Object.keys(values)
    .filter((name) => !except.includes(name) && values[name] !== '')
    .toSorted()
    .map((name) => `${name}=${values[name]}`)
    .join('&');

/** The part of the answer that its signature covers: the value of `{method}_response`, byte for byte as it came. */
export function signedAnswer(text: string, name: string): string {
  const from = text.indexOf('{', text.indexOf(`"${name}"`));
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted && sign === '\\') at += 1;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && sign === '{') depth += 1;
    else if (!quoted && sign === '}' && (depth -= 1) === 0) return text.slice(from, at + 1);
  }
  return '';
}

/** `2026-11-21 10:00:00` of Beijing. */
const shanghai = (text: string | undefined): string | null => (text ? instantOf(Date.parse(`${text.replace(' ', 'T')}+08:00`)) : null);
const amountOf = (text: string | undefined): number | null => {
  const fen = text === undefined ? null : fenOf(text);
  return fen === null ? null : Number(fen);
};

/** Alipay (https://opendocs.alipay.com/open), payment on the phone's web page, signatures RSA2. */
export function alipay(config: AlipayConfig, now: () => number, request: Fetch = fetch): PayChannel {
  const privateKey = privateKeyOf(config.privateKey);
  const publicKey = publicKeyOf(config.publicKey);

  function signed(method: string, content: object, more: Texts = {}): URLSearchParams {
    const values: Texts = {
      app_id: config.appId,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: showInstant(instantOf(now())),
      version: '1.0',
      ...more,
      biz_content: JSON.stringify(content),
    };
    return new URLSearchParams({ ...values, sign: signText(privateKey, signedParameters(values, ['sign'])) });
  }

  async function exchange(method: string, content: object): Promise<Texts> {
    const response = await request(GATEWAY, { method: 'POST', body: signed(method, content), signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    const name = `${method.replaceAll('.', '_')}_response`;
    const answer = JSON.parse(text) as Record<string, unknown> & { sign?: string };
    if (!isSigned(publicKey, signedAnswer(text, name), answer.sign ?? '')) throw new PayError('wrong signature of Alipay');
    return answer[name] as Texts;
  }

  const isOpen = (answer: Texts) => answer['code'] === '20000' || (answer['sub_code'] ?? '').endsWith('SYSTEM_ERROR');

  return {
    code: 'ALIPAY',
    async create(order) {
      const content = {
        out_trade_no: order.tradeNo,
        total_amount: yuan(order.amountFen),
        subject: order.subject,
        product_code: 'QUICK_WAP_WAY',
        time_expire: showInstant(order.expireAt),
        quit_url: order.returnUrl,
      };
      return {
        kind: 'PAGE',
        address: `${GATEWAY}?${signed('alipay.trade.wap.pay', content, { notify_url: order.notifyUrl, return_url: order.returnUrl }).toString()}`,
      };
    },
    async query(tradeNo) {
      try {
        const answer = await exchange('alipay.trade.query', { out_trade_no: tradeNo });
        if (answer['code'] === '10000') {
          return {
            state: STATES[answer['trade_status'] ?? ''] ?? 'UNKNOWN',
            channelTradeNo: answer['trade_no'] ?? null,
            amountFen: amountOf(answer['total_amount']),
            paidAt: shanghai(answer['send_pay_date']),
          };
        }
        // A trade exists at Alipay only once the payer has begun.
        return answer['sub_code'] === 'ACQ.TRADE_NOT_EXIST' ? { ...unknownTrade, state: 'WAITING' } : unknownTrade;
      } catch {
        return unknownTrade;
      }
    },
    async close(tradeNo) {
      const answer = await exchange('alipay.trade.close', { out_trade_no: tradeNo });
      const gone = ['ACQ.TRADE_NOT_EXIST', 'ACQ.TRADE_STATUS_ERROR'].includes(answer['sub_code'] ?? '');
      if (answer['code'] !== '10000' && !gone) throw new PayError(`Alipay answered ${answer['sub_code']}: ${answer['sub_msg']}`);
    },
    async refund(order) {
      try {
        const answer = await exchange('alipay.trade.refund', {
          out_trade_no: order.tradeNo,
          out_request_no: order.refundNo,
          refund_amount: yuan(order.amountFen),
          refund_reason: order.reason,
        });
        // Only a change of funds is a refund; without it the query decides.
        if (answer['code'] === '10000')
          return answer['fund_change'] === 'Y' ? { state: 'SUCCESS', channelRefundNo: order.refundNo, failReason: null } : unknownRefund;
        return isOpen(answer)
          ? unknownRefund
          : { state: 'FAILED', channelRefundNo: null, failReason: answer['sub_msg'] ?? answer['msg'] ?? '支付宝拒绝退款' };
      } catch {
        return unknownRefund;
      }
    },
    async queryRefund(tradeNo, refundNo) {
      try {
        const answer = await exchange('alipay.trade.fastpay.refund.query', { out_trade_no: tradeNo, out_request_no: refundNo });
        if (answer['code'] !== '10000') return answer['sub_code'] === 'ACQ.TRADE_NOT_EXIST' ? null : unknownRefund;
        if (answer['refund_status'] === 'REFUND_SUCCESS') return { state: 'SUCCESS', channelRefundNo: refundNo, failReason: null };
        return answer['out_request_no'] === undefined ? null : unknownRefund;
      } catch {
        return unknownRefund;
      }
    },
    readNotice({ body }) {
      const values = Object.fromEntries(new URLSearchParams(body));
      if (!isSigned(publicKey, signedParameters(values, ['sign', 'sign_type']), values['sign'] ?? ''))
        throw new PayError('wrong signature of Alipay');
      if (values['app_id'] !== config.appId) throw new PayError('a notice of Alipay is not ours');
      if (STATES[values['trade_status'] ?? ''] !== 'PAID' || values['refund_fee'] !== undefined) return null;
      const amountFen = amountOf(values['total_amount']);
      const paidAt = shanghai(values['gmt_payment']);
      if (!values['trade_no'] || !values['out_trade_no'] || amountFen === null || paidAt === null)
        throw new PayError('a notice of Alipay is not whole');
      return { tradeNo: values['out_trade_no'], channelTradeNo: values['trade_no'], amountFen, paidAt };
    },
    thanks: { contentType: 'text/plain', body: 'success' },
  };
}
