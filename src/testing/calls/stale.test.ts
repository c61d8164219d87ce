import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { platformErrors } from '#kernel/contract/errors.ts';
import { fieldFacts, shapeOf } from '#kernel/contract/field.ts';
import { labelOf } from '#kernel/contract/labels.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { allCases } from '../allCases.ts';
import { startTestApp, type TestApp } from '../testApp.ts';

// Generated from the forms of all pages: one that carries a version is told, when it comes too late, what stands in the record now,
// field by field. What the answer does not hold the dialog cannot show, and an operator who sees no difference undoes a colleague's work.

const root = path.join(import.meta.dirname, '../../..');
const sources = globSync('src/domains/*/web/**/*.tsx', { cwd: root }).map((file) => readFileSync(path.join(root, file), 'utf8'));
const formed = new Set(
  sources.flatMap((text) => [...text.matchAll(/(?:FormDrawer|FormDialog|useFormCommand)<typeof (\w+)/g)].map((hit) => hit[1]!)),
);
const versioned = allCases.filter(({ call }) => formed.has(call.operation) && 'version' in shapeOf(call.input));
/** Forms that write a record's fields; others act on it. */
const edits = versioned.filter(({ call }) => /^(addOrModify|modify|adjust)/.test(call.operation));

/** Which record it is, and what is said of the act alone. */
const NO_FIELDS = ['id', 'version', 'action', 'opinion', 'reason', 'submit', 'confirmed'];
/** Fields that the answer does not hold, by their reason. */
const UNTOLD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'AssistantService/modifyAssistant': { mobile: 'masked: an empty one stays as it is' },
  'ClaimRuleService/modifyClaimRule': { claimRuleId: 'names the record' },
  'ClaimRuleService/modifyTestCase': { testCaseId: 'names the record' },
  'CardBatchService/modifyBatch': { batchId: 'names the record' },
  'ControlService/modifyControlRule': { versionId: 'names the record' },
  'DoctorAccountService/modifyDoctorPayAccount': {
    idNo: 'masked: an empty one stays as it is',
    bankAccountNo: 'masked: an empty one stays as it is',
    mobile: 'masked: an empty one stays as it is',
  },
  'DoctorInfoService/modifyDoctorInfo': {
    doctorId: 'names the record',
    mobile: 'masked: an empty one stays as it is',
    idNo: 'masked: an empty one stays as it is',
    certs: 'certificates are changed by applications, which are audited one by one',
  },
  'ContractSignService/modifyEnrolApply': {
    applyId: 'names the record',
    materials: 'papers are added to those that stand',
    ...Object.fromEntries(['applicantIdNo', 'applicantMobile', 'address'].map((key) => [key, 'sensitive: an empty one stays as it is'])),
    ...Object.fromEntries(
      ['baseline', 'diseaseName', 'dosePlan', 'geneResult', 'healthDeclaration', 'icd10', 'measures', 'pathologyResult', 'stage'].map(
        (key) => [key, 'medical: told to who may read the application'],
      ),
    ),
  },
  'DrugstoreService/modifyChain': {
    contactMobile: 'masked: an empty one stays as it is',
    account: 'sensitive: an empty one stays as it is',
  },
  'DrugstoreService/modifyDrugstore': {
    managerMobile: 'masked: an empty one stays as it is',
    account: 'sensitive: an empty one stays as it is',
  },
  'EhrService/modifyDiagnosis': { switchPrimary: 'said of the act' },
  'FormularyService/modifyFormularyLine': { lineId: 'names the record' },
  'FormularyService/modifyFormularyVersion': { formularyVersionId: 'names the record' },
  'HmoService/modifySpecialUser': { mobile: 'masked: an empty one stays as it is', idNo: 'masked: an empty one stays as it is' },
  'ImMedicalGroupService/modifyGroupPriority': { groupId: 'names the record' },
  'ImMedicalGroupService/modifyGroupTags': { groupId: 'names the record' },
  'ImMedicalGroupService/modifySendPolicy': { groupId: 'names the record' },
  'InsuranceProductService/modifyAppendedProduct': { linkId: 'names the record' },
  'InsuranceProductService/modifyAssociatedProduct': { linkId: 'names the record' },
  'ManualOrderService/modifyManualOrder': {
    manualOrderId: 'names the record',
    ...Object.fromEntries(['buyerName', 'mobile', 'idNo'].map((key) => [key, 'masked: an empty one stays as it is'])),
  },
  'PackageCycleService/addOrModifyPackageCycle': Object.fromEntries(
    ['scenePackageId', 'timeOption', 'sendTime', 'age', 'playMode', 'materialIds', 'target', 'touchKind'].map((key) => [
      key,
      'there is no cycle yet: one that is stored is told whole',
    ]),
  ),
  'PolicyService/modifyEndorsement': { after: 'sensitive: its draft stands beside it, for who wrote it' },
  'PolicyService/modifyPolicy': { holderContact: 'masked: an empty one stays as it is' },
  'QuestionnaireService/modifyQuestionnaire': { newVersion: 'said of the act' },
  'ScenePackageService/modifyScenePackagePolicy': { scenePackageId: 'names the record' },
  'SettleRuleService/modifyPayerEntity': { bankAccountNo: 'masked: an empty one stays as it is' },
  'SuffererService/modifyContactPerson': { mobile: 'masked: an empty one stays as it is', idNo: 'masked: an empty one stays as it is' },
  'SuffererService/modifyPatient': {
    patientId: 'names the record',
    idNo: 'masked: an empty one stays as it is',
    mobile: 'masked: an empty one stays as it is',
    address: 'sensitive: an empty one stays as it is',
    ...Object.fromEntries(
      ['allergyHistory', 'bloodType', 'drinking', 'familyHistory', 'heightCm', 'pastHistory', 'pregnancyState', 'smoking', 'weightG'].map(
        (key) => [key, 'medical: told to who may read the record'],
      ),
    ),
  },
  'VisitRecordService/modifyVisitRecord': Object.fromEntries(
    ['chiefComplaint', 'presentIllness', 'pastHistory', 'allergy', 'diagnoses', 'advice'].map((key) => [
      key,
      'medical: told to who may reveal it',
    ]),
  ),
  'SupplierService/modifySupplier': { secret: 'written alone: an empty one stays as it is' },
};
const stale = z.looseObject({ current: z.looseObject({ version: z.int() }) });
const TOO_HIGH = 2_000_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

