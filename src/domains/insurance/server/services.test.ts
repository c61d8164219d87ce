import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addAppendedProduct } from '../contract/links/calls.ts';
import { changeProductStatus } from '../contract/products/listCalls.ts';
import { own } from './database.ts';
import {
  describeRules,
  getAgreementPrice,
  getInsurer,
  getLinks,
  getReasonText,
  listLimits,
  pinVersion,
  quotePremium,
  resolveVersion,
} from './index.ts';
import { keeper, makeDraft, makeInsurer, makeProduct, proveDraft, publish, release, type Draft } from './testing/products.ts';

let app: TestApp;
let maker: TestStaff;
let draft: Draft;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  draft = await makeDraft(app, maker, app.clock.today(), (one) => ({
    ...one,
    limitGroups: [
      {
        groupCode: 'D1',
        groupName: '年免赔额',
        kind: 'DEDUCTIBLE',
        period: 'YEAR',
        subject: 'FAMILY',
        amountFen: 10_000,
        otherPayOffsets: true,
      },
      {
        groupCode: 'T1',
        groupName: '每次自付',
        kind: 'DEDUCTIBLE',
        period: 'CLAIM',
        subject: 'PERSON',
        amountFen: 100,
        otherPayOffsets: false,
      },
    ],
    benefits: one.benefits.map((benefit) => ({ ...benefit, timesPerYear: 12, lifetimeFen: 90_000_000 })),
  }));
});
afterAll(() => app.close());

const pin = (endsOn: string | null = null) => ({
  productVersionId: draft.productVersionId,
  refType: 'policy',
  refId: '7',
  endsOn,
  now: app.clock.now(),
});
const pinned = (wish = pin()) => app.kernel.transactions.run('test', ({ tx }) => pinVersion(tx, wish));

describe('what policies take of a product', () => {
  it('a version that is published and on sale, by the day, and its premium to the fen', async () => {
    const today = app.clock.today();
    expect(await resolveVersion(app.db, draft.productId, today)).toBeNull();
    await expect(pinned()).rejects.toMatchObject({ code: 'SCM12019' });
    await proveDraft(app, maker, draft);
    await publish(app, maker, await keeper(app), draft);
    expect(await resolveVersion(app.db, draft.productId, today)).toMatchObject({
      productVersionId: draft.productVersionId,
      versionNo: 1,
      productLine: 'STANDARD',
      status: 'DRAFT',
    });
    expect(await resolveVersion(app.db, draft.productId, plusDays(today, -1))).toBeNull();
    await expect(pinned()).rejects.toMatchObject({ code: 'SCM12019' });
    await app.ok(changeProductStatus, { id: draft.productId, version: 1, action: 'onSale' }, { as: maker });
    await pinned();
    await pinned(pin(plusDays(today, 364)));
    const pins = await own(app.db)
      .selectFrom('insuranceVersionPin')
      .select('endsOn')
      .where('productVersionId', '=', draft.productVersionId)
      .execute();
    expect(pins).toEqual([{ endsOn: plusDays(today, 364) }]);

    const wish = { productVersionId: draft.productVersionId, planCode: 'P1', gender: 'F', social: 'YES', birthDate: '1990-01-01' } as const;
    const days = { from: '2026-01-01', to: '2026-12-31' };
    expect(await quotePremium(app.db, { ...wish, ...days })).toMatchObject({ annualPremiumFen: 36_500, days: 365, amountFen: 36_500 });
    expect((await quotePremium(app.db, { ...wish, from: '2026-01-01', to: '2026-01-31' })).amountFen).toBe(3_100);
    await expect(quotePremium(app.db, { ...wish, ...days, birthDate: '1950-01-01' })).rejects.toMatchObject({ code: 'SCM12015' });
    await expect(quotePremium(app.db, { ...wish, ...days, planCode: 'NONE' })).rejects.toMatchObject({ code: 'SCM12015' });
  });

  it('the limits that outlast a claim, named, and the terms in sentences', async () => {
    const limits = await listLimits(app.db, draft.productVersionId, 'P1');
    expect(limits.map(({ key, label, period, subject, unit, limitAmount }) => [key, label, period, subject, unit, limitAmount])).toEqual([
      [`DED:${draft.productId}:D1`, '年免赔额（每保单年度免赔额，家庭）', 'YEAR', 'FAMILY', 'FEN', 10_000],
      [`PAY:${draft.productId}:OUT_DRUG`, '院外特药费用年限额', 'YEAR', 'PERSON', 'FEN', 20_000_000],
      [`PAY:${draft.productId}:OUT_DRUG`, '院外特药费用终身限额', 'LIFE', 'PERSON', 'FEN', 90_000_000],
      [`CNT:${draft.productId}:OUT_DRUG`, '院外特药费用年次数', 'YEAR', 'PERSON', 'TIMES', 12],
      [`SUM:${draft.productId}:P1`, '基础版保额', 'YEAR', 'PERSON', 'FEN', 100_000_000],
    ]);
    expect(await listLimits(app.db, draft.productVersionId, 'NONE')).toEqual([]);
    const [terms] = await describeRules(app.db, draft.productVersionId);
    expect(terms).toMatchObject({ code: 'OUT_DRUG', title: '院外特药费用' });
    expect(terms!.sentences).toEqual(
      expect.arrayContaining([
        '适用《特药目录》V1。',
        '赔80%。',
        '无医保的被保人均按医保目录外赔付：赔80%。',
        '年限额200,000.00元。',
        '购药后180天内申请。',
      ]),
    );
  });

  it('its insurer, its links on a day, prices agreed with chains, wordings of reasons', async () => {
    const insurerId = await makeInsurer(app);
    expect(await getInsurer(app.db, insurerId)).toMatchObject({ shortName: '众安', fundMode: 'ADVANCE', status: 'ENABLED' });
    expect(await getInsurer(app.db, '999999999')).toBeNull();
    const today = app.clock.today();
    const main = await makeProduct(app, maker, { insurerId });
    const other = await makeDraft(app, maker, today, undefined, { insurerId });
    await release(app, other.productVersionId);
    await app.ok(
      addAppendedProduct,
      { mainProductId: main.id, otherProductId: other.productId, attachMode: 'MUST', effectiveFrom: today, overflow: true },
      { as: maker },
    );
    expect(await getLinks(app.db, other.productId, plusDays(today, -1))).toEqual([]);
    expect(await getLinks(app.db, other.productId, today)).toMatchObject([
      { linkType: 'APPENDED', mainProductId: main.id, overflow: true },
    ]);
    expect(await getAgreementPrice(app.db, draft.productVersionId, '1', '5', today)).toBeNull();
    expect(await getReasonText(app.db, 'L02')).toMatchObject({ label: '等待期内' });
  });
});
