import { usccOf } from '#kernel/contract/uscc.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addClaimRule, modifyClaimRule, removeClaimRule } from '../contract/claimRules/calls.ts';
import { queryClaimRules } from '../contract/claimRules/read.ts';
import { queryTrialRiders, trialAdjudicate } from '../contract/claimRules/trial.ts';
import { boxes, claimOf } from '../contract/testing/specs.ts';
import {
  addInsurer,
  delInsurer,
  exportInsurerList,
  modifyInsurer,
  queryInsurerList,
  revealInsurerMobile,
  setInsurerStatus,
} from '../contract/insurers/calls.ts';
import {
  addAppendedProduct,
  addAssociatedProduct,
  exportAssociatedProduct,
  modifyAppendedProduct,
  modifyAssociatedProduct,
  queryAppendableProducts,
  queryAppendedProductList,
  queryAssociatedProductList,
  queryProductGraph,
  removeAppendedProduct,
  removeAssociatedProduct,
} from '../contract/links/calls.ts';
import {
  addProduct,
  addProductVersion,
  auditProductVersion,
  checkProductVersion,
  modifyProduct,
  modifyProductVersion,
  queryProductDetail,
  queryProductVersionDetail,
} from '../contract/products/calls.ts';
import {
  changeProductStatus,
  copyProduct,
  delProduct,
  delProductVersion,
  diffProductVersion,
  exportProductList,
  queryProductCounts,
  queryProductList,
  quotePremium,
} from '../contract/products/listCalls.ts';
import { queryProductOptions } from '../contract/products/options.ts';
import { exportReasonText, modifyReasonText, queryReasonTextList } from '../contract/reasons/calls.ts';
import { addTestCase, modifyTestCase, queryTestCaseList, removeTestCase, runTestCases } from '../contract/tests/calls.ts';
import { controlCases } from './controls/controls.cases.ts';
import { formularyCases, NONE } from './formulary/formulary.cases.ts';
import { own } from './database.ts';
import { keeper, makeDraft, makeInsurer, makeProduct, proveDraft, publish, release, soon, type Draft } from './testing/products.ts';

let serial = 0;
const insurer = () => {
  serial += 1;
  return {
    insurerCode: `CS${serial}`,
    insurerName: `测试保险${serial}`,
    shortName: '测试',
    insurerType: 'HEALTH' as const,
    uscc: usccOf(`91310000MA1K${String(serial).padStart(5, '0')}`),
    contacts: [{ name: '王敏', role: 'CLAIM' as const, mobile: '13800138000' }],
    auditMode: 'PLATFORM' as const,
    fundMode: 'ADVANCE' as const,
    invoiceVariant: 'STANDARD' as const,
  };
};
const anInsurer = async (app: TestApp) => {
  const { id, version } = await app.ok(addInsurer, insurer(), { as: await keeper(app) });
  return { id, version };
};
const nobody = { id: NONE, version: 1 };

const product = async (app: TestApp) => {
  serial += 1;
  return {
    productCode: `CASE-${serial}`,
    productName: '测试产品',
    shortName: '测试',
    productLine: 'STANDARD' as const,
    productType: 'SPECIAL_DRUG' as const,
    insurerId: await makeInsurer(app),
    sponsorName: null,
    pharmaCompanyId: null,
    adcodes: [],
    ownerUserId: null,
  };
};
const aProduct = async (app: TestApp) => {
  const { id, version } = await makeProduct(app, await keeper(app));
  return { id, version };
};
const aDraft = async (app: TestApp): Promise<Draft> => makeDraft(app, await keeper(app), soon(app, 10));
const onSale = async (app: TestApp) => {
  const maker = await keeper(app);
  const draft = await makeDraft(app, maker, soon(app, 1));
  await proveDraft(app, maker, draft);
  await publish(app, maker, await keeper(app), draft);
  return { id: draft.productId, version: 1 };
};
const rule = {
  ruleCode: 'CASE_RULE',
  ruleName: '数量提示',
  ruleType: 'AMOUNT' as const,
  benefitCodes: [],
  claimTypes: [],
  expression: { op: 'AND' as const, items: [{ variable: 'line.qty', operator: '>' as const, value: '5' }] },
  outcome: 'WARN' as const,
  materialTypes: [],
  reasonCode: null,
  priority: 1,
  enabled: true,
};
const aRule = async (app: TestApp) => {
  const { productVersionId } = await aDraft(app);
  return app.ok(addClaimRule, { productVersionId, ...rule }, { as: await keeper(app) });
};
const testCase = { caseName: '一盒', active: true, input: claimOf([boxes(1, '1', 1, 10_000)]), expected: { payableFen: 8000 } };
const aCase = async (app: TestApp) => {
  const { productVersionId } = await aDraft(app);
  return app.ok(addTestCase, { productVersionId, ...testCase }, { as: await keeper(app) });
};

