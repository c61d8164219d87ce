import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { days, hours, minutes, plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  cancelContract,
  queryContractDetail,
  queryContractList,
  resendSignLink,
  resumeContract,
  revealContract,
  signContractOnPaper,
  suspendContract,
} from '../../contract/calls/contracts.ts';
import {
  addContractRefund,
  auditContractRefund,
  auditOfflinePay,
  queryContractPayDetail,
  registerOfflinePay,
  syncContractPay,
} from '../../contract/calls/contractPays.ts';
import { own } from '../database.ts';
import {
  aContract,
  acting,
  contractKeeper,
  detailOf,
  key,
  payOf,
  signedContract,
  signedPaper,
  stored,
  versionOf,
  voucher,
} from '../testing/contracts.ts';
import { brokenContracts, alteredContracts, contractInvariants } from './check.ts';
import { revokeContract } from './open.ts';
import { takePayment } from './pays.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
});
// Sessions end while days go by.
beforeEach(async () => {
  maker = await contractKeeper(app);
  checker = await contractKeeper(app);
});
afterAll(async () => {
  for (const [name, statement] of contractInvariants) expect(await brokenContracts(app.db, statement, app.clock.today()), name).toEqual([]);
  await app.close();
});

const FEE = { enrol: { payMode: 'PLATFORM' as const, feeFen: 19_900 } };
const offline = async (contractId: string, amountFen?: number) => {
  const pay = await payOf(app, maker, contractId);
  return {
    payId: pay.id,
    version: pay.version,
    channel: 'BANK' as const,
    amountFen: amountFen ?? pay.amountFen,
    paidOn: app.clock.today(),
    payerName: '张建国',
    bankSerialNo: `SN2026${contractId}`,
    proofFileId: await voucher(app, maker),
  };
};
const notice = (payNo: string, amountFen: number) =>
  acting(app, (ctx) =>
    takePayment(app.kernel, ctx, payNo, { channel: 'WECHAT', channelTradeNo: `4${payNo}`, amountFen, paidAt: app.clock.now() }, 'NOTICE'),
  );
const page = async (url: string, payload?: string) => {
  const { pathname } = new URL(url);
  const answer = await app.inject({
    method: payload === undefined ? 'GET' : 'POST',
    url: pathname,
    ...(payload !== undefined && { payload }),
  });
  return { status: answer.status, text: answer.body.toString() };
};

describe('a contract that waits to be signed', () => {
  it('is signed on paper, free, and begins the day after', async () => {
    const { contractId } = await aContract(app);
    const version = await versionOf(app, maker, contractId);
    const wish = { contractId, version, signedOn: app.clock.today(), fileId: await signedPaper(app, maker) };
    expect(await app.refused(signContractOnPaper, { ...wish, signedOn: plusDays(app.clock.today(), 1) }, { as: maker })).toMatchObject({
      code: 'SCM90020',
    });
    expect(await app.refused(signContractOnPaper, { ...wish, version: version + 9 }, { as: maker })).toMatchObject({ code: 'SCM90030' });
    expect(await app.ok(signContractOnPaper, wish, { as: maker })).toMatchObject({ state: 'NOT_STARTED' });
    const { contract, signIntact } = await detailOf(app, maker, contractId);
    expect(contract).toMatchObject({ startDate: plusDays(app.clock.today(), 1), feeFen: 0, signChannel: 'PAPER' });
    expect(signIntact).toBe(true);
  });

  it('is signed over its link by whoever knows the end of the number, and leads on to the payment', async () => {
    const { contractId } = await aContract(app, FEE);
    const { link } = await app.ok(resendSignLink, { contractId }, { as: maker });
    expect(await app.refused(resendSignLink, { contractId }, { as: maker })).toMatchObject({ code: 'SCM90011' });
    expect((await page(`${link}x`)).status).toBe(404);
    expect((await page(link)).text).toContain('199.00');
    const file = await app.inject({ method: 'GET', url: `${new URL(link).pathname}/file` });
    expect(file.body.subarray(0, 4).toString()).toBe('%PDF');
    expect((await page(link, 'tail=000000&agree=on')).text).toContain('证件号码后六位不正确');
    const idNo = (await app.ok(revealContract, { id: contractId, field: 'idNo' }, { as: maker })).value ?? '';
    expect((await page(link, `tail=${idNo.slice(-6)}`)).text).toContain('请先阅读并勾选');
    expect((await page(link, `tail=${idNo.slice(-6)}&agree=on`)).text).toContain('去支付');
    const { contract, signIntact } = await detailOf(app, maker, contractId);
    expect(contract).toMatchObject({ state: 'WAIT_PAY', signChannel: 'E_SIGN', feeFen: 19_900 });
    expect(signIntact).toBe(true);
  });

  it('20: shows a file that was altered afterwards, and names its contract at night', async () => {
    const { contractId, contractNo } = await signedContract(app, maker);
    await own(app.db)
      .updateTable('enrolmentContract')
      .set({ signSha256: 'a'.repeat(64) })
      .where('id', '=', contractId)
      .execute();
    expect((await detailOf(app, maker, contractId)).signIntact).toBe(false);
    const found = await alteredContracts({ db: app.db, kernel: app.kernel, signal: new AbortController().signal });
    expect(found).toEqual([contractNo]);
  });

  it('is cancelled after seven days, and by hand at any time', async () => {
    const left = await aContract(app);
    const given = await aContract(app);
    const wish = { contractId: given.contractId, version: await versionOf(app, maker, given.contractId) };
    expect(await app.ok(cancelContract, { ...wish, opinion: '客户放弃' }, { as: maker })).toMatchObject({ state: 'CANCELLED' });
    await app.advance(days(7) + minutes(2), ['enrolment']);
    expect(await stored(app, left.contractId)).toMatchObject({ state: 'CANCELLED', cancelReason: 'UNSIGNED' });
  });

  it('14: goes with the approval that it stands on, but not once it gives rights', async () => {
    const { contractId } = await aContract(app);
    await acting(app, (ctx) => revokeContract(app.kernel, ctx, contractId, '审核有误'));
    expect(await stored(app, contractId)).toMatchObject({ state: 'CANCELLED', cancelReason: 'REVOKED' });
    const signed = await signedContract(app, maker);
    await expect(acting(app, (ctx) => revokeContract(app.kernel, ctx, signed.contractId, '审核有误'))).rejects.toMatchObject({
      code: 'SCM14033',
    });
  });
});

