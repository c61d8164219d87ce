import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventDeclaration } from '#kernel/contract/event.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { claimClosed, claimPaid, claimSubmitted } from '#events/claim.ts';
import { applySubmitted, contractActivated, contractCancelled, contractSigned, contractTerminated } from '#events/enrolment.ts';
import { addEndorsement } from '../../contract/calls/endorsements.ts';
import { queryInsuredPersonDetail } from '../../contract/calls/persons.ts';
import { queryPolicyDetail } from '../../contract/calls/policies.ts';
import { keeper } from '../testing/fixtures.ts';
import { coveredPerson } from '../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

let eventId = 0;
async function deliver(event: EventDeclaration, payload: object, seq: number): Promise<void> {
  const consumer = app.kernel.registry.consumers.get(`policy:${event.name}`);
  if (!consumer) throw new Error(`policy does not hear ${event.name}`);
  eventId += 1;
  const now = app.clock.now();
  await app.kernel.transactions.run('test', (writing) =>
    consumer.run(
      { eventId: String(eventId), name: event.name, aggregateId: 'x', seq, at: now, payload: { ...payload, seq } },
      { ...writing, kernel: app.kernel, now, traceId: 'test' },
    ),
  );
}

describe('what enrolment and claim do with a cover', () => {
  it('is kept as the latest of their events says, in whatever order they come, and stands against what would take the cover', async () => {
    const as = await keeper(app);
    const { policyId, insuredItemId } = await coveredPerson(app);
    const today = app.clock.today();
    const contract = {
      contractId: '501',
      contractNo: 'HT501',
      insuredItemId,
      policyId,
      startDate: today,
      endDate: '2027-11-20',
    };
    await deliver(applySubmitted, { ...apply(insuredItemId) }, 1);
    await deliver(contractSigned, contract, 1);
    await deliver(contractActivated, { ...activated, ...contract }, 2);
    // An old one that comes late changes nothing.
    await deliver(contractCancelled, { ...contract }, 1);
    await deliver(claimSubmitted, { ...claim, purchasedFrom: today, purchasedTo: today }, 1);
    const uses = async () =>
      (await app.ok(queryInsuredPersonDetail, { insuredItemId }, { as })).uses.map(({ refType, state, paidFen }) => [
        refType,
        state,
        paidFen,
      ]);
    expect((await uses()).toSorted()).toEqual([
      ['APPLY', 'OPEN', '0'],
      ['CLAIM', 'OPEN', '0'],
      ['CONTRACT', 'LIVE', '0'],
    ]);
    const surrender = { policyId, kind: 'SURRENDER' as const, effectiveOn: today, reason: '投保人申请' };
    expect(await app.refused(addEndorsement, surrender, { as })).toMatchObject({ code: 'SCM13005', message: '有1件在途理赔，请先结案' });
    await deliver(claimPaid, { ...claim, purchasedFrom: today, paidFen: 30_000 }, 3);
    expect(await app.refused(addEndorsement, { ...surrender, kind: 'CANCEL' }, { as })).toMatchObject({ code: 'SCM13007' });
    await deliver(claimClosed, { ...claim, purchasedFrom: today, paidFen: 30_000 }, 4);
    await deliver(contractTerminated, { ...ended, insuredItemId, onDate: today }, 3);
    expect(await app.ok(queryPolicyDetail, { policyId }, { as })).toMatchObject({
      uses: { contracts: 0, openClaims: 0, paidFen: '30000' },
    });
    // A claim on a contract that covers nobody here is none of ours.
    await deliver(claimSubmitted, { ...claim, claimId: '702', contractId: '999' }, 1);
    expect(await uses()).toHaveLength(3);
  });
});

const facts = { productLine: 'STANDARD', productId: '1', insurerId: null, adcode: null, testUser: false };
const apply = (insuredItemId: string) => ({
  ...facts,
  applyId: '401',
  applyNo: 'RZ401',
  patientId: '1',
  insuredItemId,
  submittedAt: '2026-11-21T02:00:00.000Z',
  decidedAt: null,
  firstRoundPass: false,
  contractId: null,
  applicantWording: null,
});
const activated = {
  chainId: '1',
  patientId: '1',
  hospitalId: null,
  productLine: 'STANDARD',
  productCode: 'P',
  productName: '产品',
  productId: '1',
  productVersionId: '1',
  policyNo: null,
  holder: { name: '张建国', idType: 'ID', idNoCipher: '', mobileCipher: null },
};
const ended = { contractId: '501', contractNo: 'HT501', patientId: '1', productLine: 'STANDARD', reason: '到期' };
const claim = {
  ...facts,
  claimId: '701',
  claimNo: 'LP701',
  round: 1,
  contractId: '501',
  patientId: '1',
  productVersionId: '1',
  state: 'SUBMITTED',
  purchasedFrom: null,
  purchasedTo: null,
  submittedAt: '2026-11-21T03:00:00.000Z',
  decidedAt: null,
  paidAt: null,
  claimedFen: 50_000,
  approvedFen: 0,
  paidFen: 0,
  reasonCodes: [],
};
