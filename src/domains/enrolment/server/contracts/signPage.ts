import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { countUse } from '#kernel/server/command/rateLimit.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { PAY_CSP, sayPage, simplePage } from '#kernel/server/pay/pages.ts';
import { contractMachine } from '../../contract/contractStates.ts';
import { contractRecords, type ContractRecord } from './access.ts';
import { renderContract } from './document.ts';
import { agreedTerm, openPayOf, signOverLink } from './sign.ts';
import { contractOfToken } from './signLink.ts';
import { channelOf } from './sendRefund.ts';

const LIMIT = 4 * 1024;
const WRONG = { max: 5, seconds: 3_600 };
const TAIL = 6;

const send = (reply: FastifyReply, html: string, status = 200) =>
  reply
    .status(status)
    .header('Cache-Control', 'no-store')
    .header('Referrer-Policy', 'no-referrer')
    .header('Content-Security-Policy', PAY_CSP)
    .type('text/html; charset=utf-8')
    .send(html);

const invalid = () => sayPage('签署链接无效', '请联系您的客服重新获取签署链接');

/** What is agreed, and the form that confirms it. */
function askPage(contract: ContractRecord, token: string, now: string, told: string | null): string {
  const { startDate, endDate, feeFen } = agreedTerm(contract, now);
  const lines = [
    ['合同编号', contract.contractNo],
    ['产品', contract.productName],
    ['被保人', contract.insuredName],
    ['合同期', `${startDate} 至 ${endDate}`],
    ['服务费', feeFen === '0' ? '无' : `${yuan(feeFen, true)}元`],
  ] as const;
  return simplePage({
    title: '签署服务合同',
    lines,
    told,
    link: { address: `/sign/${token}/file`, label: '查看合同全文' },
    form: {
      action: `/sign/${token}`,
      input: { name: 'tail', label: `证件号码后${TAIL}位`, max: TAIL },
      check: { name: 'agree', label: '我已阅读并同意合同全部条款' },
      submit: '确认签署',
    },
  });
}

async function afterwards(kernel: Kernel, contract: ContractRecord): Promise<string> {
  if (contract.state === 'CANCELLED') return sayPage('合同已取消', contract.contractNo);
  const pay = contract.state === 'WAIT_PAY' ? await openPayOf(kernel, contract.id) : undefined;
  if (!pay || channelOf(pay.channel) === null)
    return sayPage('签署完成', `合同${contract.contractNo}，${contractMachine.states[contract.state].label}`);
  return simplePage({
    title: '签署完成',
    lines: [
      ['合同编号', contract.contractNo],
      ['服务费', `${yuan(contract.feeFen, true)}元`],
    ],
    told: null,
    link: { address: kernel.pay.linkOf(pay.payNo), label: '去支付' },
    form: null,
  });
}

/** The public half of signing: `GET /sign/{contract}.{proof}` shows what is agreed, `POST` confirms it by the end of the number. */
export function registerSigning(app: FastifyInstance, kernel: Kernel): void {
  const found = async (token: string): Promise<ContractRecord | null> => {
    const id = contractOfToken(kernel, token);
    return id === null ? null : ((await contractRecords.find(kernel.db, contractRecords.everyone, id)) ?? null);
  };
  const isOver = (contract: ContractRecord, now: string) => contract.signDueAt !== null && contract.signDueAt <= now;

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: LIMIT }, (_request, body, done) => done(null, body));

    scope.get<{ Params: { token: string } }>('/sign/:token', async ({ params }, reply) => {
      const contract = await found(params.token);
      if (!contract) return send(reply, invalid(), 404);
      const now = kernel.clock.now();
      if (contract.state !== 'WAIT_SIGN') return send(reply, await afterwards(kernel, contract));
      if (isOver(contract, now)) return send(reply, sayPage('签署链接已过期', contract.contractNo));
      try {
        return await send(reply, askPage(contract, params.token, now, null));
      } catch (error) {
        if (error instanceof Refusal) return send(reply, sayPage('暂时不能签署', error.message));
        throw error;
      }
    });

    scope.get<{ Params: { token: string } }>('/sign/:token/file', async ({ params }, reply) => {
      const contract = await found(params.token);
      if (contract?.state !== 'WAIT_SIGN') return send(reply, invalid(), 404);
      return reply
        .header('Cache-Control', 'no-store')
        .header('Referrer-Policy', 'no-referrer')
        .type('application/pdf')
        .send(renderContract(contract, null));
    });

    scope.post<{ Params: { token: string } }>('/sign/:token', async ({ params, body, ip }, reply) => {
      const contract = await found(params.token);
      const now = kernel.clock.now();
      if (!contract || isOver(contract, now)) return send(reply, invalid(), 404);
      if (contract.state !== 'WAIT_SIGN') return send(reply, await afterwards(kernel, contract));
      const form = new URLSearchParams(String(body));
      const again = (told: string) => send(reply, askPage(contract, params.token, now, told));
      if (form.get('agree') === null) return again('请先阅读并勾选同意合同条款');
      const tail = (form.get('tail') ?? '').trim().toUpperCase();
      if ((await countUse(kernel.db, `enrolment.sign.${contract.id}`, WRONG, now)) > 0) return again('验证次数过多，请一小时后再试');
      const number = contract.idNoCipher === null ? '' : kernel.secrets.decrypt(contract.idNoCipher);
      if (tail.length !== TAIL || !number.endsWith(tail)) return again('证件号码后六位不正确');
      try {
        const signed = await kernel.transactions.run('sign', (writing) =>
          signOverLink(kernel, asSystem(writing, { now, traceId: 'sign' }), contract.id, ip),
        );
        return await send(reply, await afterwards(kernel, signed));
      } catch (error) {
        if (error instanceof Refusal) return send(reply, sayPage('暂时不能签署', error.message));
        throw error;
      }
    });
  });
}
