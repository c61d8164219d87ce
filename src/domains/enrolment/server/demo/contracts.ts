import { sql } from 'kysely';
import { dayOf, plusDays, type Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import { known } from '#kernel/server/money/inquiry.ts';
import { attach } from '#domains/files/server/index.ts';
import { CONTRACT_PAY_PROOF, CONTRACT_SIGN } from '../../contract/contractPurposes.ts';
import { contractRecords, payRecords, refundRecords, type ContractRecord, type PayRecord } from '../contracts/access.ts';
import { decideAmendment, openAmendment, type AmendmentWish } from '../contracts/amend.ts';
import { openByList } from '../contracts/consumers.ts';
import { renderContract } from '../contracts/document.ts';
import { advanceContract } from '../contracts/jobs.ts';
import { moveContract } from '../contracts/move.ts';
import { closeInit, movePay, openPay, settleByHand } from '../contracts/pays.ts';
import { publishCancelled, publishChange } from '../contracts/publish.ts';
import { moveRefund, openRefund, refundSucceeded } from '../contracts/refunds.ts';
import { signContract } from '../contracts/sign.ts';
import { endContract, moveTermination, proposeTermination } from '../contracts/terminate.ts';
import { own } from '../database.ts';
import { setStage, type StaffName, type Stage } from './stage.ts';

/** Who pays for somebody else: a name as long as companies have them. */
const EMPLOYER = '江城经济技术开发区康源生物医药健康管理咨询服务（集团）股份有限公司第一分公司';

/** Contracts of insured lists that the demonstration opens. */
const BY_LIST = 14;

const lock = (stage: Stage, id: string) => contractRecords.lock(stage.tx, contractRecords.everyone, id);

/** A paper of the demonstration, kept with what it is about. */
async function paper(stage: Stage, ctx: Acting, purpose: string, owner: { type: string; id: string }, body: Buffer, by: StaffName) {
  const { userId } = stage.staff[by];
  const file = { purpose, name: '演示资料.pdf', body, contentType: 'application/pdf', createdBy: userId };
  const stored = await stage.kernel.ports.files.store(stage.tx, file, ctx.now);
  const link = { fileIds: [stored.fileId], purpose, ownerType: owner.type, ownerId: owner.id, field: 'demo', userId };
  await attach(stage.tx, link, ctx.now);
  return stored;
}

const storeProof = (stage: Stage, title: string, owner: { type: string; id: string }, ctx: Acting, by: StaffName) =>
  paper(
    stage,
    ctx,
    CONTRACT_PAY_PROOF,
    owner,
    renderPdf({ title, watermark: '演示资料 仅供体验', footer: '演示资料', blocks: [{ kind: 'title', text: title }] }),
    by,
  );

async function sign(stage: Stage, id: string, day: Day): Promise<ContractRecord> {
  const ctx = stage.at(day, 'enrol_s');
  const contract = await lock(stage, id);
  const stored = await paper(stage, ctx, CONTRACT_SIGN, { type: contractRecords.type, id }, renderContract(contract, null), 'enrol_s');
  return signContract(stage.kernel, ctx, contract, { channel: 'PAPER', fileId: stored.fileId, sha256: stored.sha256, signedAt: ctx.now });
}

/** What is due of a contract that was signed. */
async function duePay(stage: Stage, contractId: string): Promise<PayRecord> {
  const { id } = await own(stage.tx)
    .selectFrom('enrolmentContractPay')
    .select('id')
    .where('contractId', '=', contractId)
    .where('state', '=', 'INIT')
    .executeTakeFirstOrThrow();
  return payRecords.lock(stage.tx, payRecords.everyone, id);
}

/** Somebody says that the money came by bank. @param payerName who paid, where it is not the insured person */
async function register(stage: Stage, contractId: string, day: Day, payerName?: string): Promise<PayRecord> {
  const ctx = stage.at(day, 'enrol_s');
  await lock(stage, contractId);
  const row = await duePay(stage, contractId);
  const proof = await storeProof(stage, `收款回单 ${row.payNo}`, { type: payRecords.type, id: row.id }, ctx, 'enrol_s');
  const { userId, displayName } = stage.staff.enrol_s;
  return movePay(ctx, row, 'register', {
    channel: 'BANK',
    channelTradeNo: `HD${row.payNo}`,
    ...(payerName !== undefined && { payerName }),
    paidAt: ctx.now,
    proofFileId: proof.fileId,
    makerId: userId,
    makerName: displayName,
  });
}

async function pay(stage: Stage, contractId: string, day: Day, payerName?: string): Promise<void> {
  const registered = await register(stage, contractId, day, payerName);
  await settleByHand(stage.at(day, 'fin_r'), await lock(stage, contractId), registered, '已核对银行回单');
}

/** A registration that finance did not find in the bank's statement: the fee is due again. */
async function rejectPay(stage: Stage, contractId: string, day: Day): Promise<void> {
  const registered = await register(stage, contractId, day);
  const back = { channel: stage.kernel.pay.available[0] ?? ('OFFLINE' as const), channelTradeNo: null, paidAt: null, proofFileId: null };
  await movePay(stage.at(day, 'fin_r'), registered, 'reject', back, '银行流水中未查到该笔到账，请核对后重新登记');
}

/** The payer's bank refused; he may try again. */
async function failPay(stage: Stage, contractId: string, day: Day): Promise<void> {
  const contract = await lock(stage, contractId);
  const opened = await movePay(stage.byItself(day), await duePay(stage, contractId), 'open', { channel: 'WECHAT' });
  const ctx = stage.byItself(day);
  await movePay(ctx, opened, 'fail', { askedAt: ctx.now, ...known });
  await openPay(stage.kernel, ctx, contract);
}

/** The time to pay is over. */
async function leaveUnpaid(stage: Stage, contractId: string, day: Day): Promise<void> {
  const ctx = stage.byItself(day);
  const contract = await lock(stage, contractId);
  await closeInit(ctx, contractId);
  const moved = await moveContract(ctx, contract, 'cancelBySystem', { cancelReason: 'UNPAID' });
  await publishCancelled(ctx, moved);
}

async function amend(stage: Stage, id: string, day: Day, wish: AmendmentWish, decision: 'approve' | 'reject' | null): Promise<void> {
  const maker = stage.at(day, 'enrol_s');
  const request = { ...wish, reason: '客户来电申请', fileIds: [], maker: stage.staff.enrol_s };
  const row = await openAmendment(stage.kernel, maker, await lock(stage, id), request);
  if (decision === null) return;
  const opinion = decision === 'approve' ? '与申请材料一致' : '账户名与被保人不一致，请核实';
  await decideAmendment(stage.at(day, 'enrol_r'), await lock(stage, id), row, decision, opinion);
}

async function suspend(stage: Stage, id: string, day: Day): Promise<void> {
  const ctx = stage.at(day, 'enrol_s');
  const moved = await moveContract(ctx, await lock(stage, id), 'suspend', { suspendReason: 'RISK' }, { opinion: '处方来源存疑，核实中' });
  await publishChange(ctx, moved, 'suspended', { reason: 'RISK', onDate: ctx.today });
}

async function terminate(stage: Stage, id: string, day: Day, confirmed: boolean): Promise<void> {
  const proposal = { terminatedOn: day, reason: 'REQUEST' as const, note: '本人已转其他保障，申请退出' };
  const row = await proposeTermination(stage.at(day, 'enrol_s'), await lock(stage, id), proposal, stage.staff.enrol_s);
  if (!confirmed) return;
  const second = stage.at(day, 'enrol_r');
  const contract = await lock(stage, id);
  await moveTermination(second, row, contract.contractNo, 'approve', '已与本人核实');
  await endContract(second, contract, row);
}

async function cancel(stage: Stage, id: string, day: Day): Promise<void> {
  const ctx = stage.at(day, 'enrol_s');
  const moved = await moveContract(
    ctx,
    await lock(stage, id),
    'cancel',
    { cancelReason: 'MANUAL', signDueAt: null },
    { opinion: '客户放弃签约' },
  );
  await closeInit(ctx, id);
  await publishCancelled(ctx, moved);
}

/** Part of what was paid goes back; null: it waits for finance. */
async function refund(stage: Stage, contractId: string, day: Day, decision: 'approve' | 'reject' | null): Promise<void> {
  const contract = await lock(stage, contractId);
  const row = await own(stage.tx)
    .selectFrom('enrolmentContractPay')
    .selectAll()
    .where('contractId', '=', contractId)
    .where('state', '=', 'SUCCESS')
    .executeTakeFirst();
  if (!row) return;
  const amountFen = BigInt(row.amountFen) / 4n;
  if (amountFen === 0n) return;
  const calc = { rule: 'FULL' as const, paidFen: row.amountFen, refundedFen: '0', totalDays: 0, usedDays: 0, refundFen: String(amountFen) };
  const maker = stage.staff.enrol_s;
  const asked = await openRefund(stage.at(day, 'enrol_s'), contract, row, { amountFen, calc, reason: '优惠活动补退差价', maker });
  if (decision === null) return;
  const ctx = stage.at(day, 'fin_r');
  const opinion = decision === 'approve' ? '已按原付款账户退回' : '不在优惠活动期内，不予退款';
  const checker = { checkerId: ctx.staff.userId, checkerName: ctx.staff.displayName, opinion };
  const moved = await moveRefund(ctx, asked, decision, checker, opinion);
  if (decision === 'reject') return;
  const proof = await storeProof(stage, `退款回单 ${moved.refundNo}`, { type: refundRecords.type, id: moved.id }, ctx, 'fin_r');
  const paid = { channelRefundNo: `HD${moved.refundNo}`, refundedAt: ctx.now, proofFileId: proof.fileId };
  await refundSucceeded(ctx, { contract, pay: row, refund: moved }, paid);
}

const day = (stage: Stage, ago: number) => plusDays(stage.today, -ago);
const live = new Set(['NOT_STARTED', 'ACTIVE', 'SUSPENDED']);

/** What became of a contract after it was signed, one after another of all that there are. */
async function story(stage: Stage, id: string, n: number): Promise<void> {
  const { state } = await lock(stage, id);
  if (!live.has(state)) return;
  const contact = { type: 'CONTACT' as const, mobile: `138${String(10_000_000 + n * 7919).slice(-8)}` };
  const payee = { type: 'PAYEE' as const, payeeName: '张建国', payeeBank: '招商银行', payeeAccount: `62220202001${String(10_000 + n)}` };
  const { startDate } = await lock(stage, id);
  const from = (made: Day) => (startDate !== null && startDate > made ? startDate : made);
  const effectiveOn = from(stage.today);
  switch (n % 12) {
    case 0:
      return refund(stage, id, day(stage, 2), 'approve');
    case 1:
      return amend(stage, id, day(stage, 3), { ...contact, effectiveOn: from(day(stage, 3)) }, 'approve');
    case 2:
      return refund(stage, id, day(stage, 3), 'reject');
    case 3:
      return state === 'ACTIVE' ? suspend(stage, id, day(stage, 2)) : undefined;
    case 4:
      return amend(stage, id, day(stage, 1), { ...payee, effectiveOn }, null);
    case 6:
      return terminate(stage, id, day(stage, 1), true);
    case 7:
      return terminate(stage, id, day(stage, 0), false);
    case 8:
      return amend(stage, id, day(stage, 4), { ...payee, effectiveOn }, 'reject');
    case 9:
      return refund(stage, id, day(stage, 1), null);
  }
}

/** Contracts of insured lists: employees of sponsors, of the policies that ended too. */
export const writeListContractDemo = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const stage = await setStage(demo, writing);
    const { rows } = await sql<{ id: string; startDate: Day }>`
      select i.id::text as id, i.start_cache as start_date
        from policy_insured_item i
        join policy_policy p on p.id = i.policy_id
        where p.product_line = 'DAAS' and i.start_cache is not null and i.start_cache <= ${stage.today}::date
        order by i.name = '刘洋' desc, i.id
        limit ${BY_LIST}`.execute(stage.tx);
    const inTime = rows.toSorted((one, other) => (one.startDate < other.startDate ? -1 : one.startDate > other.startDate ? 1 : 0));
    for (const { id, startDate } of inTime) await openByList(stage.kernel, stage.byItself(startDate), id);
  });

