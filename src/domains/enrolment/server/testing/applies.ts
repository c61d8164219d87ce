import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadPaper } from '#testing/uploads.ts';
import type { ProductLine } from '#domains/insurance/contract/businessLines.ts';
import type { EnrolConfig } from '#domains/insurance/contract/model/enrolConfig.ts';
import type { VersionDocument } from '#domains/insurance/contract/model/document.ts';
import { own as ownInsurance } from '#domains/insurance/server/database.ts';
import { keeper as productKeeper, makeDraft } from '#domains/insurance/server/testing/products.ts';
import { makeHospital } from '#domains/institution/server/testing/fixtures.ts';
import { makeMedicine } from '#domains/pharma/server/testing/fixtures.ts';
import { addPolicy } from '#domains/policy/contract/calls/policies.ts';
import type { PersonInput } from '#domains/policy/contract/persons.ts';
import { itemOf, keeper as policyKeeper, passed, personWish, policyWish } from '#domains/policy/server/testing/fixtures.ts';
import { querySignContractDetail } from '../../contract/calls/applies.ts';
import { addEnrolApply } from '../../contract/calls/appliesEntry.ts';
import { auditSignContract, claimSignContract, saveSignContractWork, type AuditAction } from '../../contract/calls/appliesWork.ts';
import { applyPermissions } from '../../contract/permissions.ts';
import { ENROL_MATERIAL } from '../../contract/purposes.ts';

type Right = keyof typeof applyPermissions;
const FIRST: readonly Right[] = ['apply.view', 'apply.audit'];
const staffWith = (app: TestApp, rights: readonly Right[]): Promise<TestStaff> =>
  app.staff({ permissions: rights.map((right) => applyPermissions[right].code) });
export const enterer = (app: TestApp) => staffWith(app, ['apply.view', 'apply.enter']);
export const reviewer = (app: TestApp) => staffWith(app, FIRST);
export const rechecker = (app: TestApp) => staffWith(app, ['apply.view', 'apply.recheck']);
export const lead = (app: TestApp) => staffWith(app, [...FIRST, 'apply.supervise', 'apply.insurer', 'apply.reveal']);

let keys = 0;
/** Headers of a decision. */
export const deciding = (as: TestStaff) => ({ as, idempotencyKey: `enrol-decision-${(keys += 1)}` });

export interface Place {
  policyId: string;
  policyNo: string;
  productId: string;
  insurerId: string;
  drugId: string;
  hospitalId: string;
  line: ProductLine;
}
interface PlaceWish {
  line?: ProductLine;
  config?: Partial<EnrolConfig>;
  benefit?: Partial<VersionDocument['benefits'][number]>;
  coverageStart?: string;
}

/** A policy of a product whose drug is for lung cancer, one level of review and no papers but a diagnosis. */
export async function makePlace(app: TestApp, { line = 'STANDARD', config, benefit, coverageStart }: PlaceWish = {}): Promise<Place> {
  const enrolConfig = { requiredMaterials: ['DIAGNOSIS' as const], minHospitalGrade: 'ANY' as const, ...config };
  const draft = await makeDraft(app, await productKeeper(app), '2027-01-01', (document) => ({
    ...document,
    enrolConfig: { ...document.enrolConfig, ...enrolConfig },
    benefits: document.benefits.map((one) => ({ ...one, ...benefit })),
  }));
  const { id: drugId } = await makeMedicine(app);
  const lines = draft.document.benefits[0]!.formularyVersionId;
  await ownInsurance(app.db)
    .deleteFrom('insuranceFormularyLine')
    .where('formularyVersionId', '=', lines)
    .where('medicineId', '=', '2')
    .execute();
  await ownInsurance(app.db)
    .updateTable('insuranceFormularyLine')
    .set({ medicineId: drugId, icd10Prefixes: ['C34'] })
    .where('formularyVersionId', '=', lines)
    .where('medicineId', '=', '1')
    .execute();
  // Nobody publishes a version of the past today; this one was published long ago.
  await ownInsurance(app.db)
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
  const { insurerId } = await ownInsurance(app.db)
    .updateTable('insuranceProduct')
    .set({ status: 'ON_SALE', productLine: line })
    .where('id', '=', draft.productId)
    .returning('insurerId')
    .executeTakeFirstOrThrow();
  const policy = await app.ok(addPolicy, policyWish(draft.productId, coverageStart ? { coverageStart } : {}), {
    as: await policyKeeper(app),
  });
  const hospital = await makeHospital(app);
  return {
    policyId: policy.id,
    policyNo: policy.policyNo,
    productId: draft.productId,
    insurerId: insurerId ?? '',
    drugId,
    hospitalId: hospital.id,
    line,
  };
}

