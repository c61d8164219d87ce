import type { Insertable } from 'kysely';
import { systemClock } from '#kernel/server/clock.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { boxes, claimOf } from '../../contract/testing/specs.ts';
import { defaultEnrolConfig } from '../../contract/model/enrolConfig.ts';
import type { VersionDocument } from '../../contract/model/document.ts';
import { addProduct, addProductVersion, auditProductVersion, modifyProductVersion } from '../../contract/products/calls.ts';
import {
  claimRulePermissions,
  formularyPermissions,
  insurerPermissions,
  productPermissions,
  reasonPermissions,
  trialPermissions,
} from '../../contract/permissions.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { addTestCase, runTestCases } from '../../contract/tests/calls.ts';
import { own } from '../database.ts';
import { contentHashOf } from '../products/document.ts';
import type { InsuranceFormularyLine } from '../tables.ts';

let counter = 0;
const serial = () => (counter += 1);

/** Somebody who may do all that stands of insurance. */
export const keeper = (app: TestApp, without: readonly string[] = []): Promise<TestStaff> =>
  app.staff({
    permissions: [insurerPermissions, productPermissions, formularyPermissions, claimRulePermissions, trialPermissions, reasonPermissions]
      .flatMap((all) => Object.values(all))
      .map(({ code }) => code)
      .filter((code) => !without.includes(code)),
  });

/** What the list says of one of its medicines, besides what it says of all. */
type ListedWish = Partial<Pick<Insertable<InsuranceFormularyLine>, 'maxUnitPriceFen' | 'maxQtyPerClaimMilli' | 'socialCategory'>>;

/** A drug list whose one version holds the medicines 1 and 2. */
export async function makeFormulary(
  app: Pick<TestApp, 'db'>,
  wishes: Readonly<Record<string, ListedWish>> = {},
): Promise<{ formularyId: string; formularyVersionId: string }> {
  const timestamps = { createdAt: systemClock.now(), updatedAt: systemClock.now() };
  const db = own(app.db);
  const { id: formularyId } = await db
    .insertInto('insuranceFormulary')
    .values({ formularyCode: `F-${serial()}`, name: '特药目录', ...timestamps })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: formularyVersionId } = await db
    .insertInto('insuranceFormularyVersion')
    .values({ formularyId, versionNo: 1, effectiveFrom: '2020-01-01', state: 'DRAFT', ...timestamps })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('insuranceFormularyLine')
    .values(
      ['1', '2'].map((medicineId) => ({
        formularyVersionId,
        medicineId,
        medicineNo: `M${medicineId}`,
        genericName: medicineId === '1' ? '奥希替尼片' : '安罗替尼胶囊',
        indicationCode: 'NSCLC',
        indicationText: '非小细胞肺癌',
        socialCategory: 'INSIDE' as const,
        ...timestamps,
        ...wishes[medicineId],
      })),
    )
    .execute();
  return { formularyId, formularyVersionId };
}

/** The document of a version that pays 80 % of what social insurance left, from the first of a month on. */
export const documentFrom = (effectiveFrom: string, list: Awaited<ReturnType<typeof makeFormulary>>): VersionDocument => ({
  effectiveFrom,
  effectiveTo: null,
  clauseFileId: '1',
  filingNo: '备案2026-1',
  claimTypes: [{ claimType: 'REIMBURSE', label: '报销', materials: [], slaWorkdays: 5 }],
  claimWindowDays: 180,
  regionsAllowed: [],
  hospitalScope: 'ANY',
  hospitalIds: [],
  drugstoreIds: [],
  enrolConfig: defaultEnrolConfig,
  gapNote: '',
  plans: [
    {
      planCode: 'P1',
      planName: '基础版',
      sumInsuredFen: 100_000_000,
      ageMin: 0,
      ageMax: 60,
      socialRequired: 'ANY',
      overrides: { groups: {}, benefits: {} },
      rates: [{ gender: 'ANY', social: 'ANY', ageFrom: 0, ageTo: 60, annualPremiumFen: 36_500 }],
    },
  ],
  limitGroups: [],
  benefits: [
    {
      benefitCode: 'OUT_DRUG',
      benefitName: '院外特药费用',
      claimTypes: ['REIMBURSE'],
      priority: 1,
      formularyId: list.formularyId,
      formularyMode: 'PINNED',
      formularyVersionId: list.formularyVersionId,
      drugScope: [],
      diseasePrefixes: [],
      waitingDays: 0,
      waitingEffect: 'PERIOD',
      preExistingMode: 'COVER',
      socialMode: 'DEDUCT',
      deductibleGroup: null,
      ceilingGroups: [],
      perLineFen: null,
      perItemYearFen: null,
      perClaimFen: null,
      perYearFen: 20_000_000,
      lifetimeFen: null,
      timesPerYear: null,
      tiers: [{ social: 'ANY', preExisting: 'ANY', monthFrom: 0, monthTo: 999, fromFen: 0, toFen: null, rateBp: 8000 }],
    },
  ],
  rights: [],
});

