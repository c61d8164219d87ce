import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventDeclaration } from '#kernel/contract/event.ts';
import { minutes, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { claimControlEvaluated, claimDecided, claimPaid, claimSubmitted } from '#events/claim.ts';
import { applyApproved, applySubmitted } from '#events/enrolment.ts';
import { premiumOrderApproved } from '#events/policy.ts';
import {
  exportStatistics,
  queryAgeing,
  queryLossRatio,
  queryOverview,
  queryRank,
  queryReasonTop,
  queryTrend,
} from '../../contract/statistics/calls.ts';
import { statPermissions } from '../../contract/permissions.ts';
import { queryControlHitList } from '../../contract/controls/hits.ts';
import { controller, makeModule, makeRule, publishRule } from '../testing/controls.ts';
import { keeper, makeDraft } from '../testing/products.ts';
import { unzipEntry, zipEntries } from '#kernel/server/documents/zipRead.ts';
import { own } from '../database.ts';

let app: TestApp;
let viewer: TestStaff;
let products: string[];
let insurers: string[];
const all = Object.values(statPermissions).map(({ code }) => code);
beforeAll(async () => {
  app = await startTestApp();
  viewer = await app.staff({ permissions: all });
  const maker = await keeper(app);
  products = [(await makeDraft(app, maker, '2027-01-01')).productId, (await makeDraft(app, maker, '2027-01-01')).productId];
  const rows = await own(app.db)
    .selectFrom('insuranceProduct')
    .select(['id', 'insurerId'])
    .where('id', 'in', products)
    .orderBy('id')
    .execute();
  insurers = rows.flatMap(({ insurerId }) => insurerId ?? []);
});
afterAll(() => app.close());

interface DecidedClaim {
  event: EventDeclaration;
  id: string;
  seq: number;
  at: Instant;
  payload: object;
}

/** Delivers events in the given order, whatever their numbers: as a queue that repeats and reorders would. */
async function deliver(events: readonly DecidedClaim[]): Promise<void> {
  for (const { event, id, seq, at, payload } of events) {
    const consumer = app.kernel.registry.consumers.get(`insurance:${event.name}`);
    if (!consumer) throw new Error(`nobody hears ${event.name}`);
    await app.kernel.transactions.run('test', (writing) =>
      consumer.run(
        { eventId: `${id}-${seq}`, name: event.name, at, aggregateId: id, seq, payload },
        { ...writing, kernel: app.kernel, now: app.clock.now(), traceId: 'test' },
      ),
    );
  }
}

const january = (day: number) => startOfDay(`2026-01-${String(day).padStart(2, '0')}`, '10:00');

/** A claim of 20,000.00: submitted, approved with 2,360.00, paid 1,860.00. */
const claimEvents = (id: string, productAt = 0): DecidedClaim[] => {
  const facts = {
    claimId: id,
    claimNo: `LP${id}`,
    round: 1,
    contractId: null,
    patientId: '1',
    productId: products[productAt]!,
    productVersionId: '1',
    insurerId: insurers[productAt]!,
    productLine: 'STANDARD',
    adcode: '320500',
    purchasedFrom: null,
    purchasedTo: null,
    submittedAt: january(5),
    claimedFen: 2_000_000,
    testUser: false,
  };
  return [
    {
      event: claimSubmitted,
      id,
      seq: 1,
      at: january(5),
      payload: { ...facts, seq: 1, state: 'SUBMITTED', decidedAt: null, paidAt: null, approvedFen: 0, paidFen: 0, reasonCodes: [] },
    },
    {
      event: claimDecided,
      id,
      seq: 2,
      at: january(8),
      payload: {
        ...facts,
        seq: 2,
        state: 'DECIDED',
        decidedAt: january(8),
        paidAt: null,
        approvedFen: 236_000,
        paidFen: 0,
        reasonCodes: ['L11', 'L07'],
        input: null,
        result: null,
      },
    },
    {
      event: claimPaid,
      id,
      seq: 3,
      at: january(12),
      payload: {
        ...facts,
        seq: 3,
        state: 'PAID',
        decidedAt: january(8),
        paidAt: january(12),
        approvedFen: 236_000,
        paidFen: 186_000,
        reasonCodes: ['L11', 'L07'],
      },
    },
  ];
};

const premium = (productAt = 0): DecidedClaim => ({
  event: premiumOrderApproved,
  id: `9${productAt}`,
  seq: 1,
  at: january(1),
  payload: {
    premiumOrderId: `9${productAt}`,
    policyId: '7',
    productId: products[productAt]!,
    insurerId: insurers[productAt]!,
    adcode: '320500',
    direction: 'CHARGE',
    amountFen: 3_650_000,
    coverageStart: '2026-01-01',
    coverageEnd: '2026-12-31',
  },
});

const inJanuary = { from: '2026-01', to: '2026-01' };
const figures = async (productId: string) => {
  const filter = { ...inJanuary, productIds: [productId] };
  const overview = await app.ok(queryOverview, filter, { as: viewer });
  const loss = await app.ok(queryLossRatio, filter, { as: viewer });
  const trend = await app.ok(queryTrend, filter, { as: viewer });
  const reasons = await app.ok(queryReasonTop, filter, { as: viewer });
  return { now: overview.now, loss: loss.months, trend: trend.months, reasons: reasons.reasons, lagSeconds: overview.lagSeconds };
};

describe('loss ratios (acceptance 20)', () => {
  it('divide what was paid, and what became due, by what was earned', async () => {
    await deliver([premium(), ...claimEvents('100')]);
    const { loss, now, trend, reasons } = await figures(products[0]!);
    expect(loss).toEqual([
      {
        month: '2026-01',
        earnedFen: 310_000,
        paidFen: 186_000,
        reserveStartFen: 0,
        reserveEndFen: 50_000,
        paidRatioBp: 6000,
        incurredRatioBp: 7613,
      },
    ]);
    expect(now).toMatchObject({
      claims: 1,
      claimedFen: 2_000_000,
      approvedFen: 236_000,
      paidFen: 186_000,
      paidRatioBp: 6000,
      openClaims: 0,
    });
    expect(trend).toMatchObject([{ claims: 1, approvedFen: 236_000 }]);
    expect(reasons).toMatchObject([{ code: 'L07' }, { code: 'L11', label: 'L11 自付比例' }]);
    const year = await app.ok(queryLossRatio, { from: '2026-01', to: '2026-12', productIds: [products[0]!] }, { as: viewer });
    expect(year.months.reduce((sum, { earnedFen }) => sum + earnedFen, 0)).toBe(3_650_000);
  });

  it('are those of the example: a reserve of 500.00 at the start that grows to 810.00', async () => {
    // Due 500.00 from December; in January 1,860.00 paid and 810.00 due at its end.
    const day = (date: string, seq: number, approved: number, paid: number) => ({
      claimId: '100',
      date,
      seq,
      openFen: '0',
      approvedFen: String(approved),
      paidFen: String(paid),
    });
    await own(app.db).deleteFrom('insuranceStatClaimDay').where('claimId', '=', '100').execute();
    await own(app.db)
      .insertInto('insuranceStatClaimDay')
      .values([day('2025-12-20', 1, 50_000, 0), day('2026-01-12', 2, 267_000, 186_000)])
      .execute();
    const { loss } = await figures(products[0]!);
    expect(loss[0]).toMatchObject({ reserveStartFen: 50_000, reserveEndFen: 81_000, paidRatioBp: 6000, incurredRatioBp: 7000 });
  });
});

describe('projections (acceptance 21)', () => {
  it('of duplicated and reordered events are those of the ordered stream; what is missing shows as lag', async () => {
    const [submitted, decided, paid] = claimEvents('200', 1);
    await deliver([premium(1), submitted!, decided!, paid!]);
    const ordered = await figures(products[1]!);
    await own(app.db).deleteFrom('insuranceStatClaim').where('claimId', '=', '200').execute();
    await deliver([paid!, paid!]);
    await app.advance(minutes(15));
    const gap = await app.ok(queryOverview, { ...inJanuary }, { as: viewer });
    expect(gap.lagSeconds).toBe(900);
    expect(gap.dataAsOf).toBe(plusMs(app.clock.now(), -minutes(15)));
    await deliver([submitted!, decided!, submitted!, decided!]);
    expect(await figures(products[1]!)).toEqual(ordered);
    expect(ordered.lagSeconds).toBe(0);
  });

  it('count applications and leave test users out', async () => {
    const apply = (id: string, testUser: boolean) => ({
      applyId: id,
      applyNo: `RZ${id}`,
      patientId: '1',
      insuredItemId: id,
      productLine: 'STANDARD',
      productId: products[0]!,
      insurerId: insurers[0]!,
      adcode: '320500',
      submittedAt: january(3),
      decidedAt: null,
      firstRoundPass: true,
      testUser,
      seq: 1,
      contractId: null,
      applicantWording: null,
    });
    const approved = {
      ...apply('1', false),
      seq: 2,
      decidedAt: january(4),
      icd10: 'C34',
      diseaseName: '肺癌',
      firstDiagnosedOn: '2026-01-01',
      hospitalName: '医院',
    };
    await deliver([
      { event: applySubmitted, id: '1', seq: 1, at: january(3), payload: apply('1', false) },
      { event: applySubmitted, id: '2', seq: 1, at: january(3), payload: apply('2', true) },
      { event: applyApproved, id: '1', seq: 2, at: january(4), payload: approved },
    ]);
    expect((await figures(products[0]!)).now).toMatchObject({ applies: 1, passBp: 10_000 });
  });
});

describe('what is asked', () => {
  it('spans 24 months at most', async () => {
    expect(await app.refused(queryOverview, { from: '2024-01', to: '2026-01' }, { as: viewer })).toMatchObject({
      code: 'SCM12070',
      message: '统计区间最长24个月',
    });
    expect(await app.refused(queryTrend, { from: '2026-02', to: '2026-01' }, { as: viewer })).toMatchObject({ fields: [{ path: 'to' }] });
    await app.ok(queryOverview, { from: '2024-01', to: '2025-12', compare: 'YOY' }, { as: viewer });
  });

  it('by an insurer’s people is theirs alone (acceptance 22)', async () => {
    const scoped = await app.staff({ permissions: all, scope: { insurer: [insurers[0]!] } });
    const seen = await app.ok(queryRank, { ...inJanuary, groupBy: 'PRODUCT' }, { as: scoped });
    expect(seen.rows.map(({ key }) => key)).toEqual([products[0]]);
    expect((await app.ok(queryRank, { ...inJanuary, groupBy: 'INSURER' }, { as: viewer })).rows).toHaveLength(2);
    for (const other of [{ productIds: [products[1]!] }, { insurerIds: [insurers[1]!] }])
      expect(await app.refused(queryOverview, { ...inJanuary, ...other }, { as: scoped })).toMatchObject({ code: 'SCM90040' });
    // What is exported is what is seen: a row of the head, and one for each insurer.
    const sheetOf = async (as: TestStaff, view: 'INSURER' | 'PROVINCE') => {
      const { body } = await app.file(exportStatistics, { ...inJanuary, view }, { as });
      const sheet = zipEntries(body).find(({ name }) => name.endsWith('sheet1.xml'));
      return (await unzipEntry(body, sheet!, 100_000)).toString();
    };
    const rowsOf = async (as: TestStaff) => (await sheetOf(as, 'INSURER')).match(/<row /g)?.length;
    expect([await rowsOf(scoped), await rowsOf(viewer)]).toEqual([2, 3]);
    // A province goes by its name, and claims that wait for a decision are not called claims of a ranking.
    const provinces = await sheetOf(scoped, 'PROVINCE');
    for (const shown of ['省份', '核定件数', '江苏省']) expect(provinces).toContain(shown);
    expect(await app.refused(exportStatistics, { ...inJanuary, productIds: [products[1]!] }, { as: scoped })).toMatchObject({
      code: 'SCM90040',
    });
    const looker = await app.staff({ permissions: [statPermissions['stat.view'].code] });
    expect(await app.refused(exportStatistics, { ...inJanuary }, { as: looker })).toMatchObject({ code: 'SCM90010' });
    expect((await app.ok(queryAgeing, { ...inJanuary }, { as: scoped })).states).toEqual([]);
    expect(await app.ok(queryRank, { ...inJanuary, groupBy: 'CITY', within: '320000' }, { as: scoped })).toMatchObject({
      rows: [{ key: '320500' }],
    });
  });
});

describe('what control rules save', () => {
  it('counts the very hits that its list shows, under the same filters', async () => {
    const controllers = await controller(app);
    const { moduleId } = await makeModule(app, controllers);
    const warning = await makeRule(app, controllers, moduleId, { mode: 'WARN' });
    await publishRule(app, controllers, await controller(app), warning);
    const claim = (id: string, productAt: number, testUser: boolean): DecidedClaim => {
      const [submitted] = claimEvents(id, productAt);
      return { ...submitted!, payload: { ...submitted!.payload, testUser } };
    };
    await deliver([claim('810', 0, false), claim('811', 1, false), claim('812', 0, true)]);
    const hit = (claimId: string, lineNo: number, day: number): DecidedClaim => ({
      event: claimControlEvaluated,
      id: `${claimId}-${lineNo}-${day}`,
      seq: 1,
      at: january(day),
      payload: {
        evaluationId: `${claimId}-${lineNo}-${day}`,
        claimId,
        lineNo,
        ruleVersionId: warning.versionId,
        mode: 'WARN',
        savedFen: 100,
        trace: { text: '数量 3 > 2', missing: [] },
      },
    });
    await deliver([
      hit('810', 1, 1),
      hit('810', 2, 31),
      hit('811', 1, 15),
      // A test user's, one of a claim that nobody told of, and one of the month after.
      hit('812', 1, 15),
      hit('899', 1, 15),
      { ...hit('810', 3, 28), id: 'later', at: startOfDay('2026-02-01', '00:00') },
    ]);
    const both = await app.staff({ permissions: [...all, 'insurance.control.view'] });
    const figure = async (filter: object) =>
      (await app.ok(queryReasonTop, { ...inJanuary, ...filter }, { as: both })).savings.find(({ mode }) => mode === 'WARN');
    const listed = (filter: object) =>
      app.ok(queryControlHitList, { mode: 'WARN', from: '2026-01-01', to: '2026-01-31', testUser: false, ...filter }, { as: both });
    for (const [asked, shown, hits] of [
      [{}, {}, 3],
      [{ productIds: [products[0]!] }, { productId: [products[0]!] }, 2],
      [{ insurerIds: [insurers[1]!] }, { insurerId: [insurers[1]!] }, 1],
      [{ productLines: ['STANDARD'] }, { productLine: ['STANDARD'] }, 3],
      [{ adcodes: ['320000'] }, { adcode: ['320000'] }, 3],
    ] as const) {
      const { rows, total } = await listed(shown);
      expect(await figure(asked)).toEqual({ mode: 'WARN', hits, savedFen: rows.reduce((sum, { savedFen }) => sum + savedFen, 0) });
      expect(total).toBe(hits);
    }
    expect(await figure({ adcodes: ['310000'] })).toBeUndefined();
    expect((await listed({ adcode: ['310000'] })).total).toBe(0);
    const looker = await app.staff({ permissions: all });
    expect(await app.refused(queryControlHitList, {}, { as: looker })).toMatchObject({ code: 'SCM90010' });
  });
});
