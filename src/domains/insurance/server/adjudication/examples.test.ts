import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { AdjudicationInput } from '../../contract/adjudication/input.ts';
import { withProduct } from '../../contract/adjudication/keys.ts';
import type { AdjudicationResult, StepCode } from '../../contract/adjudication/result.ts';
import { trialAdjudicate } from '../../contract/claimRules/trial.ts';
import type { Benefit, BenefitTier, LimitGroup } from '../../contract/model/document.ts';
import { boxes, claimOf, line } from '../../contract/testing/specs.ts';
import { addDraft, documentFrom, keeper, makeFormulary, makeProduct } from '../testing/products.ts';

// The worked examples of the design, written as versions are written and tried as a page tries them (acceptance 1, 3 and 4).
let app: TestApp;
let maker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
});
afterAll(() => app.close());

const tier = (rateBp: number, other: Partial<BenefitTier> = {}): BenefitTier => ({
  social: 'ANY',
  preExisting: 'ANY',
  monthFrom: 0,
  monthTo: 999,
  fromFen: 0,
  toFen: null,
  rateBp,
  ...other,
});
const group = (groupCode: string, amountFen: number, other: Partial<LimitGroup> = {}): LimitGroup => ({
  groupCode,
  groupName: groupCode,
  kind: 'DEDUCTIBLE',
  period: 'YEAR',
  subject: 'PERSON',
  amountFen,
  otherPayOffsets: false,
  ...other,
});

interface Wish {
  listed?: Parameters<typeof makeFormulary>[1];
  groups?: LimitGroup[];
  benefits: Partial<Benefit>[];
}

/** A draft that says this, and what a claim gets under it. */
async function versionOf({ listed, groups = [], benefits }: Wish): Promise<(input: AdjudicationInput) => Promise<AdjudicationResult>> {
  const list = await makeFormulary(app, listed);
  const document = documentFrom('2026-12-01', list);
  const [first] = document.benefits;
  const { id } = await makeProduct(app, maker);
  const { productVersionId } = await addDraft(app, maker, id, {
    ...document,
    limitGroups: groups,
    benefits: benefits.map((one) => ({ ...first!, perYearFen: null, tiers: [tier(10_000)], ...one })),
  });
  // The examples write accounts as the design does; the product that they are of is known here.
  return (input) => {
    const balances = Object.fromEntries(Object.entries(input.balances).map(([key, used]) => [withProduct(key, id), used]));
    return app.ok(trialAdjudicate, { productVersionId, input: { ...input, balances } }, { as: maker });
  };
}

const cells = ({ lines }: AdjudicationResult, lineNo: number, codes: readonly StepCode[]) =>
  codes.map((code) => lines.find((one) => one.lineNo === lineNo)?.steps.find((step) => step.code === code)?.after);
const codesOf = ({ lines }: AdjudicationResult, lineNo = 1) => lines.find((one) => one.lineNo === lineNo)!.reasons.map(({ code }) => code);
const movesOf = ({ moves }: AdjudicationResult) => Object.fromEntries(moves.map(({ key, delta }) => [key.replace(/:\d+:/, ':'), delta]));
const y = '@2026-01-01';

