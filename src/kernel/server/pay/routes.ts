import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Kernel } from '../kernel.ts';
import type { Payee } from './desk.ts';
import { codePage, PAY_CSP, sayPage, simulatedPage } from './pages.ts';
import { PayError, type PayChannelCode, type RawNotice } from './port.ts';
import type { Outcome } from './simulator.ts';

const LIMIT = 64 * 1024;
const CHANNELS: Readonly<Record<string, PayChannelCode>> = { wechat: 'WECHAT', alipay: 'ALIPAY' };
const OUTCOMES: readonly Outcome[] = ['SUCCESS', 'FAILURE', 'UNKNOWN'];

const send = (reply: FastifyReply, html: string, status = 200) =>
  reply
    .status(status)
    .header('Cache-Control', 'no-store')
    .header('Referrer-Policy', 'no-referrer')
    .header('Content-Security-Policy', PAY_CSP)
    .type('text/html; charset=utf-8')
    .send(html);

/**
 * The public half of payments: `GET /pay/{number}.{proof}` leads a payer to the channel (or shows the stand-in), `POST
 * /pay/notice/{channel}`
 * takes the channel's notices. No session and no envelope; a notice counts by its signature, a link by its proof.
 */
export function registerPay(app: FastifyInstance, kernel: Kernel, payees: readonly Payee[]): void {
  const payeeOf = (tradeNo: string) => payees.find(({ prefix }) => tradeNo.startsWith(prefix)) ?? null;

  /** @throws PayError for a forged notice. */
  async function receive(code: PayChannelCode, raw: RawNotice): Promise<void> {
    const notice = kernel.pay.channel(code).readNotice(raw);
    if (notice === null) return;
    const payee = payeeOf(notice.tradeNo);
    if (payee) await payee.paid(code, notice);
    else kernel.log.error({ tradeNo: notice.tradeNo, channel: code }, 'a payment arrived that nobody expects');
  }

  const found = async (proof: string) => {
    const tradeNo = kernel.pay.tradeNoOf(proof);
    return tradeNo === null ? null : ((await payeeOf(tradeNo)?.open(tradeNo)) ?? null);
  };

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: LIMIT }, (_request, body, done) => done(null, body));

    scope.get<{ Params: { proof: string } }>('/pay/:proof', async ({ params }, reply) => {
      const opened = await found(params.proof);
      if (opened === null) return send(reply, sayPage('支付链接无效', '请从订单页面重新进入支付'), 404);
      if (opened.state !== 'OPEN') return send(reply, sayPage(opened.state === 'PAID' ? '支付成功' : '订单已关闭', opened.subject));
      const { channel, order } = opened;
      try {
        const { kind, address } = await kernel.pay
          .channel(channel)
          .create({ ...order, notifyUrl: kernel.pay.noticeUrlOf(channel), returnUrl: kernel.pay.linkOf(order.tradeNo) });
        if (kernel.pay.simulator(channel)) return await send(reply, simulatedPage(order));
        return kind === 'CODE'
          ? await send(reply, await codePage(order, address))
          : await reply.status(302).header('Location', address).send();
      } catch (error) {
        kernel.log.error({ error, tradeNo: order.tradeNo }, 'a payment could not be opened');
        return send(reply, sayPage('暂时无法支付', '支付渠道繁忙，请稍后重试'), 503);
      }
    });

    scope.post<{ Params: { proof: string } }>('/pay/:proof', async ({ params, body }, reply) => {
      const opened = await found(params.proof);
      const outcome = OUTCOMES.find((one) => one === new URLSearchParams(String(body)).get('outcome'));
      const simulator = opened?.state === 'OPEN' ? kernel.pay.simulator(opened.channel) : null;
      if (opened?.state !== 'OPEN' || !simulator || !outcome) return send(reply, sayPage('支付链接无效', '请从订单页面重新进入支付'), 404);
      const notice = await simulator.act(opened.order.tradeNo, outcome);
      if (notice) await receive(opened.channel, notice);
      return reply.status(303).header('Location', `/pay/${params.proof}`).send();
    });

    scope.post<{ Params: { channel: string } }>('/pay/notice/:channel', async (request, reply) => {
      const code = CHANNELS[request.params.channel];
      if (!code) return reply.status(404).send('');
      try {
        await receive(code, { headers: request.headers, body: String(request.body) });
        const { contentType, body } = kernel.pay.channel(code).thanks;
        return await reply.type(contentType).send(body);
      } catch (error) {
        if (!(error instanceof PayError)) throw error;
        kernel.log.warn({ error: error.message, channel: code }, 'a payment notice was refused');
        return reply.status(400).send('');
      }
    });
  });
}
