import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insuredAdded, policyReinstated, policySuspended } from '#events/policy.ts';
import { days, plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { auditEndorsement } from '#domains/policy/contract/calls/endorsements.ts';
import { asked, keeper as policyKeeper } from '#domains/policy/server/testing/fixtures.ts';
import { renewContract, resumeContract, signContractOnPaper, suspendContract } from '../../contract/calls/contracts.ts';
import { own } from '../database.ts';
import {
  activeContract,
  acting,
  contractKeeper,
  detailOf,
  insuredPerson,
  key,
  renewableContract,
  signedPaper,
  stored,
} from '../testing/contracts.ts';
import { openByList } from './consumers.ts';
import { getContractForClaim, listContractsOfPerson } from './services.ts';

let app: TestApp;
let maker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  maker = await contractKeeper(app);
});
afterAll(() => app.close());

const contractsOf = (insuredItemId: string) =>
  own(app.db).selectFrom('enrolmentContract').selectAll().where('insuredItemId', '=', insuredItemId).orderBy('id').execute();

/** Of a policy, what an endorsement does to it. */
async function endorse(wish: Parameters<typeof asked>[2]) {
  const made = await asked(app, await policyKeeper(app), wish);
  const decision = { id: made.id, version: made.version, action: 'approve' as const, opinion: '核对无误' };
  await app.ok(auditEndorsement, decision, { as: await policyKeeper(app) });
  await app.runDue();
}

describe('R7: whoever comes into the list of a DAAS product', () => {
  it('has one contract as long as he is covered, however often that is told', async () => {
    const { insuredItemId, policyId, productId } = await insuredPerson(app, { productLine: 'DAAS' });
    await app.runDue();
    const [contract, ...others] = await contractsOf(insuredItemId);
    expect(others).toEqual([]);
    expect(contract).toMatchObject({ origin: 'AUTO', payMode: 'SPONSOR', state: 'ACTIVE', feeFen: '0', signFileId: null });
    await acting(app, (ctx) =>
      ctx.publish(insuredAdded, insuredItemId, {
        insuredItemId,
        policyId,
        productId,
        insurerId: null,
        adcode: null,
        planCode: 'P1',
        coverageStart: contract?.coverageStart ?? '',
        coverageEnd: contract?.coverageEnd ?? '',
        lastCoveredDay: null,
        batchNo: null,
        backdated: false,
        undo: false,
      }),
    );
    await app.runDue();
    await Promise.all([1, 2].map(() => acting(app, (ctx) => openByList(app.kernel, ctx, insuredItemId))));
    expect(await contractsOf(insuredItemId)).toHaveLength(1);
  });

  it('has none where the rules of the product do not take him, or the product is of another line', async () => {
    const old = await insuredPerson(app, { productLine: 'DAAS', enrol: { ageMax: 30 } });
    const other = await insuredPerson(app, { productLine: 'STANDARD' });
    await app.runDue();
    expect(await contractsOf(old.insuredItemId)).toEqual([]);
    expect(await contractsOf(other.insuredItemId)).toEqual([]);
  });
});

