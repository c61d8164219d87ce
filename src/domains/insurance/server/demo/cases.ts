import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { AdjudicationInput, LineInput } from '../../contract/adjudication/input.ts';
import type { VersionDocument } from '../../contract/model/document.ts';
import { NEVER_BEFORE } from '../../contract/rules/variables.ts';
import { adjudicateOn } from '../adjudication/adjudicate.ts';
import { specOf } from '../adjudication/specOf.ts';
import type { DemoLists } from './lists.ts';
import type { DemoProduct, VersionFate } from './frame.ts';
import type { Stage } from './stage.ts';

interface Tried {
  product: DemoProduct;
  versionId: string;
  document: VersionDocument;
  fate: VersionFate;
  drugs: DemoLists['drugs'];
}

const TRIED_AT = '10:20:00.000Z';

/** A claim on the hundred and fiftieth day of a version, when no waiting period is left. */
function claimOn(
  { product, document }: Tried,
  medicineId: string,
  qty: number,
  unitPriceFen: number,
  other: Partial<LineInput> = {},
  icd10 = 'C34.1',
): AdjudicationInput {
  const day = plusDays(document.effectiveFrom, 150);
  return {
    at: `${plusDays(day, 5)}T${TRIED_AT}`,
    stage: 'CLAIM',
    claim: {
      claimType: product.claimTypes[0]!,
      submittedOn: plusDays(day, 5),
      firstDiagnosedOn: plusDays(day, -10),
      icd10: [icd10],
      hospitalId: null,
      hospitalInScope: true,
      materials: ['PRESCRIPTION', 'DIAGNOSIS', 'GENE_TEST'],
      socialPaidFen: null,
      otherPaidFen: null,
    },
    cover: {
      planCode: document.plans[0]!.planCode,
      coverageStart: document.effectiveFrom,
      coverageEnd: plusDays(document.effectiveFrom, 364),
      continuousFrom: document.effectiveFrom,
      hasSocial: true,
      preExistingIcd: [],
      personId: '1',
      familySubjectId: '1',
    },
    lines: [
      {
        lineNo: 1,
        medicineId,
        serviceDate: day,
        qtyMilli: qty * 1000,
        unitPriceFen,
        amountFen: qty * unitPriceFen,
        socialSettled: true,
        socialPaidFen: null,
        otherPaidFen: null,
        monthsSinceFirstDose: 2,
        facts: { 'line.qty30d': '0', 'line.sinceLastDays': NEVER_BEFORE },
        ...other,
      },
    ],
    balances: {},
    countedDays: {},
    facts: {},
    overrides: [],
  };
}

/** Test cases of a version with what its content gives; on one draft two of them expect something else. */
export async function demoCases(stage: Stage, tried: Tried): Promise<void> {
  const { tx, now, maker } = stage;
  const { product, versionId, document, fate, drugs } = tried;
  const spec = await specOf(tx, versionId);
  if (!spec) return;
  const slow = product.list === 'HMO';
  const drug = slow ? drugs.chronic : drugs.osimertinib;
  const price = slow ? 8_500 : 558_000;
  const social = slow ? 3_000 : 781_200;
  const has = (ruleCode: string) => product.rules.some(({ code }) => code === ruleCode);
  const cases: { caseName: string; input: AdjudicationInput }[] = [
    { caseName: '两盒，医保已结算', input: claimOn(tried, drug, 2, price, { socialPaidFen: social }) },
    { caseName: '四盒，无医保支付', input: claimOn(tried, drug, 4, price) },
    { caseName: '保障期外购药', input: claimOn(tried, drug, 1, price, { serviceDate: plusDays(document.effectiveFrom, -1) }) },
  ];
  if (has('GENE_TEST')) {
    const whole = claimOn(tried, drug, 2, price);
    cases.push({ caseName: '缺基因检测报告', input: { ...whole, claim: { ...whole.claim, materials: ['PRESCRIPTION'] } } });
  }
  if (has('QTY_MAX')) cases.push({ caseName: '数量超过上限', input: claimOn(tried, drug, 13, price) });
  const failing = product.code === 'CHR-2026' && fate === 'DRAFT';
  const ids = await reserve(tx, 'insurance_rule_test_case', cases.length);
  await bulk(
    tx,
    'insurance_rule_test_case',
    cases.map(({ caseName, input }, at) => {
      const result = adjudicateOn(spec, [], input);
      const wrong = failing && at < 2;
      const expected = { payableFen: result.payableFen + (wrong ? 100 : 0), outcome: result.outcome };
      return {
        id: ids[at]!,
        ownerType: 'PRODUCT_VERSION',
        ownerId: versionId,
        caseName,
        input,
        expected,
        active: true,
        lastResult: wrong ? 'FAIL' : 'PASS',
        lastContentHash: spec.contentHash,
        lastActual: {
          deviations: wrong ? ['应赔金额与期望相差1.00元'] : [],
          paidBenefits: result.lines.flatMap(({ payableFen, benefitCode }) =>
            payableFen > 0 && benefitCode !== null ? [benefitCode] : [],
          ),
          heldRules: result.rules.filter(({ missing }) => missing.length === 0).map(({ ruleCode }) => ruleCode),
        },
        lastRunAt: now,
        version: 1,
        createdAt: now,
        createdBy: maker.id,
        updatedAt: now,
        updatedBy: maker.id,
      };
    }),
  );
}
