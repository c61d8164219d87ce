import { createDecipheriv, randomBytes } from 'node:crypto';
import { instantOf } from '../../contract/time.ts';
import { isSigned, privateKeyOf, publicKeyOf, signText } from './rsa.ts';
import {
  PayError,
  unknownRefund,
  unknownTrade,
  type PayChannel,
  type PayNotice,
  type RawNotice,
  type RefundAnswer,
  type Trade,
} from './port.ts';

export interface WechatPayConfig {
  mchId: string;
  appId: string;
  serialNo: string;
  privateKey: string;
  /** 32 characters. */
  apiV3Key: string;
  /** Public key of WeChat Pay itself, with its id (`PUB_KEY_ID_…` or the serial number of a platform certificate). */
  publicKeyId: string;
  publicKey: string;
}

const HOST = 'https://api.mch.weixin.qq.com';
const TIMEOUT_MS = 10_000;
/** Older notices are taken for replayed ones, as WeChat Pay advises. */
const NOTICE_SKEW_MS = 300_000;
/** Refusals after which the outcome is open: asked again. */
const OPEN_CODES = new Set(['SYSTEM_ERROR', 'FREQUENCY_LIMITED', 'FREQUENCY_LIMIT_EXCEED', 'BANK_ERROR']);

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type Json = Record<string, unknown>;

/** Text that a request signs (V3 签名). */
export const requestText = (method: string, pathAndQuery: string, timestamp: string, nonce: string, body: string): string =>
  `${[method, pathAndQuery, timestamp, nonce, body].join('\n')}\n`;
/** Text that an answer or a notice is signed over. */
export const answerText = (timestamp: string, nonce: string, body: string): string => `${[timestamp, nonce, body].join('\n')}\n`;