/** So many days after it was signed a contract is still waited for. */
const PAYABLE_DAYS = 2;
/** What is under way of the fees of contracts that were signed a short time ago, one after another. */
const underWay = [register, failPay, rejectPay, pay] as const;

/** Contracts are signed the day after they were opened and paid on the next; some of them are not. */
async function signAndPay(stage: Stage): Promise<void> {
  const waiting = await own(stage.tx)
    .selectFrom('enrolmentContract')
    .select(['id', 'createdAt'])
    .where('state', '=', 'WAIT_SIGN')
    .orderBy('id')
    .execute();
  let fees = 0;
  let recentFees = 0;
  for (const [n, { id, createdAt }] of waiting.entries()) {
    const opened = dayOf(createdAt);
    if (opened > day(stage, 6) && n % 4 === 0) continue;
    if (n % 9 === 8) {
      await cancel(stage, id, plusDays(opened, 1));
      continue;
    }
    const signedOn = plusDays(opened, 1);
    const signed = await sign(stage, id, signedOn);
    if (signed.state !== 'WAIT_PAY') continue;
    if (signedOn < day(stage, PAYABLE_DAYS)) {
      await (fees % 7 === 5
        ? leaveUnpaid(stage, id, plusDays(signedOn, 4))
        : pay(stage, id, plusDays(signedOn, 1), fees === 2 ? EMPLOYER : undefined));
      fees += 1;
    } else {
      // The last one of a round has not been begun.
      await underWay[recentFees % (underWay.length + 1)]?.(stage, id, plusDays(signedOn, 1));
      recentFees += 1;
    }
  }
}

/** What became of the contracts that applications opened, and of those of lists, by the real commands. */
export const writeContractDemo = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const stage = await setStage(demo, writing);
    await signAndPay(stage);
    const all = await own(stage.tx)
      .selectFrom('enrolmentContract')
      .select(['id', 'startDate', 'origin'])
      .orderBy(sql`origin = 'AUTO'`)
      .orderBy('id')
      .execute();
    for (const { id, startDate } of all) {
      if (startDate !== null && startDate <= stage.today) await advanceContract(stage.kernel, stage.byItself(startDate), id);
      await advanceContract(stage.kernel, stage.byItself(stage.today), id);
    }
    // Contracts of lists have stories of their own, however many applications there are.
    for (const some of Map.groupBy(all, ({ origin }) => origin === 'AUTO').values())
      for (const [n, { id }] of some.entries()) await story(stage, id, n);
  });