export interface Draft {
  productId: string;
  productVersionId: string;
  version: number;
  document: VersionDocument;
}

/** A day that comes. */
export const soon = (app: TestApp, days: number): string => plusDays(app.clock.today(), days);

export async function makeInsurer(app: TestApp): Promise<string> {
  serial();
  const { id } = await own(app.db)
    .insertInto('insuranceInsurer')
    .values({
      insurerCode: `ZZ${counter}`,
      insurerName: `众安保险${counter}`,
      shortName: '众安',
      namePinyin: 'zhongan',
      insurerType: 'PROPERTY',
      uscc: `92310000${String(counter).padStart(10, '0')}`,
      auditMode: 'PLATFORM',
      fundMode: 'ADVANCE',
      invoiceVariant: 'STANDARD',
      status: 'ENABLED',
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const makeProduct = async (app: TestApp, maker: TestStaff, more: { insurerId?: string; productCode?: string } = {}) =>
  app.ok(
    addProduct,
    {
      productCode: `SPD-${serial()}`,
      productName: '特药险',
      shortName: '特药险',
      productLine: 'STANDARD',
      productType: 'SPECIAL_DRUG',
      insurerId: more.insurerId ?? (await makeInsurer(app)),
      sponsorName: null,
      pharmaCompanyId: null,
      adcodes: [],
      ownerUserId: null,
      ...(more.productCode !== undefined && { productCode: more.productCode }),
    },
    { as: maker },
  );

/** A product with a draft that is whole but for its test cases. */
export async function makeDraft(
  app: TestApp,
  maker: TestStaff,
  from: string,
  change: (one: VersionDocument) => VersionDocument = (one) => one,
  more: { insurerId?: string } = {},
): Promise<Draft> {
  const product = await makeProduct(app, maker, more);
  return addDraft(app, maker, product.id, change(documentFrom(from, await makeFormulary(app))));
}

/** One more draft of a product, filled in. */
export async function addDraft(app: TestApp, maker: TestStaff, productId: string, document: VersionDocument): Promise<Draft> {
  const added = await app.ok(addProductVersion, { productId, effectiveFrom: document.effectiveFrom }, { as: maker });
  // The clauses come by their own upload.
  await own(app.db)
    .updateTable('insuranceProductVersion')
    .set({ clauseFileId: '1', clauseSha256: 'a'.repeat(64) })
    .where('id', '=', added.productVersionId)
    .execute();
  const saved = await app.ok(modifyProductVersion, { ...added, document }, { as: maker });
  return { productId, ...saved, document };
}

/** Test cases as a submission asks for them. */
export async function proveDraft(app: TestApp, maker: TestStaff, { productVersionId }: Draft, cases = 3): Promise<void> {
  for (let n = 1; n <= cases; n += 1) {
    const input = claimOf([boxes(1, '1', n, 10_000)]);
    await app.ok(
      addTestCase,
      { productVersionId, caseName: `${n}盒`, active: true, input, expected: { payableFen: n * 8000 } },
      { as: maker },
    );
  }
  await app.ok(runTestCases, { productVersionId }, { as: maker });
}

/** Hands a draft in and has another person pass it. */
export async function publish(app: TestApp, maker: TestStaff, checker: TestStaff, draft: Draft): Promise<{ id: string; version: number }> {
  const submitted = await app.ok(
    auditProductVersion,
    { id: draft.productVersionId, version: draft.version, action: 'submit', opinion: '年度更新' },
    { as: maker },
  );
  return app.ok(
    auditProductVersion,
    { id: draft.productVersionId, version: submitted.version, action: 'approve', opinion: '同意' },
    { as: checker },
  );
}

/** Published without the two persons, for tests that are about something else. */
export async function release(app: Pick<TestApp, 'db' | 'clock'>, productVersionId: string): Promise<void> {
  await own(app.db)
    .updateTable('insuranceProductVersion')
    .set({
      state: 'PUBLISHED',
      makerId: '1',
      checkerId: '2',
      publishedAt: app.clock.now(),
      contentHash: await contentHashOf(app.db, productVersionId),
    })
    .where('id', '=', productVersionId)
    .execute();
}