describe('a person who loses his cover', () => {
  it('has his contract rest, alone, on that day; nothing is ended silently', async () => {
    const left = await activeContract(app, maker);
    const stays = await activeContract(app, maker);
    const today = app.clock.today();
    await endorse({ policyId: left.policyId, kind: 'REMOVE', effectiveOn: today, after: { insuredItemIds: [left.insuredItemId] } });
    expect(await stored(app, left.contractId)).toMatchObject({ state: 'ACTIVE', coverLostOn: plusDays(today, 1) });
    await app.advance(days(1));
    const rested = await stored(app, left.contractId);
    expect(rested).toMatchObject({ state: 'SUSPENDED', suspendReason: 'POLICY' });
    expect(await stored(app, stays.contractId)).toMatchObject({ state: 'ACTIVE' });
    const wish = { contractId: left.contractId, version: rested.version, opinion: '恢复权益' };
    expect(await app.refused(resumeContract, wish, { as: await contractKeeper(app) })).toMatchObject({ code: 'SCM14047' });
  });

  it('whose policy rests and goes on has his contract do the same, but not one that rests for another reason', async () => {
    const made = await activeContract(app, maker);
    const other = await activeContract(app, maker);
    const { version } = await stored(app, other.contractId);
    await app.ok(suspendContract, { contractId: other.contractId, version, reason: 'RISK', opinion: '材料存疑' }, { as: maker });
    const today = app.clock.today();
    await endorse({ policyId: made.policyId, kind: 'SUSPEND', effectiveOn: today, after: {} });
    expect(await stored(app, made.contractId)).toMatchObject({ state: 'SUSPENDED', suspendReason: 'POLICY' });
    await endorse({ policyId: made.policyId, kind: 'REINSTATE', effectiveOn: today, after: {} });
    expect(await stored(app, made.contractId)).toMatchObject({ state: 'ACTIVE', suspendReason: null });
    const payload = {
      policyId: other.policyId,
      policyNo: 'X',
      productId: other.productId,
      productVersionId: '1',
      insurerId: null,
      coverageStart: today,
      coverageEnd: today,
      reason: null,
      terminatedOn: null,
      renewalOfPolicyId: null,
    };
    for (const event of [policySuspended, policyReinstated]) await acting(app, (ctx) => ctx.publish(event, other.policyId, payload));
    await app.runDue();
    expect(await stored(app, other.contractId)).toMatchObject({ state: 'SUSPENDED', suspendReason: 'RISK' });
  });
});

describe('a renewal', () => {
  it('is refused far from the end and without a policy that goes on', async () => {
    const early = await activeContract(app, maker);
    const wish = { contractId: early.contractId, version: (await stored(app, early.contractId)).version };
    expect(await app.refused(renewContract, wish, key(maker))).toMatchObject({ code: 'SCM14045' });
    const late = await activeContract(app, maker, { coverageStart: plusDays(app.clock.today(), -340) });
    const lateWish = { contractId: late.contractId, version: (await stored(app, late.contractId)).version };
    expect(await app.refused(renewContract, lateWish, key(maker))).toMatchObject({ code: 'SCM14049' });
  });

  it('leaves out whom the rules no longer admit', async () => {
    const made = await renewableContract(app, maker, { enrol: { ageMax: 35 } });
    const wish = { contractId: made.contractId, version: (await stored(app, made.contractId)).version };
    expect(await app.refused(renewContract, wish, key(maker))).toMatchObject({ code: 'SCM14049', message: expect.stringContaining('岁') });
  });

  it('opens the next contract of the chain on the policy that goes on, once', async () => {
    const made = await renewableContract(app, maker);
    const wish = { contractId: made.contractId, version: (await stored(app, made.contractId)).version };
    const next = await app.ok(renewContract, wish, key(maker));
    const again = { ...wish, version: (await stored(app, made.contractId)).version };
    expect(await app.refused(renewContract, again, key(maker))).toMatchObject({ code: 'SCM14002' });
    expect(await stored(app, next.contractId)).toMatchObject({
      origin: 'RENEW',
      renewSeq: 1,
      chainId: made.contractId,
      state: 'WAIT_SIGN',
    });
    const fileId = await signedPaper(app, maker);
    const { version } = await stored(app, next.contractId);
    await app.ok(signContractOnPaper, { contractId: next.contractId, version, signedOn: app.clock.today(), fileId }, { as: maker });
    const { contract, chain } = await detailOf(app, maker, next.contractId);
    expect(contract.startDate).toBe(contract.coverageStart);
    expect(chain.map(({ renewSeq }) => renewSeq)).toEqual([0, 1]);
  });
});

it('tells claim what a contract gives on a day, and to whom', async () => {
  const made = await activeContract(app, maker);
  const today = app.clock.today();
  const found = await getContractForClaim(app.db, { contractNo: made.contractNo }, today);
  expect(found).toMatchObject({ contractId: made.contractId, state: 'ACTIVE', live: true, drugIds: ['1'], payer: { type: 'INSURER' } });
  expect(await getContractForClaim(app.db, { contractId: made.contractId }, plusDays(today, 900))).toMatchObject({ live: false });
  expect(await getContractForClaim(app.db, { contractNo: 'HT0' }, today)).toBeNull();
  const { idNoHash } = await stored(app, made.contractId);
  expect(await listContractsOfPerson(app.db, idNoHash ?? '')).toMatchObject([{ contractNo: made.contractNo }]);
});
