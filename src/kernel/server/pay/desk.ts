import type { Instant } from '../../contract/time.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../context.ts';
import type { Secrets } from '../sensitive/secrets.ts';
import { alipay } from './alipay.ts';
import { PayError, type PayChannel, type PayChannelCode, type PayNotice, type PayOrder } from './port.ts';
import { simulatedPay, type Simulator } from './simulator.ts';
import { wechatPay } from './wechat.ts';

/** What a payer finds behind his link. */
type Opened =
  | { state: 'OPEN'; channel: PayChannelCode; order: Omit<PayOrder, 'notifyUrl' | 'returnUrl'> }
  | { state: 'PAID' | 'OVER'; subject: string };

/** A domain that takes payments; named by how its payment numbers begin. */
export interface Payee {
  prefix: string;
  /** Reads what is to be paid, at the moment the payer arrives; null: no such payment. */
  open(tradeNo: string): Promise<Opened | null>;
  /** Takes in a proven payment, as often as it is reported. */
  paid(channel: PayChannelCode, notice: PayNotice): Promise<void>;
}

export interface PayDesk {
  /** @throws PayError for a channel that this installation does not have. */
  channel(code: PayChannelCode): PayChannel;
  /** Channels that can be paid through, the preferred one first. */
  available: readonly PayChannelCode[];
  /** Stand-in of a channel; null where the real one is configured. */
  simulator(code: PayChannelCode): Simulator | null;
  /** Address under which the payer pays: the own page, which leads on to the channel. */
  linkOf(tradeNo: string): string;
  /** The payment number of a link's last part; null when it was not made here. */
  tradeNoOf(proof: string): string | null;
  noticeUrlOf(code: PayChannelCode): string;
}

const CODES: readonly PayChannelCode[] = ['WECHAT', 'ALIPAY'];
const PURPOSE = 'pay.link';
const PROOF_LENGTH = 24;

/** Real channels where they are configured; simulated ones elsewhere, but never in production. */
export function makePayDesk(parts: {
  config: Pick<Config, 'mode' | 'pay' | 'publicOrigin' | 'port'>;
  db: Db;
  secrets: Secrets;
  now(): Instant;
}): PayDesk {
  const { config, secrets } = parts;
  const clock = () => Date.parse(parts.now());
  const real = new Map<PayChannelCode, PayChannel>();
  if (config.pay.wechat) real.set('WECHAT', wechatPay(config.pay.wechat, clock));
  if (config.pay.alipay) real.set('ALIPAY', alipay(config.pay.alipay, clock));
  const simulated = new Map<PayChannelCode, Simulator>();
  if (config.mode !== 'production') for (const code of CODES) if (!real.has(code)) simulated.set(code, simulatedPay(code, parts));
  const origin = () => config.publicOrigin ?? `http://localhost:${config.port}`;
  const proofOf = (tradeNo: string) => secrets.sign(PURPOSE, tradeNo).slice(0, PROOF_LENGTH);
  return {
    available: [...CODES.filter((code) => real.has(code)), ...CODES.filter((code) => simulated.has(code))],
    channel(code) {
      const channel = real.get(code) ?? simulated.get(code);
      if (!channel) throw new PayError(`the pay channel ${code} is not configured`);
      return channel;
    },
    simulator: (code) => simulated.get(code) ?? null,
    linkOf: (tradeNo) => `${origin()}/pay/${tradeNo}.${proofOf(tradeNo)}`,
    tradeNoOf(proof) {
      const [tradeNo = '', sign = ''] = proof.split('.');
      return tradeNo !== '' && sign === proofOf(tradeNo) ? tradeNo : null;
    },
    noticeUrlOf: (code) => `${origin()}/pay/notice/${code.toLowerCase()}`,
  };
}