it('is tried for the forms of many domains', () => expect(edits.length).toBeGreaterThan(60));

it('finds a name in the contract for every field of a form that carries a version', () => {
  const nameless = versioned.flatMap(({ call }) =>
    Object.entries(shapeOf(call.input)).flatMap(([key, schema]) => (labelOf(schema) === undefined ? [`${call.name}.${key}`] : [])),
  );
  expect(nameless).toEqual([]);
});

describe.each(edits)('$call.name, on a record that somebody changed', (entry) => {
  const { call } = entry;
  it('answers what stands in each of its fields now', async () => {
    const as = await app.staff(entry.as ?? { permissions: permissionCodesOf(call) });
    await entry.prepare?.(app, as);
    const input = { ...Object(await entry.valid(app, as)), version: TOO_HIGH };
    const refused = await app.refused(call, input, { as });
    expect(refused.code).toBe(platformErrors.CHANGED.code);
    const { current } = stale.parse(refused.data);
    const reasons = UNTOLD[call.name] ?? {};
    const untold = Object.entries(shapeOf(call.input)).flatMap(([key]) => (key in current || NO_FIELDS.includes(key) ? [] : [key]));
    expect(untold.toSorted()).toEqual(Object.keys(reasons).toSorted());
  });

  it('tells no sensitive field', () => {
    const masked = Object.entries(shapeOf(call.input)).flatMap(([key, schema]) => (fieldFacts(schema)?.mask ? [key] : []));
    expect(masked.filter((key) => !(UNTOLD[call.name] ?? {})[key])).toEqual([]);
  });
});