let persons = 0;
/** Somebody new on the list of the policy. */
export async function makePerson(app: TestApp, { policyId }: Place, more: Partial<PersonInput> = {}, effectiveOn = '2026-01-01') {
  persons += 1;
  const word = (words: string, power: number) => words[Math.floor(persons / 10 ** power) % 10];
  const name = more.name ?? `被保人${word('甲乙丙丁戊己庚辛壬癸', 0)}${word('子丑寅卯辰巳午未申酉', 1)}${word('春夏秋冬东南西北中外', 2)}`;
  // Nobody is born on the day of another one, so that they are not alike; the last of them in 2004.
  const birthDate = more.birthDate ?? plusDays('1970-01-01', (persons % 1_800) * 7);
  const person = personWish({ ...more, name, birthDate });
  const [maker, checker] = [await policyKeeper(app), await policyKeeper(app)];
  await passed(app, maker, checker, { policyId, kind: 'ADD', effectiveOn, after: { person, planCode: 'P1' } });
  return { insuredItemId: await itemOf(app, policyId, name), person };
}

type Wish = InputOf<typeof addEnrolApply>;
/** An application that has all that its product asks for. */
export async function applyWish(app: TestApp, place: Place, as: TestStaff, more: Partial<Wish> = {}): Promise<Wish> {
  const insuredItemId = more.insuredItemId ?? (await makePerson(app, place)).insuredItemId;
  return {
    enrolType: 'NEW',
    applicantRelation: 'SELF',
    diseaseName: '肺腺癌',
    icd10: 'C34.901',
    firstDiagnosedOn: '2026-10-08',
    drugId: place.drugId,
    hospitalId: place.hospitalId,
    baseline: place.line === 'RSB' ? { assessedOn: '2026-11-01', targetLesionMm: 62, ecog: 1, imagingFileId: null } : null,
    healthDeclaration: place.line === 'HMO' ? '血压偏高，规律服药' : null,
    materials: [{ materialType: 'DIAGNOSIS', fileId: await uploadPaper(app, as, ENROL_MATERIAL) }],
    submit: true,
    ...more,
    insuredItemId,
  };
}

/** One that waits for a reviewer. */
export async function waitingApply(app: TestApp, place: Place, more: Partial<Wish> = {}, as?: TestStaff) {
  const by = as ?? (await enterer(app));
  return { ...(await app.ok(addEnrolApply, await applyWish(app, place, by, more), { as: by })), enterer: by };
}

export const claimed = (app: TestApp, applyId: string, as: TestStaff, queue?: 'RECHECK') =>
  app.ok(claimSignContract, { applyId, ...(queue && { queue }) }, { as });

/** Says yes to every item that waits for a word. @param seer who may look at it, where the reviewer has no other right */
export async function agreed(
  app: TestApp,
  applyId: string,
  as: TestStaff,
  leaseToken: string,
  queue?: 'RECHECK',
  seer: TestStaff = as,
): Promise<void> {
  const { checks } = await app.ok(querySignContractDetail, { applyId }, { as: seer });
  const open = checks.filter(({ machineResult, humanVerdict }) => machineResult !== 'PASS' && humanVerdict === null);
  await app.ok(
    saveSignContractWork,
    {
      applyId,
      leaseToken,
      ...(queue && { queue }),
      checks: open.map(({ checkCode }) => ({ checkCode, humanVerdict: 'AGREE' as const, humanNote: '' })),
    },
    { as },
  );
}

type Decision = Partial<Omit<InputOf<typeof auditSignContract>, 'applyId' | 'action'>>;
/** What somebody decides of a case as it is now, as it would be sent. */
export async function decision(app: TestApp, applyId: string, action: AuditAction, as: TestStaff, more: Decision = {}) {
  const { version } = await app.ok(querySignContractDetail, { applyId }, { as });
  return { applyId, version, action, opinion: '材料齐全，同意', ...more };
}
export const decided = async (app: TestApp, applyId: string, action: AuditAction, as: TestStaff, more: Decision = {}) =>
  app.ok(auditSignContract, await decision(app, applyId, action, as, more), deciding(as));

/** Claims, says yes to what is open, and passes. */
export async function passedApply(app: TestApp, applyId: string, by?: TestStaff) {
  const as = by ?? (await reviewer(app));
  const { leaseToken } = await claimed(app, applyId, as);
  await agreed(app, applyId, as, leaseToken);
  return { ...(await decided(app, applyId, 'pass', as, { leaseToken })), reviewer: as };
}
