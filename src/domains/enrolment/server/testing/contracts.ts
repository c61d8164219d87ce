import { policyRenewed } from '#events/policy.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadFile } from '#testing/uploads.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import { defaultEnrolConfig, type EnrolConfig } from '#domains/insurance/contract/model/enrolConfig.ts';
import type { ProductLine } from '#domains/insurance/contract/businessLines.ts';
import { own as ownInsurance } from '#domains/insurance/server/database.ts';
import { keeper as productKeeper, makeDraft } from '#domains/insurance/server/testing/products.ts';
import { itemOf, keeper as policyKeeper, passed, personWish, policyWish } from '#domains/policy/server/testing/fixtures.ts';
import { addPolicy } from '#domains/policy/contract/calls/policies.ts';
import { findOrCreate } from '#domains/patient/server/index.ts';
import { getInsuredForEnrol } from '#domains/policy/server/index.ts';
import { queryContractDetail, signContractOnPaper } from '../../contract/calls/contracts.ts';
import { queryContractPayDetail } from '../../contract/calls/contractPays.ts';
import { CONTRACT_PAY_PROOF, CONTRACT_SIGN } from '../../contract/contractPurposes.ts';
import { contractPermissions, payPermissions, applyPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { openContract } from '../contracts/open.ts';

let counter = 0;
const serial = () => (counter += 1);
export const NONE = '999999999';

/** Somebody who may do all that stands of contracts; each call makes another person. */
export const contractKeeper = (app: TestApp): Promise<TestStaff> =>
  app.staff({
    permissions: [...Object.values({ ...contractPermissions, ...payPermissions }), applyPermissions['apply.reveal']].map(
      ({ code }) => code,
    ),
  });
export const key = (as: TestStaff) => ({ as, idempotencyKey: `contract-${serial()}` });

export const acting = <T>(app: TestApp, work: (ctx: Acting) => Promise<T>): Promise<T> =>
  app.kernel.transactions.run('test', (writing) => work(asSystem(writing, { now: app.clock.now(), traceId: 'test' })));

/** A product on sale of a line, entered as this says; its one plan takes everybody. */
async function lineProduct(app: TestApp, productLine: ProductLine, enrol: Partial<EnrolConfig> = {}) {
  const draft = await makeDraft(app, await productKeeper(app), '2027-01-01', (document) => ({
    ...document,
    enrolConfig: { ...defaultEnrolConfig, ...enrol },
    plans: document.plans.map((plan) => ({
      ...plan,
      ageMax: 80,
      rates: [{ gender: 'ANY' as const, social: 'ANY' as const, ageFrom: 0, ageTo: 80, annualPremiumFen: 120_000 }],
    })),
  }));
  const db = ownInsurance(app.db);
  // Nobody publishes a version of the past today; this one was published long ago.
  await db
    .updateTable('insuranceProductVersion')
    .set({
      effectiveFrom: '2024-01-01',
      state: 'PUBLISHED',
      makerId: '1',
      checkerId: '2',
      submittedAt: app.clock.now(),
      publishedAt: app.clock.now(),
      contentHash: 'a'.repeat(64),
    })
    .where('id', '=', draft.productVersionId)
    .execute();
  await db.updateTable('insuranceProduct').set({ status: 'ON_SALE', productLine }).where('id', '=', draft.productId).execute();
  return { productId: draft.productId };
}

interface PersonOptions {
  productLine?: ProductLine;
  enrol?: Partial<EnrolConfig>;
  coverageStart?: Day;
  coverageEnd?: Day;
  person?: ReturnType<typeof personWish>;
}

/** Somebody whom a policy of the line covers since a month, for a year. */
export async function insuredPerson(
  app: TestApp,
  { productLine = 'STANDARD', enrol = {}, person = personWish(), ...cover }: PersonOptions = {},
) {
  const { productId } = await lineProduct(app, productLine, enrol);
  const coverageStart = cover.coverageStart ?? plusDays(app.clock.today(), -30);
  const coverageEnd = cover.coverageEnd ?? plusDays(coverageStart, 364);
  const policy = await policyOf(app, productId, { coverageStart, coverageEnd, person });
  return { ...policy, productId, person };
}

/** A policy that covers one person from its first day on. */
async function policyOf(
  app: TestApp,
  productId: string,
  { coverageStart, coverageEnd, person }: { coverageStart: Day; coverageEnd: Day; person: ReturnType<typeof personWish> },
) {
  const as = await policyKeeper(app);
  const wish = policyWish(productId, { coverageStart, coverageEnd });
  const { id: policyId } = await app.ok(addPolicy, wish, { as });
  await passed(app, as, await policyKeeper(app), {
    policyId,
    kind: 'ADD',
    effectiveOn: coverageStart,
    after: { person, planCode: 'P1' },
  });
  return { policyId, policyNo: wish.policyNo, insuredItemId: await itemOf(app, policyId, person.name) };
}

/** A contract that waits to be signed, as an approval opens it. */
export async function aContract(app: TestApp, options: PersonOptions & { waived?: boolean; applyId?: string } = {}) {
  const person = await insuredPerson(app, options);
  const opened = await acting(app, async (ctx) => {
    const insured = await getInsuredForEnrol(ctx.tx, { insuredItemId: person.insuredItemId, today: ctx.today });
    if (!insured) throw new Error('nobody is insured');
    const { patientId } = await findOrCreate(
      app.kernel,
      ctx,
      { name: insured.name, idType: null, idNo: null, mobile: null },
      'POLICY',
      ctx.now,
    );
    return openContract(app.kernel, ctx, {
      applyId: options.applyId ?? String(900_000 + serial()),
      origin: 'APPLY',
      productLine: insured.productLine,
      productId: insured.productId,
      productVersionId: insured.productVersionId,
      planCode: 'P1',
      insuredItemId: insured.insuredItemId,
      policyId: insured.policyId,
      policyNo: insured.policyNo,
      insurerId: insured.insurerId,
      adcode: insured.adcode,
      patientId,
      hospitalId: null,
      drugKey: '1',
      drugIds: ['1'],
      insured,
      coverageStart: insured.coveredFrom ?? '',
      coverageEnd: insured.coveredTo ?? '',
      continuousFrom: insured.continuousFrom,
      hasSocial: insured.hasSocial,
      preExistingIcd: insured.preExistingIcd,
      familySubjectId: insured.familySubjectId,
      waived: options.waived ?? false,
    });
  });
  return { ...person, ...opened };
}

const paper = (text: string) =>
  renderPdf({ title: text, watermark: '测试', footer: text, blocks: [{ kind: 'text', text: `${text}${serial()}` }] });
export const signedPaper = (app: TestApp, as: TestStaff) =>
  uploadFile(app, as, CONTRACT_SIGN, { fileName: '签署合同.pdf', contentType: 'application/pdf', bytes: paper('签署合同') });
export const voucher = (app: TestApp, as: TestStaff) =>
  uploadFile(app, as, CONTRACT_PAY_PROOF, { fileName: '凭证.pdf', contentType: 'application/pdf', bytes: paper('凭证') });

export const detailOf = (app: TestApp, as: TestStaff, contractId: string) => app.ok(queryContractDetail, { contractId }, { as });
export const versionOf = async (app: TestApp, as: TestStaff, contractId: string) => (await detailOf(app, as, contractId)).contract.version;

/** One that was signed on paper today. */
export async function signedContract(app: TestApp, as: TestStaff, options: Parameters<typeof aContract>[1] = {}) {
  const made = await aContract(app, options);
  const fileId = await signedPaper(app, as);
  const version = await versionOf(app, as, made.contractId);
  await app.ok(signContractOnPaper, { contractId: made.contractId, version, signedOn: app.clock.today(), fileId }, { as });
  return made;
}
export const payOf = async (app: TestApp, as: TestStaff, contractId: string) => {
  const [pay] = (await app.ok(queryContractPayDetail, { contractId }, { as })).pays;
  if (!pay) throw new Error('nothing is to be paid');
  return pay;
};
/** As it is stored. */
export const stored = (app: TestApp, contractId: string) =>
  own(app.db).selectFrom('enrolmentContract').selectAll().where('id', '=', contractId).executeTakeFirstOrThrow();

/** One that gives its rights since some days: signed that long ago, free unless said otherwise. */
export async function activeContract(app: TestApp, as: TestStaff, options: Parameters<typeof aContract>[1] = {}) {
  const made = await signedContract(app, as, options);
  const today = app.clock.today();
  await own(app.db)
    .updateTable('enrolmentContract')
    .set({
      startDate: today,
      state: 'ACTIVE',
      createdAt: `${plusDays(today, -20)}T00:00:00.000Z`,
      signedAt: `${plusDays(today, -20)}T00:00:00.000Z`,
    })
    .where('id', '=', made.contractId)
    .execute();
  return made;
}

/** One near its end, whose policy goes on with the same person. */
export async function renewableContract(app: TestApp, as: TestStaff, options: Parameters<typeof aContract>[1] = {}) {
  const made = await activeContract(app, as, { coverageStart: plusDays(app.clock.today(), -340), ...options });
  const { coverageEnd } = await stored(app, made.contractId);
  const coverageStart = plusDays(coverageEnd, 1);
  const next = await policyOf(app, made.productId, { coverageStart, coverageEnd: plusDays(coverageStart, 364), person: made.person });
  await acting(app, (ctx) =>
    ctx.publish(policyRenewed, next.policyId, {
      policyId: next.policyId,
      policyNo: next.policyNo,
      productId: made.productId,
      productVersionId: '1',
      insurerId: null,
      coverageStart,
      coverageEnd: plusDays(coverageStart, 364),
      reason: null,
      terminatedOn: null,
      renewalOfPolicyId: made.policyId,
    }),
  );
  await app.runDue();
  return { ...made, next };
}