describe('its fee', () => {
  it('15: another sum is flagged and not counted; the right one begins the contract; the same notice again changes nothing', async () => {
    const { contractId } = await signedContract(app, maker, FEE);
    const { payNo } = await payOf(app, maker, contractId);
    expect(await notice(payNo, 19_899)).toBe('AMOUNT');
    expect(await payOf(app, maker, contractId)).toMatchObject({ flag: 'AMOUNT', state: 'INIT' });
    expect(await stored(app, contractId)).toMatchObject({ state: 'WAIT_PAY', paidFen: '0' });
    await acting(app, async (ctx) => {
      expect(
        await takePayment(
          app.kernel,
          ctx,
          payNo,
          { channel: 'WECHAT', channelTradeNo: `5${payNo}`, amountFen: 19_900, paidAt: ctx.now },
          'NOTICE',
        ),
      ).toBe('PAID');
    });
    const paid = await stored(app, contractId);
    expect(paid).toMatchObject({ state: 'NOT_STARTED', paidFen: '19900' });
    await acting(app, async (ctx) => {
      expect(
        await takePayment(
          app.kernel,
          ctx,
          payNo,
          { channel: 'WECHAT', channelTradeNo: `5${payNo}`, amountFen: 19_900, paidAt: ctx.now },
          'NOTICE',
        ),
      ).toBe('REPEATED');
    });
    expect(await stored(app, contractId)).toMatchObject({ version: paid.version, paidFen: '19900' });
    expect(await notice(`${payNo}9`, 1)).toBe('UNKNOWN_PAY');
  });

  it('comes by hand through two people, for the sum that is due alone', async () => {
    const { contractId } = await signedContract(app, maker, FEE);
    const less = await offline(contractId, 19_800);
    expect(await app.refused(registerOfflinePay, less, key(maker))).toMatchObject({ code: 'SCM14050' });
    const registered = await app.ok(registerOfflinePay, { ...less, amountFen: 19_900 }, key(maker));
    expect(registered).toMatchObject({ state: 'CHECKING' });
    const decide = { payId: less.payId, version: registered.version, decision: 'approve' as const };
    expect(await app.refused(auditOfflinePay, decide, { as: maker })).toMatchObject({ code: 'SCM14053' });
    const cancelWish = { contractId, version: await versionOf(app, maker, contractId), opinion: '客户放弃' };
    expect(await app.refused(cancelContract, cancelWish, { as: maker })).toMatchObject({ code: 'SCM14051' });
    expect(await app.ok(auditOfflinePay, decide, { as: checker })).toMatchObject({ state: 'SUCCESS' });
    expect(await stored(app, contractId)).toMatchObject({ state: 'NOT_STARTED', paidFen: '19900' });
  });

  it('16: an unknown outcome is asked for, blocks what would contradict it, and begins the contract once', async () => {
    const { contractId } = await signedContract(app, maker, FEE);
    const { link, id: payId } = await payOf(app, maker, contractId);
    await page(link ?? '');
    await page(link ?? '', 'outcome=UNKNOWN');
    expect(await app.ok(syncContractPay, { payId }, { as: maker })).toMatchObject({ state: 'UNKNOWN' });
    const cancelWish = { contractId, version: await versionOf(app, maker, contractId), opinion: '客户放弃' };
    expect(await app.refused(cancelContract, cancelWish, { as: maker })).toMatchObject({ code: 'SCM14051' });
    expect(await app.refused(registerOfflinePay, await offline(contractId), key(maker))).toMatchObject({ code: 'SCM14051' });
    await app.advance(minutes(20));
    expect(await stored(app, contractId)).toMatchObject({ state: 'NOT_STARTED', paidFen: '19900' });
    expect(await payOf(app, maker, contractId)).toMatchObject({ state: 'SUCCESS' });
  });

  it('that nobody pays ends the contract after three days; money that comes then goes back by itself', async () => {
    const { contractId } = await signedContract(app, maker, FEE);
    const { payNo } = await payOf(app, maker, contractId);
    await app.advance(hours(72) + minutes(2), ['enrolment']);
    expect(await stored(app, contractId)).toMatchObject({ state: 'CANCELLED', cancelReason: 'UNPAID' });
    expect(await notice(payNo, 19_900)).toBe('LATE');
    const { pays, refunds } = await app.ok(queryContractPayDetail, { contractId }, { as: await contractKeeper(app) });
    expect(pays).toMatchObject([{ state: 'SUCCESS', flag: 'LATE' }]);
    expect(refunds).toMatchObject([{ amountFen: 19_900, makerName: '系统' }]);
  });

  it('17: goes back in parts through two people, never more than was paid', async () => {
    const { contractId } = await signedContract(app, maker, FEE);
    const registered = await app.ok(registerOfflinePay, await offline(contractId), key(maker));
    const { id: payId } = await payOf(app, maker, contractId);
    await app.ok(auditOfflinePay, { payId, version: registered.version, decision: 'approve' }, { as: checker });
    const wish = { payId, amountFen: 20_000, reason: '客户申请' };
    expect(await app.refused(addContractRefund, wish, key(maker))).toMatchObject({ code: 'SCM14052' });
    expect(await payOf(app, maker, contractId)).toMatchObject({ mayRefund: true });
    const refund = await app.ok(addContractRefund, { ...wish, amountFen: 900 }, key(maker));
    expect(await payOf(app, maker, contractId)).toMatchObject({ mayRefund: false });
    expect(await app.refused(addContractRefund, { ...wish, amountFen: 1 }, key(maker))).toMatchObject({ code: 'SCM14054' });
    const decide = { refundId: refund.id, version: refund.version, decision: 'approve' as const };
    expect(await app.refused(auditContractRefund, decide, key(maker))).toMatchObject({ code: 'SCM14053' });
    expect(await app.refused(auditContractRefund, decide, key(checker))).toMatchObject({ code: 'SCM90020' });
    const paidBack = { ...decide, bankSerialNo: `TK${refund.id}00`, paidOn: app.clock.today(), proofFileId: await voucher(app, checker) };
    expect(await app.ok(auditContractRefund, paidBack, key(checker))).toMatchObject({ state: 'SUCCESS' });
    expect(await stored(app, contractId)).toMatchObject({ paidFen: '19900', refundedFen: '900' });
    expect(await app.refused(addContractRefund, { ...wish, amountFen: 19_001 }, key(maker))).toMatchObject({ code: 'SCM14052' });
  });
});

