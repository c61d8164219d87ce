import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { yuan } from '#kernel/contract/money.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Tx } from '#kernel/server/context.ts';
import { known } from '#kernel/server/money/inquiry.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contractPaySucceeded } from '#events/enrolment.ts';
import { contractPayMachine } from '../../contract/contractStates.ts';
import { payPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { contractRecords, payRecords, type ContractRecord, type PayRecord } from './access.ts';
import { beginsWith } from './begin.ts';
import { writeContract } from './move.ts';
import { refundLate } from './refunds.ts';

/** So long a contract waits for its fee. */
const PAY_TTL_HOURS = 72;

type PayAction = keyof typeof contractPayMachine.transitions;
type PayChange = Partial<Omit<PayRecord, 'id' | 'version' | 'state' | 'contractId'>>;

/** Takes a transition of a locked payment. */
export async function movePay(
  ctx: Acting,
  pay: PayRecord,
  action: PayAction,
  change: PayChange = {},
  opinion?: string,
): Promise<PayRecord> {
  const state = await moveState(ctx, contractPayMachine, {
    targetType: payRecords.type,
    targetId: pay.id,
    targetNo: pay.payNo,
    action,
    from: pay.state,
    opinion,
    contributors: [pay.makerId],
  });
  return notePay(ctx, pay, { ...change, state });
}

export const notePay = (ctx: Acting, pay: PayRecord, change: PayChange & { state?: PayRecord['state'] }): Promise<PayRecord> =>
  own(ctx.tx)
    .updateTable('enrolmentContractPay')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', pay.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Contract first, then payment: everybody locks in this order. Null: no such payment. */
export async function lockPay(
  tx: Tx,
  by: { payNo: string } | { id: string },
): Promise<{ contract: ContractRecord; pay: PayRecord } | null> {
  const rows = own(tx).selectFrom('enrolmentContractPay').select(['id', 'contractId']);
  const found = await ('id' in by ? rows.where('id', '=', by.id) : rows.where('payNo', '=', by.payNo)).executeTakeFirst();
  if (!found) return null;
  const contract = await contractRecords.lock(tx, contractRecords.everyone, found.contractId);
  return { contract, pay: await payRecords.lock(tx, payRecords.everyone, found.id) };
}

/** What is due for a contract that was signed. */
export async function openPay(kernel: Pick<Kernel, 'pay'>, ctx: Acting, contract: ContractRecord): Promise<PayRecord> {
  return own(ctx.tx)
    .insertInto('enrolmentContractPay')
    .values({
      payNo: await nextNumber(ctx.tx, 'QY', ctx.today),
      contractId: contract.id,
      dueOn: ctx.today,
      amountFen: contract.feeFen,
      channel: kernel.pay.available[0] ?? 'OFFLINE',
      payerName: contract.insuredName,
      expireAt: plusMs(ctx.now, hours(PAY_TTL_HOURS)),
      createdAt: ctx.now,
      ...updatedColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface Received {
  channel: PayRecord['channel'];
  channelTradeNo: string;
  amountFen: number;
  paidAt: Instant;
}
type Outcome = 'PAID' | 'LATE' | 'TWICE' | 'AMOUNT' | 'REPEATED';

/** The fee of a contract is paid: it begins, or waits for its first day. */
async function settle(ctx: Acting, contract: ContractRecord, pay: PayRecord, received: Received): Promise<void> {
  const others = await own(ctx.tx)
    .selectFrom('enrolmentContractPay')
    .selectAll()
    .where('contractId', '=', contract.id)
    .where('id', '<>', pay.id)
    .where('state', '=', 'INIT')
    .forUpdate()
    .execute();
  for (const other of others) await movePay(ctx, other, 'close');
  const { channel, channelTradeNo, paidAt } = received;
  const paid =
    pay.state === 'CHECKING' ? pay : await movePay(ctx, pay, 'succeed', { channel, channelTradeNo, paidAt, flag: null, ...known });
  const paidFen = String(BigInt(contract.paidFen) + BigInt(pay.amountFen));
  if (contract.state === 'WAIT_PAY') await beginsWith(ctx, contract, { wait: 'paid', start: 'paidStarted' }, { paidFen });
  else await writeContract(ctx, contract, { paidFen });
  await publishPaid(ctx, contract, { ...paid, channel, paidAt });
}

const publishPaid = (ctx: Acting, contract: ContractRecord, pay: PayRecord): Promise<void> =>
  ctx.publish(contractPaySucceeded, pay.id, {
    payNo: pay.payNo,
    contractId: contract.id,
    contractNo: contract.contractNo,
    patientId: contract.patientId,
    payerName: pay.payerName,
    amount: Number(pay.amountFen),
    channel: pay.channel,
    at: pay.paidAt ?? ctx.now,
  });

/** The second person looked at the money that somebody entered by hand. */
export async function settleByHand(ctx: Acting, contract: ContractRecord, pay: PayRecord, opinion: string): Promise<PayRecord> {
  const checker = ctx.staffOrNull;
  const moved = await movePay(
    ctx,
    pay,
    'approve',
    { ...known, checkerId: checker?.userId ?? null, checkerName: checker?.displayName ?? null },
    opinion,
  );
  const received = {
    channel: pay.channel,
    channelTradeNo: pay.channelTradeNo ?? '',
    amountFen: Number(pay.amountFen),
    paidAt: pay.paidAt ?? ctx.now,
  };
  await settle(ctx, contract, { ...moved, state: 'CHECKING' }, received);
  await noteReceived(ctx, contract, pay.payNo, received, 'HAND', 'PAID');
  return moved;
}

async function judge(ctx: Acting, contract: ContractRecord, pay: PayRecord, received: Received): Promise<Outcome> {
  const { channel, channelTradeNo, amountFen, paidAt } = received;
  if (pay.channelTradeNo === channelTradeNo && pay.channel === channel && pay.state === 'SUCCESS') return 'REPEATED';
  if (pay.state === 'SUCCESS' || pay.state === 'CHECKING') return 'TWICE';
  if (BigInt(amountFen) !== BigInt(pay.amountFen)) {
    await notePay(ctx, pay, { flag: 'AMOUNT' });
    return 'AMOUNT';
  }
  if (contract.state !== 'WAIT_PAY' || pay.state === 'CLOSED') {
    if (pay.state !== 'CLOSED') await movePay(ctx, pay, 'close');
    const late = await movePay(ctx, { ...pay, state: 'CLOSED' }, 'late', { channel, channelTradeNo, paidAt, flag: 'LATE', ...known });
    const held = await writeContract(ctx, contract, { paidFen: String(BigInt(contract.paidFen) + BigInt(pay.amountFen)) });
    await refundLate(ctx, held, late);
    return 'LATE';
  }
  const rival = await own(ctx.tx)
    .selectFrom('enrolmentContractPay')
    .select('id')
    .where('contractId', '=', contract.id)
    .where('id', '<>', pay.id)
    .where('state', 'in', ['PENDING', 'UNKNOWN', 'CHECKING'])
    .executeTakeFirst();
  if (rival) return 'TWICE';
  await settle(ctx, contract, pay, received);
  return 'PAID';
}

/** Once for each trade and outcome. @returns whether it was not known yet */
async function noteReceived(
  ctx: Acting,
  contract: ContractRecord | null,
  payNo: string,
  { channel, channelTradeNo, amountFen, paidAt }: Received,
  source: 'NOTICE' | 'QUERY' | 'HAND',
  outcome: Exclude<Outcome, 'REPEATED'>,
): Promise<boolean> {
  const fresh = await own(ctx.tx)
    .insertInto('enrolmentPayNotice')
    .values({
      contractId: contract?.id ?? null,
      payNo,
      channel,
      channelTradeNo,
      amountFen: String(amountFen),
      paidAt,
      source,
      outcome,
      at: ctx.now,
    })
    .onConflict((conflict) => conflict.columns(['channel', 'channelTradeNo', 'outcome']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return fresh !== undefined;
}

const ALERTS: Partial<Record<Outcome, string>> = {
  AMOUNT: '签约支付金额与应付金额不一致，未计入',
  TWICE: '同一合同收到另一笔支付，请联系支付渠道退回',
  LATE: '合同关闭后收到支付，已自动发起全额退款',
};

/** Takes in what a channel says was paid, as often as it says so: a trade counts once, a wrong sum never. */
export async function takePayment(
  kernel: Pick<Kernel, 'ports'>,
  ctx: Acting,
  payNo: string,
  received: Received,
  source: 'NOTICE' | 'QUERY',
): Promise<Outcome | 'UNKNOWN_PAY'> {
  const locked = await lockPay(ctx.tx, { payNo });
  if (!locked) return 'UNKNOWN_PAY';
  const { contract, pay } = locked;
  const outcome = await judge(ctx, contract, pay, received);
  if (outcome === 'REPEATED') return outcome;
  const isFresh = await noteReceived(ctx, contract, payNo, received, source, outcome);
  const title = ALERTS[outcome];
  if (isFresh && title)
    await kernel.ports.notices.addAlert(
      ctx.tx,
      {
        businessKey: `enrolment.pay.${received.channel}.${received.channelTradeNo}`,
        title,
        body: `合同${contract.contractNo}，支付单${payNo}，渠道交易号${received.channelTradeNo}，到账${yuan(received.amountFen)}元`,
        link: `/signContractPayDetail?contractId=${contract.id}`,
        permission: payPermissions['pay.refundAudit'].code,
      },
      ctx.now,
    );
  if (pay.unknownSince !== null) await kernel.ports.notices.closeTodo(ctx.tx, lateKey(pay.id), ctx.now);
  return outcome;
}

/** The to-do of a payment whose outcome is open for a day. */
export const lateKey = (payId: string) => `enrolment.contractPay.unknown.${payId}`;

/** Closes what nobody has begun to pay; the caller has locked the contract. */
export async function closeInit(ctx: Acting, contractId: string): Promise<void> {
  const rows = await own(ctx.tx)
    .selectFrom('enrolmentContractPay')
    .selectAll()
    .where('contractId', '=', contractId)
    .where('state', '=', 'INIT')
    .forUpdate()
    .execute();
  for (const row of rows) await movePay(ctx, row, 'close');
}