/** Two products of one insurer; the other one is sold. */
async function pair(app: TestApp) {
  const maker = await keeper(app);
  const insurerId = await makeInsurer(app);
  const main = await makeProduct(app, maker, { insurerId });
  const other = await makeDraft(app, maker, app.clock.today(), undefined, { insurerId });
  await release(app, other.productVersionId);
  return { mainProductId: main.id, otherProductId: other.productId };
}
const appended = (app: TestApp) => ({ attachMode: 'OPTIONAL' as const, effectiveFrom: app.clock.today() });
const anAppended = async (app: TestApp) => {
  const { mainProductId, otherProductId } = await pair(app);
  const made = await app.ok(addAppendedProduct, { mainProductId, otherProductId, ...appended(app) }, { as: await keeper(app) });
  return { ...made, otherProductId };
};
const associated = (app: TestApp) => ({ linkType: 'BUNDLE' as const, effectiveFrom: app.clock.today() });
const anAssociated = async (app: TestApp) => {
  const { mainProductId, otherProductId } = await pair(app);
  const made = await app.ok(addAssociatedProduct, { mainProductId, otherProductId, ...associated(app) }, { as: await keeper(app) });
  return { ...made, otherProductId };
};
const aReason = async (app: TestApp) => {
  const row = await own(app.db)
    .selectFrom('insuranceReasonText')
    .select(['id', 'version'])
    .where('reasonCode', '=', 'L01')
    .executeTakeFirstOrThrow();
  return { ...row, label: '不在保障期间', applicantText: '不在保障期间', internalText: '' };
};

const insurerCases: readonly CallCase[] = [
  callCase(queryInsurerList, async (app) => {
    await anInsurer(app);
    return {};
  }),
  callCase(exportInsurerList, async (app) => {
    await anInsurer(app);
    return {};
  }),
  callCase(addInsurer, async () => insurer()),
  callCase(modifyInsurer, async (app) => ({ ...(await anInsurer(app)), ...insurer() }), {
    foreign: async () => ({ ...nobody, ...insurer() }),
  }),
  callCase(setInsurerStatus, async (app) => ({ ...(await anInsurer(app)), action: 'disable' as const, opinion: '暂停合作' }), {
    foreign: async () => ({ ...nobody, action: 'disable' as const, opinion: '暂停合作' }),
  }),
  callCase(delInsurer, anInsurer, { foreign: async () => nobody }),
  callCase(revealInsurerMobile, async (app) => ({ id: (await anInsurer(app)).id, index: 0, reason: '联系理赔' }), {
    foreign: async () => ({ id: NONE, index: 0, reason: '联系理赔' }),
  }),
];