describe('a contract in force', () => {
  it('begins at midnight, rests and goes on by hand, and ends with its last day', async () => {
    const { contractId } = await signedContract(app, maker, { enrol: { termMonths: 1, followUpDays: 20 } });
    await app.advance(days(1), ['enrolment']);
    const begun = await stored(app, contractId);
    expect(begun).toMatchObject({ state: 'ACTIVE', nextReviewOn: plusDays(app.clock.today(), 20) });
    const wish = { contractId, version: begun.version, opinion: '材料存疑' };
    const as = await contractKeeper(app);
    const resting = await app.ok(suspendContract, { ...wish, reason: 'RISK' }, { as });
    expect(resting).toMatchObject({ state: 'SUSPENDED' });
    expect(await app.ok(resumeContract, { ...wish, version: resting.version }, { as })).toMatchObject({ state: 'ACTIVE' });
    await app.advance(days(28), ['enrolment']);
    const overdue = await stored(app, contractId);
    expect(overdue).toMatchObject({ state: 'SUSPENDED', suspendReason: 'REVIEW_OVERDUE' });
    const later = await contractKeeper(app);
    expect(await app.refused(resumeContract, { ...wish, version: overdue.version }, { as: later })).toMatchObject({ code: 'SCM14046' });
    await app.advance(days(5), ['enrolment']);
    expect(await stored(app, contractId)).toMatchObject({ state: 'EXPIRED', suspendReason: null });
  });

  it('23: offers nothing to who only looks, refuses his acts, and finds by the whole number alone', async () => {
    const { contractId, contractNo } = await signedContract(app, maker);
    const viewer = await app.staff({ permissions: ['enrolment.contract.view'] });
    const { contract } = await app.ok(queryContractDetail, { contractId }, { as: viewer });
    expect(contract.allowedActions).toEqual([]);
    const wish = { contractId, version: contract.version, reason: 'RISK', opinion: '材料存疑' };
    expect(await app.refused(suspendContract, wish, { as: viewer })).toMatchObject({ code: 'SCM90010' });
    const idNo = (await app.ok(revealContract, { id: contractId, field: 'idNo' }, { as: maker })).value ?? '';
    const { rows } = await app.ok(queryContractList, { idNo, contractNo }, { as: viewer });
    expect(rows).toMatchObject([{ contractNo, mobile: '139****0001' }]);
  });
});
