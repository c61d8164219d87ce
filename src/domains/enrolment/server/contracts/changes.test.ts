import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hours, minutes, plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addContractAmendment, auditContractAmendment, cancelContractAmendment } from '../../contract/calls/contractAmendments.ts';
import {
  addContractTermination,
  auditContractTermination,
  cancelContractTermination,
  previewContractTerminate,
} from '../../contract/calls/contracts.ts';
import { auditContractRefund, queryContractPayDetail } from '../../contract/calls/contractPays.ts';
import { own } from '../database.ts';
import { activeContract, contractKeeper, detailOf, key, stored } from '../testing/contracts.ts';
import { getContractForClaim } from './services.ts';

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
afterAll(() => app.close());

const change = async (contractId: string, more: object) => ({
  contractId,
  version: (await stored(app, contractId)).version,
  type: 'DRUG' as const,
  effectiveOn: app.clock.today(),
  reason: '医嘱换药',
  ...more,
});

describe('a change of a contract', () => {
  it('18: waits for another person; one at a time; claim sees the new medicine from its day on', async () => {
    const { contractId } = await activeContract(app, maker);
    const outside = await change(contractId, { effectiveOn: plusDays(app.clock.today(), 900), drugIds: ['2'] });
    expect(await app.refused(addContractAmendment, outside, key(maker))).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(addContractAmendment, await change(contractId, {}), key(maker))).toMatchObject({ code: 'SCM90020' });
    const made = await app.ok(addContractAmendment, await change(contractId, { drugIds: ['2'] }), key(maker));
    const second = await change(contractId, { type: 'CONTACT', mobile: '13900000002' });
    expect(await app.refused(addContractAmendment, second, key(maker))).toMatchObject({ code: 'SCM14043' });
    const approve = { amendmentId: made.id, version: made.version, decision: 'approve' as const };
    expect(await app.refused(auditContractAmendment, approve, { as: maker })).toMatchObject({ code: 'SCM14044' });
    expect(await app.ok(auditContractAmendment, approve, { as: checker })).toMatchObject({ state: 'APPROVED' });
    const { contract, amendments } = await detailOf(app, maker, contractId);
    expect(contract).toMatchObject({ amendSeq: 1 });
    expect(amendments).toMatchObject([{ seq: 1, state: 'APPROVED', applied: true }]);
    const today = app.clock.today();
    expect(await getContractForClaim(app.db, { contractId }, today)).toMatchObject({ drugIds: ['2'] });
    expect(await getContractForClaim(app.db, { contractId }, plusDays(today, -1))).toMatchObject({ drugIds: ['1'] });
  });

  it('of two people at once only one is taken in', async () => {
    const { contractId } = await activeContract(app, maker);
    const wish = await change(contractId, { type: 'CONTACT', mobile: '13900000003' });
    const answers = await Promise.all([1, 2, 3].map(() => app.send(addContractAmendment, wish, key(maker))));
    const codes = answers.map(({ envelope }) => envelope.code).toSorted();
    expect(codes.filter((code) => code === 'SCM14043')).toHaveLength(2);
  });

  it('keeps account numbers as ciphers, and what comes to nothing leaves its number to the next', async () => {
    const { contractId } = await activeContract(app, maker);
    const payee = { type: 'PAYEE', payeeName: '张建国', payeeBank: '招商银行', payeeAccount: '6222020200112233' };
    expect(await app.refused(addContractAmendment, await change(contractId, { ...payee, payeeAccount: '12' }), key(maker))).toMatchObject({
      code: 'SCM90020',
    });
    const given = await app.ok(addContractAmendment, await change(contractId, payee), key(maker));
    await app.ok(cancelContractAmendment, { amendmentId: given.id, version: given.version }, { as: maker });
    const made = await app.ok(addContractAmendment, await change(contractId, payee), key(maker));
    const { facts } = await own(app.db)
      .selectFrom('enrolmentAmendment')
      .select('facts')
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(facts)).not.toContain('6222020200112233');
    await app.ok(auditContractAmendment, { amendmentId: made.id, version: made.version, decision: 'approve' }, { as: checker });
    expect((await detailOf(app, maker, contractId)).contract).toMatchObject({ payeeAccount: '************2233', amendSeq: 1 });
  });

  it('that is to hold later stands in the contract on its day', async () => {
    const { contractId } = await activeContract(app, maker);
    const tomorrow = plusDays(app.clock.today(), 1);
    const wish = await change(contractId, { effectiveOn: tomorrow, drugIds: ['2'] });
    const made = await app.ok(addContractAmendment, wish, key(maker));
    await app.ok(auditContractAmendment, { amendmentId: made.id, version: made.version, decision: 'approve' }, { as: checker });
    expect(await stored(app, contractId)).toMatchObject({ drugIds: ['1'], amendSeq: 1 });
    await app.advance(hours(24), ['enrolment']);
    expect(await stored(app, contractId)).toMatchObject({ drugIds: ['2'], amendSeq: 1 });
  });
});