const productCases: readonly CallCase[] = [
  callCase(queryProductOptions, async () => ({ type: 'PRODUCT' as const })),
  callCase(queryProductList, async (app) => {
    await aDraft(app);
    return {};
  }),
  callCase(exportProductList, async (app) => {
    await aProduct(app);
    return {};
  }),
  callCase(queryProductCounts, async () => ({})),
  callCase(addProduct, (app) => product(app)),
  callCase(modifyProduct, async (app) => ({ ...(await aProduct(app)), ...(await product(app)) }), {
    foreign: async (app) => ({ ...nobody, ...(await product(app)) }),
  }),
  callCase(delProduct, aProduct, { foreign: async () => nobody }),
  callCase(
    copyProduct,
    async (app) => ({
      id: (await aProduct(app)).id,
      productCode: `COPY-${(serial += 1)}`,
      productName: '副本',
      effectiveFrom: soon(app, 5),
    }),
    { foreign: async (app) => ({ id: NONE, productCode: 'COPY-NONE', productName: '副本', effectiveFrom: soon(app, 5) }) },
  ),
  callCase(changeProductStatus, async (app) => ({ ...(await onSale(app)), action: 'onSale' as const }), {
    foreign: async () => ({ ...nobody, action: 'onSale' as const }),
  }),
  callCase(queryProductDetail, async (app) => ({ productId: (await aDraft(app)).productId }), {
    foreign: async () => ({ productId: NONE }),
  }),
  callCase(addProductVersion, async (app) => ({ productId: (await aProduct(app)).id, effectiveFrom: soon(app, 9) }), {
    foreign: async (app) => ({ productId: NONE, effectiveFrom: soon(app, 9) }),
  }),
  callCase(
    modifyProductVersion,
    async (app) => {
      const { productVersionId, version, document } = await aDraft(app);
      return { productVersionId, version, document };
    },
    {
      foreign: async (app) => ({ productVersionId: NONE, version: 1, document: (await aDraft(app)).document }),
    },
  ),
  callCase(
    delProductVersion,
    async (app) => {
      const { productVersionId, version } = await aDraft(app);
      return { productVersionId, version };
    },
    { foreign: async () => ({ productVersionId: NONE, version: 1 }) },
  ),
  callCase(queryProductVersionDetail, async (app) => ({ productVersionId: (await aDraft(app)).productVersionId }), {
    foreign: async () => ({ productVersionId: NONE }),
  }),
  callCase(checkProductVersion, async (app) => ({ productVersionId: (await aDraft(app)).productVersionId }), {
    foreign: async () => ({ productVersionId: NONE }),
  }),
  callCase(
    auditProductVersion,
    async (app) => {
      const maker = await keeper(app);
      const draft = await makeDraft(app, maker, soon(app, 10));
      await proveDraft(app, maker, draft);
      return { id: draft.productVersionId, version: draft.version, action: 'submit' as const, opinion: '新产品' };
    },
    { foreign: async () => ({ id: NONE, version: 1, action: 'submit' as const, opinion: '新产品' }) },
  ),
  callCase(
    diffProductVersion,
    async (app) => {
      const { productVersionId } = await aDraft(app);
      return { fromId: productVersionId, toId: productVersionId };
    },
    { foreign: async () => ({ fromId: NONE, toId: NONE }) },
  ),
  callCase(
    quotePremium,
    async (app) => {
      const from = app.clock.today();
      const { productVersionId } = await aDraft(app);
      return {
        productVersionId,
        planCode: 'P1',
        birthDate: '1990-05-01',
        gender: 'M' as const,
        social: 'YES' as const,
        from,
        to: plusDays(from, 99),
      };
    },
    {
      foreign: async (app) => ({
        productVersionId: NONE,
        planCode: 'P1',
        birthDate: '1990-05-01',
        gender: 'M' as const,
        social: 'YES' as const,
        from: app.clock.today(),
        to: app.clock.today(),
      }),
    },
  ),
];