/** AEAD_AES_256_GCM; the tag follows the cipher text. */
export function openResource(apiV3Key: string, resource: { ciphertext: string; nonce: string; associated_data?: string }): string {
  const bytes = Buffer.from(resource.ciphertext, 'base64');
  const decipher = createDecipheriv(apiV3Key.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm', apiV3Key, resource.nonce);
  decipher.setAAD(Buffer.from(resource.associated_data ?? ''));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
}

const STATES: Record<string, Trade['state']> = {
  SUCCESS: 'PAID',
  REFUND: 'PAID',
  NOTPAY: 'WAITING',
  USERPAYING: 'WAITING',
  PAYERROR: 'FAILED',
  CLOSED: 'CLOSED',
  REVOKED: 'CLOSED',
};

const tradeOf = (answer: Json): Trade => {
  const state = STATES[String(answer['trade_state'])] ?? 'UNKNOWN';
  const amount = answer['amount'] as { total?: number } | undefined;
  return {
    state,
    channelTradeNo: typeof answer['transaction_id'] === 'string' ? answer['transaction_id'] : null,
    amountFen: amount?.total ?? null,
    paidAt: typeof answer['success_time'] === 'string' ? instantOf(Date.parse(answer['success_time'])) : null,
  };
};

const refundOf = (answer: Json): RefundAnswer => {
  const status = String(answer['status']);
  const state = status === 'SUCCESS' ? 'SUCCESS' : status === 'CLOSED' || status === 'ABNORMAL' ? 'FAILED' : 'UNKNOWN';
  return {
    state,
    channelRefundNo: typeof answer['refund_id'] === 'string' ? answer['refund_id'] : null,
    failReason: state === 'FAILED' ? `微信支付退款状态：${status}` : null,
  };
};

const header = (notice: RawNotice, name: string): string => {
  const value = notice.headers[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
};

/** WeChat Pay, API v3 (https://pay.weixin.qq.com/doc/v3/merchant/4012365342), Native payment. */
export function wechatPay(config: WechatPayConfig, now: () => number, request: Fetch = fetch): PayChannel {
  const privateKey = privateKeyOf(config.privateKey);
  const publicKey = publicKeyOf(config.publicKey);

  function requireSigned(serial: string, text: string, signature: string): void {
    if (serial !== config.publicKeyId) throw new PayError(`unknown key ${serial} of WeChat Pay`);
    if (!isSigned(publicKey, text, signature)) throw new PayError('wrong signature of WeChat Pay');
  }

  async function exchange(method: 'GET' | 'POST', path: string, content: Json | null): Promise<{ status: number; answer: Json }> {
    const body = content === null ? '' : JSON.stringify(content);
    const timestamp = String(Math.floor(now() / 1000));
    const nonce = randomBytes(16).toString('hex').toUpperCase();
    const signature = signText(privateKey, requestText(method, path, timestamp, nonce, body));
    const response = await request(`${HOST}${path}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(content === null ? {} : { body }),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'wechatpay-serial': config.publicKeyId,
        authorization: `WECHATPAY2-SHA256-RSA2048 mchid="${config.mchId}",nonce_str="${nonce}",signature="${signature}",timestamp="${timestamp}",serial_no="${config.serialNo}"`,
      },
    });
    const text = await response.text();
    if (response.status < 300) {
      const of = (name: string) => response.headers.get(name) ?? '';
      requireSigned(of('wechatpay-serial'), answerText(of('wechatpay-timestamp'), of('wechatpay-nonce'), text), of('wechatpay-signature'));
    }
    return { status: response.status, answer: text === '' ? {} : (JSON.parse(text) as Json) };
  }

  const failure = ({ status, answer }: { status: number; answer: Json }) =>
    new PayError(`WeChat Pay answered ${status} ${String(answer['code'])}: ${String(answer['message'])}`);
  const trade = (no: string) => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(no)}`;

  return {
    code: 'WECHAT',
    async create(order) {
      const done = await exchange('POST', '/v3/pay/transactions/native', {
        appid: config.appId,
        mchid: config.mchId,
        description: order.subject,
        out_trade_no: order.tradeNo,
        time_expire: `${order.expireAt.slice(0, 19)}+00:00`,
        notify_url: order.notifyUrl,
        amount: { total: order.amountFen, currency: 'CNY' },
      });
      if (done.status !== 200) throw failure(done);
      return { kind: 'CODE', address: String(done.answer['code_url']) };
    },
    async query(tradeNo) {
      try {
        const done = await exchange('GET', `${trade(tradeNo)}?mchid=${config.mchId}`, null);
        if (done.status === 200) return tradeOf(done.answer);
        return done.status === 404 ? { ...unknownTrade, state: 'WAITING' } : unknownTrade;
      } catch {
        return unknownTrade;
      }
    },
    async close(tradeNo) {
      const done = await exchange('POST', `${trade(tradeNo)}/close`, { mchid: config.mchId });
      if (done.status >= 300 && done.status !== 404 && done.answer['code'] !== 'ORDER_CLOSED') throw failure(done);
    },
    async refund(order) {
      try {
        const done = await exchange('POST', '/v3/refund/domestic/refunds', {
          out_trade_no: order.tradeNo,
          out_refund_no: order.refundNo,
          reason: order.reason.slice(0, 26),
          amount: { refund: order.amountFen, total: order.totalFen, currency: 'CNY' },
        });
        if (done.status === 200) return refundOf(done.answer);
        if (done.status >= 500 || OPEN_CODES.has(String(done.answer['code']))) return unknownRefund;
        return { state: 'FAILED', channelRefundNo: null, failReason: String(done.answer['message'] ?? done.answer['code']) };
      } catch {
        return unknownRefund;
      }
    },
    async queryRefund(_tradeNo, refundNo) {
      try {
        const done = await exchange('GET', `/v3/refund/domestic/refunds/${encodeURIComponent(refundNo)}`, null);
        if (done.status === 200) return refundOf(done.answer);
        return done.status === 404 ? null : unknownRefund;
      } catch {
        return unknownRefund;
      }
    },
    readNotice(notice): PayNotice | null {
      const timestamp = header(notice, 'wechatpay-timestamp');
      if (!(Math.abs(now() - Number(timestamp) * 1000) <= NOTICE_SKEW_MS)) throw new PayError('a notice of WeChat Pay is too old');
      requireSigned(
        header(notice, 'wechatpay-serial'),
        answerText(timestamp, header(notice, 'wechatpay-nonce'), notice.body),
        header(notice, 'wechatpay-signature'),
      );
      const envelope = JSON.parse(notice.body) as { event_type: string; resource: Parameters<typeof openResource>[1] };
      if (envelope.event_type !== 'TRANSACTION.SUCCESS') return null;
      const content = JSON.parse(openResource(config.apiV3Key, envelope.resource)) as Json;
      const found = tradeOf(content);
      if (
        content['mchid'] !== config.mchId ||
        found.state !== 'PAID' ||
        found.channelTradeNo === null ||
        found.amountFen === null ||
        found.paidAt === null
      )
        throw new PayError('a notice of WeChat Pay is not ours or not whole');
      return {
        tradeNo: String(content['out_trade_no']),
        channelTradeNo: found.channelTradeNo,
        amountFen: found.amountFen,
        paidAt: found.paidAt,
      };
    },
    thanks: { contentType: 'application/json', body: '{"code":"SUCCESS","message":"成功"}' },
  };
}