/** One for which 199.00 yuan were paid by bank. */
async function paidContract() {
  const made = await activeContract(app, maker);
  const now = app.clock.now();
  await own(app.db)
    .updateTable('enrolmentContract')
    .set({
      payMode: 'PLATFORM',
      listFeeFen: '19900',
      feeFen: '19900',
      paidFen: '19900',
      coolingOffDays: 15,
      signedAt: '2026-01-01T00:00:00.000Z',
    })
    .where('id', '=', made.contractId)
    .execute();
  await own(app.db)
    .insertInto('enrolmentContractPay')
    .values({
      payNo: `QYT${made.contractId}`,
      contractId: made.contractId,
      dueOn: app.clock.today(),
      amountFen: '19900',
      channel: 'BANK',
      payerName: '张建国',
      channelTradeNo: `T${made.contractId}`,
      paidAt: now,
      expireAt: now,
      state: 'SUCCESS',
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  return made;
}
const ending = async (contractId: string) => ({
  contractId,
  version: (await stored(app, contractId)).version,
  terminatedOn: app.clock.today(),
  reason: 'REQUEST' as const,
  opinion: '本人申请退出',
});

describe('a contract is ended by two people', () => {
  it('17: not with an open claim, nor before the last one that was paid', async () => {
    const { contractId } = await paidContract();
    const set = (facts: object) => own(app.db).updateTable('enrolmentContract').set(facts).where('id', '=', contractId).execute();
    await set({ openClaimCount: 2 });
    const asked = { contractId, terminatedOn: app.clock.today() };
    expect(await app.refused(previewContractTerminate, asked, { as: maker })).toMatchObject({ code: 'SCM14042' });
    await set({ openClaimCount: 0, lastClaimPaidOn: plusDays(app.clock.today(), 1) });
    expect(await app.refused(previewContractTerminate, asked, { as: maker })).toMatchObject({ code: 'SCM14048' });
    await set({ lastClaimPaidOn: null });
    const future = { ...asked, terminatedOn: plusDays(app.clock.today(), 1) };
    expect(await app.refused(previewContractTerminate, future, { as: maker })).toMatchObject({ code: 'SCM90020' });
  });

  it('17: the refund that was shown is drafted for finance; nobody confirms or passes his own', async () => {
    const { contractId } = await paidContract();
    const shown = await app.ok(previewContractTerminate, { contractId, terminatedOn: app.clock.today() }, { as: maker });
    expect(shown.calc).toMatchObject({ rule: 'BY_DAYS', usedDays: 1 });
    const made = await app.ok(addContractTermination, await ending(contractId), key(maker));
    expect(await app.refused(addContractTermination, await ending(contractId), key(maker))).toMatchObject({ code: 'SCM14043' });
    const { id, version, confirmToken } = made;
    const confirm = { id, version, decision: 'approve' as const, opinion: '情况属实' };
    expect(await app.refused(auditContractTermination, { ...confirm, confirmToken }, { as: maker })).toMatchObject({ code: 'SCM14044' });
    expect(await app.refused(auditContractTermination, confirm, { as: checker })).toMatchObject({ code: 'SCM90020' });
    const [pending] = (await detailOf(app, checker, contractId)).terminations;
    expect(pending?.confirmToken).toBe(confirmToken);
    expect((await detailOf(app, maker, contractId)).terminations[0]?.confirmToken).toBeNull();
    await app.ok(auditContractTermination, { ...confirm, confirmToken }, { as: checker });
    expect(await stored(app, contractId)).toMatchObject({
      state: 'TERMINATED',
      terminatedOn: app.clock.today(),
      terminateReason: 'REQUEST',
    });
    const { refunds } = await app.ok(queryContractPayDetail, { contractId }, { as: checker });
    expect(refunds).toMatchObject([{ amountFen: shown.refundFen, state: 'APPLIED', makerName: maker.displayName }]);
    const decide = { refundId: refunds[0]?.id ?? '', version: refunds[0]?.version ?? 0, decision: 'approve' as const };
    expect(await app.refused(auditContractRefund, decide, key(maker))).toMatchObject({ code: 'SCM14053' });
    const gone = await getContractForClaim(app.db, { contractId }, plusDays(app.clock.today(), 1));
    expect(gone).toMatchObject({ state: 'TERMINATED', endDate: app.clock.today() });
    expect(await getContractForClaim(app.db, { contractId }, app.clock.today())).toMatchObject({ state: 'ACTIVE' });
  });

  it('comes to nothing after a day, and where the first one takes it back', async () => {
    const left = await activeContract(app, maker);
    const made = await app.ok(addContractTermination, await ending(left.contractId), key(maker));
    const taken = await activeContract(app, maker);
    const other = await app.ok(addContractTermination, await ending(taken.contractId), key(maker));
    expect(await app.ok(cancelContractTermination, { id: other.id, version: other.version }, { as: maker })).toMatchObject({
      state: 'CANCELLED',
    });
    await app.advance(hours(24) + minutes(2), ['enrolment']);
    const { terminations } = await detailOf(app, await contractKeeper(app), left.contractId);
    expect(terminations).toMatchObject([{ id: made.id, state: 'EXPIRED' }]);
    expect(await stored(app, left.contractId)).toMatchObject({ state: 'ACTIVE' });
  });
});