const linkCases: readonly CallCase[] = [
  callCase(queryAppendedProductList, async (app) => ({ mainProductId: (await aProduct(app)).id }), {
    foreign: async () => ({ mainProductId: NONE }),
  }),
  callCase(queryAppendableProducts, async (app) => ({ mainProductId: (await aProduct(app)).id }), {
    foreign: async () => ({ mainProductId: NONE }),
  }),
  callCase(addAppendedProduct, async (app) => ({ ...(await pair(app)), ...appended(app) }), {
    foreign: async (app) => ({ mainProductId: NONE, otherProductId: NONE, ...appended(app) }),
  }),
  callCase(modifyAppendedProduct, async (app) => ({ ...(await anAppended(app)), ...appended(app) }), {
    foreign: async (app) => ({ linkId: NONE, version: 1, otherProductId: NONE, ...appended(app) }),
  }),
  callCase(
    removeAppendedProduct,
    async (app) => {
      const { linkId, version } = await anAppended(app);
      return { linkId, version };
    },
    { foreign: async () => ({ linkId: NONE, version: 1 }) },
  ),
  callCase(queryAssociatedProductList, async (app) => {
    await anAssociated(app);
    return {};
  }),
  callCase(exportAssociatedProduct, async (app) => {
    await anAssociated(app);
    return {};
  }),
  callCase(addAssociatedProduct, async (app) => ({ ...(await pair(app)), ...associated(app) }), {
    foreign: async (app) => ({ mainProductId: NONE, otherProductId: NONE, ...associated(app) }),
  }),
  callCase(modifyAssociatedProduct, async (app) => ({ ...(await anAssociated(app)), ...associated(app) }), {
    foreign: async (app) => ({ linkId: NONE, version: 1, otherProductId: NONE, ...associated(app) }),
  }),
  callCase(
    removeAssociatedProduct,
    async (app) => {
      const { linkId, version } = await anAssociated(app);
      return { linkId, version };
    },
    { foreign: async () => ({ linkId: NONE, version: 1 }) },
  ),
  callCase(queryProductGraph, async (app) => ({ productId: (await aProduct(app)).id }), { foreign: async () => ({ productId: NONE }) }),
];

const ruleCases: readonly CallCase[] = [
  callCase(queryClaimRules, async (app) => ({ productVersionId: (await aDraft(app)).productVersionId }), {
    foreign: async () => ({ productVersionId: NONE }),
  }),
  callCase(addClaimRule, async (app) => ({ productVersionId: (await aDraft(app)).productVersionId, ...rule }), {
    foreign: async () => ({ productVersionId: NONE, ...rule }),
  }),
  callCase(modifyClaimRule, async (app) => ({ ...(await aRule(app)), ...rule }), {
    foreign: async () => ({ claimRuleId: NONE, version: 1, ...rule }),
  }),
  callCase(removeClaimRule, aRule, { foreign: async () => ({ claimRuleId: NONE, version: 1 }) }),
  callCase(trialAdjudicate, async (app) => ({ productVersionId: (await aDraft(app)).productVersionId, input: testCase.input }), {
    foreign: async () => ({ productVersionId: NONE, input: testCase.input }),
  }),
  callCase(queryTrialRiders, async (app) => ({ productVersionId: (await aDraft(app)).productVersionId }), {
    foreign: async () => ({ productVersionId: NONE }),
  }),
  callCase(queryTestCaseList, async (app) => ({ productVersionId: (await aDraft(app)).productVersionId }), {
    foreign: async () => ({ productVersionId: NONE }),
  }),
  callCase(addTestCase, async (app) => ({ productVersionId: (await aDraft(app)).productVersionId, ...testCase }), {
    foreign: async () => ({ productVersionId: NONE, ...testCase }),
  }),
  callCase(modifyTestCase, async (app) => ({ ...(await aCase(app)), ...testCase }), {
    foreign: async () => ({ testCaseId: NONE, version: 1, ...testCase }),
  }),
  callCase(removeTestCase, aCase, { foreign: async () => ({ testCaseId: NONE, version: 1 }) }),
  callCase(runTestCases, async (app) => ({ productVersionId: (await aDraft(app)).productVersionId }), {
    foreign: async () => ({ productVersionId: NONE }),
  }),
  callCase(queryReasonTextList, async () => ({})),
  callCase(exportReasonText, async () => ({})),
  callCase(modifyReasonText, aReason, {
    foreign: async () => ({ id: NONE, version: 1, label: '无', applicantText: '无', internalText: '' }),
  }),
];

/** The cases of all calls of insurance, by topic. */
export const insuranceCases: readonly CallCase[] = [
  ...insurerCases,
  ...formularyCases,
  ...productCases,
  ...linkCases,
  ...ruleCases,
  ...controlCases,
];