describe('the worked examples, through the trial', () => {
  it('E0: two lines, a shared deductible, a price cap and a quantity that a person lowered', async () => {
    const run = await versionOf({
      listed: { 1: { maxUnitPriceFen: '530000' } },
      groups: [group('D1', 1_600_000)],
      benefits: [
        { benefitCode: 'A80', drugScope: ['1'], deductibleGroup: 'D1', tiers: [tier(8000)], perYearFen: 20_000_000 },
        { benefitCode: 'B75', priority: 2, drugScope: ['2'], deductibleGroup: 'D1', tiers: [tier(7500)], perItemYearFen: 500_000 },
      ],
    });
    const result = await run(
      claimOf([boxes(1, '1', 2, 558_000, { socialPaidFen: 0 }), boxes(2, '2', 3, 123_457, { socialPaidFen: 90_000 })], {
        balances: { [`DED:D1${y}`]: 1_000_000, [`ITEM:B75:2${y}`]: 370_000, [`PAY:A80${y}`]: 10_000_000 },
        overrides: [{ lineNo: 2, kind: 'QTY', value: 2000, reasonCode: 'L06', by: '处方剩余量' }],
      }),
    );
    expect(cells(result, 1, ['W01', 'W04', 'W07', 'W08', 'W14'])).toEqual([1_116_000, 1_060_000, 460_000, 368_000, 368_000]);
    expect(cells(result, 2, ['W01', 'W03', 'W05', 'W08', 'W09'])).toEqual([370_371, 246_914, 186_914, 140_186, 130_000]);
    expect(result).toMatchObject({ payableFen: 498_000, claimedFen: 1_486_371, outcome: 'PARTIAL' });
  });

  it('E1, E6: what social insurance paid is taken off; rates by months since the first dose', async () => {
    const run = await versionOf({
      benefits: [{ tiers: [tier(10_000, { monthTo: 3 }), tier(5000, { monthFrom: 4, monthTo: 6 })] }],
    });
    const paid = [];
    for (const monthsSinceFirstDose of [2, 5, 7])
      paid.push(await run(claimOf([boxes(1, '1', 2, 558_000, { socialPaidFen: 781_200, monthsSinceFirstDose })])));
    expect(paid.map(({ payableFen }) => payableFen)).toEqual([334_800, 167_400, 0]);
    expect(codesOf(paid[2]!)).toContain('L11');
  });

  it('E2: the deductible of the year, a pre-existing disease, a medicine that is not listed', async () => {
    const run = await versionOf({
      listed: { 1: { socialCategory: 'OUTSIDE' } },
      groups: [group('D1', 1_600_000)],
      benefits: [{ deductibleGroup: 'D1', tiers: [tier(4000, { social: 'OUTSIDE', preExisting: 'Y' }), tier(8000, { preExisting: 'N' })] }],
    });
    const result = await run(
      claimOf([boxes(1, '1', 2, 1_791_800), boxes(2, '999', 1, 126_000)], {
        cover: { preExistingIcd: ['C34'] },
        balances: { [`DED:D1${y}`]: 1_200_000 },
      }),
    );
    expect(result).toMatchObject({ claimedFen: 3_709_600, payableFen: 1_273_440 });
    expect(codesOf(result, 2)).toEqual(['L04']);
    expect(movesOf(result)).toMatchObject({ [`DED:D1${y}`]: 400_000, [`PAY:OUT_DRUG${y}`]: 1_273_440, [`LAD:OUT_DRUG${y}`]: 3_183_600 });
  });

  it('E3: quantity, price, and another payer whose amount counts toward the deductible', async () => {
    const run = await versionOf({
      listed: { 1: { maxQtyPerClaimMilli: '3000', maxUnitPriceFen: '950000' } },
      groups: [group('D1', 1_000_000, { otherPayOffsets: true })],
      benefits: [{ deductibleGroup: 'D1', tiers: [tier(6000, { social: 'NOT_SETTLED' })] }],
    });
    const result = await run(claimOf([boxes(1, '1', 4, 999_000, { socialSettled: false, otherPaidFen: 200_000 })]));
    expect(cells(result, 1, ['W01', 'W03', 'W04', 'W06', 'W07', 'W08'])).toEqual([
      3_996_000, 2_997_000, 2_850_000, 2_700_000, 1_850_000, 1_110_000,
    ]);
    expect(movesOf(result)[`DED:D1${y}`]).toBe(1_000_000);
  });

  it('E4: a ladder by the amount of the year, then its ceiling', async () => {
    const run = await versionOf({
      benefits: [{ tiers: [tier(8000, { toFen: 5_000_000 }), tier(9000, { fromFen: 5_000_000 })], perYearFen: 20_000_000 }],
    });
    const balances = { [`LAD:OUT_DRUG${y}`]: 4_600_000, [`PAY:OUT_DRUG${y}`]: 19_300_000 };
    const result = await run(claimOf([boxes(1, '1', 1, 1_000_000)], { balances }));
    expect(cells(result, 1, ['W07', 'W08', 'W11'])).toEqual([1_000_000, 860_000, 700_000]);
    expect(codesOf(result)).toContain('L14');
  });

  it('E5: what was paid for the claim falls on its lines; per claim and times a year; a co-payment', async () => {
    const rate = await versionOf({ benefits: [{ tiers: [tier(8500)] }] });
    const two = [line(1, { unitPriceFen: 33_335, amountFen: 33_335 }), line(2, { unitPriceFen: 66_665, amountFen: 66_665 })];
    const spread = await rate(
      claimOf(
        two.map((one) => ({ ...one, medicineId: '1' })),
        { claim: { socialPaidFen: 10_001 } },
      ),
    );
    expect([cells(spread, 1, ['W05', 'W08']), cells(spread, 2, ['W05'])]).toEqual([[30_001, 25_501], [59_998]]);

    const perClaim = await versionOf({ benefits: [{ tiers: [tier(9000)], perClaimFen: 10_000, timesPerYear: 12 }] });
    const capped = await perClaim(claimOf([boxes(1, '1', 3, 4580)]));
    expect([capped.payableFen, codesOf(capped)]).toEqual([10_000, expect.arrayContaining(['L13'])]);
    const thirteenth = await perClaim(claimOf([boxes(1, '1', 3, 4580)], { balances: { [`CNT:OUT_DRUG${y}`]: 12 } }));
    expect([thirteenth.payableFen, codesOf(thirteenth)]).toEqual([0, ['L16']]);

    const daas = await versionOf({
      groups: [group('COPAY', 2000, { period: 'CLAIM' })],
      benefits: [{ socialMode: 'IGNORE', deductibleGroup: 'COPAY', perYearFen: 20_000 }],
    });
    const copay = await daas(claimOf([boxes(1, '1', 2, 8500)], { balances: { [`PAY:OUT_DRUG${y}`]: 8000 } }));
    expect(cells(copay, 1, ['W07', 'W11'])).toEqual([15_000, 12_000]);
  });
});

