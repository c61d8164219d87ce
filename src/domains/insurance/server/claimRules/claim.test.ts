import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, startOfDay } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { claimDecided, claimSubmitted } from '#events/claim.ts';
import { addClaimRule } from '../../contract/claimRules/calls.ts';
import { queryClaimRules } from '../../contract/claimRules/read.ts';
import { boxes, claimOf } from '../../contract/testing/specs.ts';
import { adjudicateOn } from '../adjudication/adjudicate.ts';
import { specOf } from '../adjudication/specOf.ts';
import { own } from '../database.ts';
import { addDraft, keeper, makeDraft, makeInsurer, proveDraft, publish, soon, type Draft } from '../testing/products.ts';

let app: TestApp;
let maker: TestStaff;
let insurerId: string;
let first: Draft;
let second: Draft;
const rule = (draft: Draft, ruleCode: string, above: string) => ({
  productVersionId: draft.productVersionId,
  ruleCode,
  ruleName: `多于${above}盒`,
  ruleType: 'AMOUNT' as const,
  benefitCodes: [],
  claimTypes: [],
  expression: { op: 'AND' as const, items: [{ variable: 'line.qty', operator: '>' as const, value: above }] },
  outcome: 'WARN' as const,
  materialTypes: [],
  reasonCode: null,
  priority: 1,
  enabled: true,
});

beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  const checker = await keeper(app);
  insurerId = await makeInsurer(app);
  first = await makeDraft(app, maker, soon(app, 1), (one) => one, { insurerId });
  await app.ok(addClaimRule, rule(first, 'MANY', '2'), { as: maker });
  await app.ok(addClaimRule, rule(first, 'ANY', '0'), { as: maker });
  await proveDraft(app, maker, first);
  await publish(app, maker, checker, first);
  second = await addDraft(app, maker, first.productId, { ...first.document, effectiveFrom: soon(app, 2) });
  await proveDraft(app, maker, second);
  await publish(app, maker, checker, second);
  await app.advance(days(3), ['insurance']);
  // Nobody stays logged in for days.
  maker = await keeper(app);
  const spec = await specOf(app.db, first.productVersionId);
  const input = { ...claimOf([boxes(1, '1', 1, 10_000), boxes(2, '1', 3, 10_000)]), at: app.clock.now() };
  await publishDecision('701', { input, result: adjudicateOn(spec!, [], input) });
  await publishDecision('702', null);
});
afterAll(() => app.close());

/** What claim tells of a case of the first version; with what it was decided on, or before anybody did. */
async function publishDecision(claimId: string, decision: { input: object; result: object } | null): Promise<void> {
  const payload = {
    claimId,
    claimNo: `LP${claimId}`,
    round: 1,
    contractId: null,
    patientId: '1',
    productId: first.productId,
    productVersionId: first.productVersionId,
    insurerId,
    productLine: 'STANDARD',
    adcode: '320500',
    purchasedFrom: null,
    purchasedTo: null,
    submittedAt: startOfDay(app.clock.today()),
    claimedFen: 40_000,
    testUser: false,
    seq: 1,
    state: decision ? 'DECIDED' : 'SUBMITTED',
    decidedAt: decision ? app.clock.now() : null,
    paidAt: null,
    approvedFen: 0,
    paidFen: 0,
    reasonCodes: [],
    ...decision,
  };
  const { name } = decision ? claimDecided : claimSubmitted;
  const consumer = app.kernel.registry.consumers.get(`insurance:${name}`);
  if (!consumer) throw new Error(`nobody hears ${name}`);
  await app.kernel.transactions.run('test', (writing) =>
    consumer.run(
      { eventId: `${claimId}-1`, name, at: app.clock.now(), aggregateId: claimId, seq: 1, payload },
      { ...writing, kernel: app.kernel, now: app.clock.now(), traceId: 'test' },
    ),
  );
}

describe('the terms of a claim (acceptance 23)', () => {
  it('are nobody’s of a claim that there is not, or of another insurer', async () => {
    expect(await app.refused(queryClaimRules, { claimId: '999' }, { as: maker })).toMatchObject({ code: 'SCM90040' });
    const stranger = await app.staff({ permissions: ['insurance.claimRule.view'], scope: { insurer: [await makeInsurer(app)] } });
    expect(await app.refused(queryClaimRules, { claimId: '701' }, { as: stranger })).toMatchObject({ code: 'SCM90040' });
  });

  it('are those of the version that it is bound to, also while a later one is in force, with the rules that fired', async () => {
    const auditor = await app.staff({ permissions: ['insurance.claimRule.view'], scope: { insurer: [insurerId] } });
    const seen = await app.ok(queryClaimRules, { claimId: '701' }, { as: auditor });
    expect(seen).toMatchObject({
      editable: false,
      version: { id: first.productVersionId, versionNo: 1, phase: 'EXPIRED' },
      claim: { claimNo: 'LP701' },
    });
    expect(seen.versions.map(({ versionNo, phase }) => [versionNo, phase])).toEqual([
      [2, 'IN_FORCE'],
      [1, 'EXPIRED'],
    ]);
    expect(seen.rules.map(({ ruleCode }) => ruleCode).toSorted()).toEqual(['ANY', 'MANY']);
    expect(Object.fromEntries(seen.claim!.fired.map(({ ruleCode, lineNos }) => [ruleCode, lineNos]))).toEqual({ ANY: [1, 2], MANY: [2] });
    const own2 = await app.ok(queryClaimRules, { productVersionId: second.productVersionId }, { as: auditor });
    expect(own2).toMatchObject({ claim: null, version: { versionNo: 2 } });
    expect(await app.refused(addClaimRule, rule(second, 'R9', '1'), { as: auditor })).toMatchObject({ code: 'SCM90010' });
  });

  it('are known before it is decided, then nothing has fired', async () => {
    const seen = await app.ok(queryClaimRules, { claimId: '702' }, { as: maker });
    expect(seen).toMatchObject({ version: { versionNo: 1 }, claim: { claimNo: 'LP702', fired: [] } });
    await own(app.db).updateTable('insuranceStatClaim').set({ productVersionId: null }).where('claimId', '=', '702').execute();
    expect(await app.refused(queryClaimRules, { claimId: '702' }, { as: maker })).toMatchObject({ code: 'SCM90040' });
  });
});
