import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { auditMergeHospital } from '#domains/institution/contract/duplicateCalls.ts';
import { keeper as institutionKeeper, makeHospital, makeMerge, makeStore } from '#domains/institution/server/testing/fixtures.ts';
import type { VersionDocument } from '../contract/model/document.ts';
import { adjudicationInput } from '../contract/adjudication/input.ts';
import { getClaimConfig, getEnrolConfig, inScope, listInsurers } from './index.ts';
import { keeper, makeDraft, makeInsurer } from './testing/products.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const versionWith = async (more: Partial<VersionDocument>) =>
  (await makeDraft(app, await keeper(app), app.clock.today(), (document) => ({ ...document, ...more }))).productVersionId;
const outOf = async (version: string, place: Parameters<typeof inScope>[2]) => (await inScope(app.db, version, place))?.outOf;
const HERE = '330106';

it('a place is in the scope of a version by grade and owner of its hospital, by its name, and by its region', async () => {
  const [big, small, private2] = [
    await makeHospital(app),
    await makeHospital(app, { level: 'L1' }),
    await makeHospital(app, { level: 'L2N', ownership: 'PRIVATE' }),
  ];
  const [store, other] = [await makeStore(app), await makeStore(app)];
  expect(await inScope(app.db, '999999999', { adcode: HERE })).toBeNull();
  const judged = async (more: Partial<VersionDocument>) => {
    const version = await versionWith(more);
    const answers = [];
    for (const hospitalId of [big.id, small.id, private2.id, '999999999'])
      answers.push((await outOf(version, { hospitalId, adcode: HERE }))?.length === 0);
    return answers;
  };
  expect(await judged({ hospitalScope: 'GRADE2' })).toEqual([true, false, true, false]);
  expect(await judged({ hospitalScope: 'PUBLIC_GRADE2' })).toEqual([true, false, false, false]);
  expect(await judged({ hospitalScope: 'LIST', hospitalIds: [small.id], drugstoreIds: [store.id] })).toEqual([false, true, false, false]);
  expect(await judged({})).toEqual([true, true, true, true]);

  const listed = await versionWith({
    hospitalScope: 'LIST',
    hospitalIds: [big.id],
    drugstoreIds: [store.id],
    regionsAllowed: ['330100', '310000'],
  });
  expect(await outOf(listed, { hospitalId: small.id, drugstoreId: other.id, adcode: '320506' })).toEqual([
    'HOSPITAL',
    'DRUGSTORE',
    'REGION',
  ]);
  expect(await inScope(app.db, listed, { hospitalId: big.id, drugstoreId: store.id, adcode: '310115' })).toEqual({
    inScope: true,
    outOf: [],
  });
  expect(await outOf(listed, { drugstoreId: store.id, adcode: HERE })).toEqual([]);
  // Where no stores are named, a store is in scope by its region alone.
  expect(await outOf(await versionWith({ hospitalScope: 'GRADE2' }), { drugstoreId: other.id, adcode: HERE })).toEqual([]);
});

it('a hospital that was merged is in scope as what it became, on both sides', async () => {
  const merge = await makeMerge(app);
  const named = await versionWith({ hospitalScope: 'LIST', hospitalIds: [merge.loserId] });
  expect(await outOf(named, { hospitalId: merge.survivorId, adcode: HERE })).toEqual(['HOSPITAL']);
  const as = await institutionKeeper(app);
  const approve = { mergeId: merge.id, version: merge.version, action: 'approve' as const };
  await app.ok(auditMergeHospital, approve, { as, idempotencyKey: 'in-scope-merge-1' });
  for (const hospitalId of [merge.survivorId, merge.loserId]) expect(await outOf(named, { hospitalId, adcode: HERE })).toEqual([]);
});

it('tells claims what is asked for, enrolment what waiting does, and who the insurers are', async () => {
  const claimTypes: VersionDocument['claimTypes'] = [
    { claimType: 'REIMBURSE', label: '报销', materials: ['INVOICE', 'FEE_LIST', 'PAY_PROOF'], slaWorkdays: 5 },
  ];
  const withWaiting = (waits: readonly ['PERIOD' | 'DISEASE', number][]) => (document: VersionDocument) => ({
    ...document,
    claimTypes,
    benefits: waits.map(([waitingEffect, waitingDays], at) => ({
      ...document.benefits[0]!,
      benefitCode: `B${at}`,
      priority: at + 1,
      waitingEffect,
      waitingDays,
    })),
  });
  const configOf = async (...waits: ['PERIOD' | 'DISEASE', number][]) => {
    const { productVersionId } = await makeDraft(app, await keeper(app), app.clock.today(), withWaiting(waits));
    const { waitingDays, waitingEffect, diseaseWaitingDays } = await getEnrolConfig(app.db, productVersionId);
    expect(await getClaimConfig(app.db, productVersionId)).toEqual({ claimTypes, claimWindowDays: 180 });
    return [waitingDays, waitingEffect, diseaseWaitingDays];
  };
  expect(await configOf(['DISEASE', 0])).toEqual([0, null, 0]);
  expect(await configOf(['PERIOD', 90])).toEqual([90, 'PERIOD', 0]);
  expect(await configOf(['PERIOD', 90], ['DISEASE', 30])).toEqual([90, 'DISEASE', 30]);

  const insurerId = await makeInsurer(app);
  const insurers = await listInsurers(app.db);
  expect(insurers.find((one) => one.insurerId === insurerId)).toMatchObject({ status: 'ENABLED', fundMode: 'ADVANCE' });
  expect(new Set(insurers.map((one) => one.insurerId)).size).toBe(insurers.length);
});

it('takes what claims are handed in with, each once, and nothing that it does not know', () => {
  const { claim } = adjudicationInput.shape;
  const materials = (given: readonly string[]) => claim.shape.materials.safeParse(given).success;
  const known = ['INVOICE', 'FEE_LIST', 'PAY_PROOF', 'EFFICACY', 'TRACE_PHOTO', 'REFUSE_NOTICE'];
  expect([materials(['RECEIPT']), materials(Array.from({ length: 26 }, () => 'INVOICE'))]).toEqual([false, false]);
  expect(materials([...known, ...Array.from({ length: 19 }, () => 'OTHER')])).toBe(true);
});