it('waits for thirty days from the first of January, unless the cover goes on without a gap; tells of all gates; never rises', async () => {
  const run = await versionOf({ benefits: [{ waitingDays: 30, waitingEffect: 'DISEASE' }] });
  const on = async (firstDiagnosedOn: string, continuousFrom = '2026-01-01') => {
    const result = await run(claimOf([boxes(1, '1', 1, 10_000)], { claim: { firstDiagnosedOn }, cover: { continuousFrom } }));
    return [result.payableFen, codesOf(result)];
  };
  expect(await on('2026-01-30')).toEqual([0, ['L02']]);
  expect(await on('2026-01-31')).toEqual([10_000, []]);
  expect(await on('2026-01-30', '2025-01-01')).toEqual([10_000, []]);
  expect(await on('2026-01-31', '2025-01-01')).toEqual([10_000, []]);

  const both = await run(claimOf([boxes(1, '999', 1, 100, { serviceDate: '2027-01-01' })], { claim: { submittedOn: '2027-01-02' } }));
  expect([both.payableFen, codesOf(both)]).toEqual([0, ['L01', 'L04']]);
  const lowered = async (value: number) => {
    const overrides: AdjudicationInput['overrides'] = [{ lineNo: 1, kind: 'AMOUNT', value, reasonCode: 'L23', by: '李审核' }];
    return (await run(claimOf([boxes(1, '1', 1, 10_000)], { overrides }))).payableFen;
  };
  expect([await lowered(4000), await lowered(99_999_999)]).toEqual([4000, 10_000]);
});
