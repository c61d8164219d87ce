import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addConsent, addConsentText, queryConsentList, queryConsentTextList, withdrawConsent } from '../contract/calls/consent.ts';
import {
  addDiagnosis,
  addInspection,
  addRecordText,
  addTreatment,
  checkInspection,
  delDiagnosis,
  delRecordText,
  delTreatment,
  exportPatientRecord,
  modifyDiagnosis,
  modifyRecordText,
  modifyTreatment,
  queryIndicatorCodes,
  queryIndicatorTrend,
  exportInspectionCheckList,
  queryInspectionCheckList,
  queryPatientHistory,
  queryPatientModule,
  queryPatientOverview,
  requestInspection,
  voidInspection,
} from '../contract/calls/ehr.ts';
import {
  bindAccount,
  completePatientFile,
  requestPatientFiles,
  resolvePatient,
  submitConsent,
  submitInspection,
  submitRealName,
} from '../contract/calls/intranet.ts';
import {
  addPatientMerge,
  auditPatientMerge,
  exportPatientMergeList,
  previewPatientMerge,
  queryPatientMergeList,
} from '../contract/calls/merge.ts';
import { findEhrMedicineSuggested, queryHistoryDiagnosis, querySuffererBaseInfoByUserId } from '../contract/calls/panel.ts';
import { addPrivacyRequest, exportPrivacyRequestList, handlePrivacyRequest, queryPrivacyRequestList } from '../contract/calls/privacy.ts';
import {
  addRealNameCheck,
  addRealNameSwitch,
  auditRealName,
  delRealNameSwitch,
  exportRealNameCheckList,
  modifyRealNameSwitch,
  queryRealNameCheckList,
  queryRealNameHistory,
  queryRealNameSwitchList,
  resetRealName,
  resolveRealNameSwitch,
} from '../contract/calls/realName.ts';
import {
  addContactPerson,
  addPatient,
  breakGlass,
  delContactPerson,
  modifyContactPerson,
  modifyPatient,
  operatePatient,
  queryPatientDetail,
  queryPatientPicker,
  queryPatientQueues,
  queryPatientTrail,
  queryRecordAccessList,
  revealPatientField,
} from '../contract/calls/sufferer.ts';
import {
  clientUpload,
  freshIdNo,
  idNoOf,
  freshMobile,
  keeper,
  makeAccount,
  makeDiagnosis,
  makeInspection,
  makeMerge,
  makePatient,
  makeText,
  makeVerified,
  makeWithId,
  next,
  NONE,
  personInput,
  reportInput,
  requestNo,
  upload,
  versionOf,
} from './testing/fixtures.ts';

const one = async (app: TestApp) => (await makePatient(app)).id;
const nobody = async () => ({ patientId: NONE });
const account = async (app: TestApp) => makeAccount(app, await one(app));
const treatment = { kind: 'DRUG' as const, regimen: '二甲双胍', startOn: '2025-04-01' };
const diagnosis = { icd10: 'E11.9', diagnosedAt: '2025-03-01' };
const contact = (more: object = {}) => ({ name: '王家属', relation: 'SPOUSE' as const, mobile: freshMobile(), ...more });
const person = ({ name, gender }: { name: string; gender: 1 }) => ({ name, gender });

async function contactOf(app: TestApp) {
  const { id } = await app.ok(addContactPerson, { patientId: await one(app), ...contact() }, { as: await keeper(app) });
  return { id, version: 1 };
}
async function treatmentOf(app: TestApp) {
  const { id } = await makeDiagnosis(app, await one(app));
  return app.ok(addTreatment, { diagnosisId: id, ...treatment }, { as: await keeper(app) });
}
const textOf = async (app: TestApp) =>
  app.ok(addRecordText, { patientId: await one(app), paragraphCode: 'P01', text: '口渴多饮' }, { as: await keeper(app) });
const scope = () => String(300_000 + next());
const newSwitch = () => ({
  scopeType: 'DOCTOR' as const,
  scopeId: scope(),
  scopeName: '陈立',
  scene: 'CONSULT' as const,
  required: true,
  minMethod: 'ID2' as const,
  effectiveFrom: '2026-11-01T00:00:00.000Z',
  reason: '医生要求',
});
const switchOf = async (app: TestApp) => app.ok(addRealNameSwitch, newSwitch(), { as: await keeper(app) });
const requestOf = async (app: TestApp) =>
  app.ok(addPrivacyRequest, { patientId: await one(app), kind: 'COPY', detail: '申请复制病历' }, { as: await keeper(app) });

export const patientCases: readonly CallCase[] = [
  callCase(querySuffererBaseInfoByUserId, async (app) => ({ userId: await one(app) }), { foreign: async () => ({ userId: NONE }) }),
  callCase(queryHistoryDiagnosis, async (app) => ({ suffererOperatorId: await account(app), orderBy: 'diagnosis_time desc' }), {
    foreign: async () => ({ suffererOperatorId: NONE }),
  }),
  callCase(
    findEhrMedicineSuggested,
    async (app) => ({
      pageNo: 1,
      pageSize: 10,
      orderBy: 'inspection_time desc',
      moduleCode: 'modular004',
      paragraphCode: '',
      associatedId: await account(app),
      pageCode: 'IM_PANEL',
      preciseKeyValue: { status: '' },
    }),
    {
      foreign: async () => ({ moduleCode: 'modular002', associatedId: NONE }),
    },
  ),
  callCase(
    queryPatientModule,
    async (app) => {
      const patientId = await one(app);
      await makeInspection(app, patientId);
      return { patientId, moduleCode: 'modular004' };
    },
    { foreign: async () => ({ patientId: NONE, moduleCode: 'modular001' }) },
  ),
  callCase(
    queryPatientHistory,
    async (app) => {
      const patientId = await one(app);
      await makeDiagnosis(app, patientId);
      return { patientId };
    },
    { foreign: nobody },
  ),
  callCase(
    queryIndicatorTrend,
    async (app) => ({ patientId: await one(app), codes: ['FPG', 'HBA1C'], from: '2026-01-01', to: '2026-11-21' }),
    { foreign: async () => ({ patientId: NONE, codes: ['FPG'], from: '2026-01-01', to: '2026-11-21' }) },
  ),
  callCase(queryIndicatorCodes, async (app) => ({ patientId: await one(app) }), { foreign: nobody }),
  callCase(
    queryPatientOverview,
    async (app) => {
      const patientId = await one(app);
      await makeDiagnosis(app, patientId);
      return { patientId };
    },
    { foreign: nobody },
  ),
  callCase(addDiagnosis, async (app) => ({ patientId: await one(app), ...diagnosis }), {
    foreign: async () => ({ patientId: NONE, ...diagnosis }),
  }),
  callCase(modifyDiagnosis, async (app) => ({ id: (await makeDiagnosis(app, await one(app))).id, version: 1, ...diagnosis }), {
    foreign: async () => ({ id: NONE, version: 1, ...diagnosis }),
  }),
  callCase(delDiagnosis, async (app) => ({ id: (await makeDiagnosis(app, await one(app))).id, version: 1, reason: '录入有误' }), {
    foreign: async () => ({ id: NONE, version: 1, reason: '录入有误' }),
  }),
  callCase(addTreatment, async (app) => ({ diagnosisId: (await makeDiagnosis(app, await one(app))).id, ...treatment }), {
    foreign: async () => ({ diagnosisId: NONE, ...treatment }),
  }),
  callCase(modifyTreatment, async (app) => ({ ...(await treatmentOf(app)), ...treatment }), {
    foreign: async () => ({ id: NONE, version: 1, ...treatment }),
  }),
  callCase(delTreatment, async (app) => ({ ...(await treatmentOf(app)), reason: '录入有误' }), {
    foreign: async () => ({ id: NONE, version: 1, reason: '录入有误' }),
  }),
  callCase(addRecordText, async (app) => ({ patientId: await one(app), paragraphCode: 'P02' as const, text: '半年' }), {
    foreign: async () => ({ patientId: NONE, paragraphCode: 'P02' as const, text: '半年' }),
  }),
  callCase(modifyRecordText, async (app) => ({ ...(await textOf(app)), text: '一年' }), {
    foreign: async () => ({ id: NONE, version: 1, text: '一年' }),
  }),
  callCase(delRecordText, async (app) => ({ ...(await textOf(app)), reason: '录入有误' }), {
    foreign: async () => ({ id: NONE, version: 1, reason: '录入有误' }),
  }),
  callCase(addInspection, async (app, as) => ({ ...reportInput(await one(app)), fileIds: [await upload(app, as!)] }), {
    foreign: async () => ({ ...reportInput(NONE), conclusion: '正常' }),
  }),
  callCase(
    requestInspection,
    async (app) => ({ patientId: await one(app), kind: 'IMAGE' as const, itemName: '胸部CT', dueOn: '2026-12-01' }),
    { foreign: async () => ({ patientId: NONE, kind: 'IMAGE' as const, itemName: '胸部CT' }) },
  ),
  callCase(checkInspection, async (app) => ({ id: (await makeInspection(app, await one(app))).id, version: 1, conclusion: '血糖偏高' }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(voidInspection, async (app) => ({ id: (await makeInspection(app, await one(app))).id, version: 1, reason: '重复上传' }), {
    foreign: async () => ({ id: NONE, version: 1, reason: '重复上传' }),
  }),
  callCase(queryInspectionCheckList, async (app) => {
    await makeInspection(app, await one(app));
    return { kind: 'LAB' as const };
  }),
  callCase(exportInspectionCheckList, async (app) => {
    await makeInspection(app, await one(app));
    return {};
  }),
  callCase(
    exportPatientRecord,
    async (app) => ({
      patientId: await one(app),
      modules: ['BASE' as const, 'HISTORY' as const, 'modular004' as const],
      reason: '转诊使用',
    }),
    { foreign: async () => ({ patientId: NONE, modules: ['BASE' as const], reason: '转诊使用' }) },
  ),

  callCase(queryPatientPicker, async (app) => ({ keyword: (await makePatient(app)).patientNo })),
  callCase(queryPatientDetail, async (app) => ({ patientId: (await makeVerified(app)).id }), { foreign: nobody }),
  callCase(addPatient, async () => ({ ...personInput(), idType: 'ID' as const, idNo: freshIdNo().idNo, allergyHistory: '青霉素' })),
  callCase(
    modifyPatient,
    async (app) => {
      const made = await makePatient(app);
      return { patientId: made.id, version: 1, ...person({ name: made.name, gender: 1 }), occupation: '教师' };
    },
    { foreign: async () => ({ patientId: NONE, version: 1, name: '王某', gender: 1 as const }) },
  ),
  callCase(revealPatientField, async (app) => ({ patientId: await one(app), fields: ['mobile' as const] }), {
    foreign: async () => ({ patientId: NONE, fields: ['mobile' as const] }),
  }),
  callCase(breakGlass, async (app) => ({ patientId: await one(app), reason: '患者急诊需要查看过敏史' }), {
    foreign: async () => ({ patientId: NONE, reason: '患者急诊需要查看过敏史' }),
  }),
  callCase(operatePatient, async (app) => ({ patientId: await one(app), version: 1, action: 'freeze' as const, opinion: '疑似盗用' }), {
    foreign: async () => ({ patientId: NONE, version: 1, action: 'freeze' as const, opinion: '疑似盗用' }),
  }),
  callCase(addContactPerson, async (app) => ({ patientId: await one(app), ...contact() }), {
    foreign: async () => ({ patientId: NONE, ...contact() }),
  }),
  callCase(modifyContactPerson, async (app) => ({ ...(await contactOf(app)), name: '李家属', relation: 'CHILD' as const }), {
    foreign: async () => ({ id: NONE, version: 1, name: '李家属', relation: 'CHILD' as const }),
  }),
  callCase(delContactPerson, contactOf, { foreign: async () => ({ id: NONE, version: 1 }) }),
  callCase(
    queryRecordAccessList,
    async (app) => {
      const patientId = await one(app);
      await versionOf(app, patientId);
      return { patientId, kind: ['VIEW' as const] };
    },
    { foreign: nobody },
  ),
  callCase(queryPatientTrail, async (app) => ({ patientId: (await makeVerified(app)).id }), { foreign: nobody }),
  callCase(queryPatientQueues, async () => ({})),

  callCase(queryRealNameCheckList, async (app) => {
    await makeWithId(app, {}, 996);
    return { scope: 'AUDIT' as const, state: ['FAILED' as const] };
  }),
  callCase(exportRealNameCheckList, async (app) => {
    await makeWithId(app, {}, 996).then(async ({ id, by, birthDate }) =>
      app.ok(addRealNameCheck, { patientId: id, version: 1, idNo: idNoOf(birthDate, 996) }, { as: by }),
    );
    return {};
  }),
  callCase(queryRealNameHistory, async (app) => ({ patientId: (await makeVerified(app)).id }), { foreign: nobody }),
  callCase(addRealNameCheck, async (app) => ({ patientId: (await makeWithId(app)).id, version: 1 }), {
    foreign: async () => ({ patientId: NONE, version: 1 }),
  }),
  callCase(
    auditRealName,
    async (app, as) => {
      const { id, by } = await makeWithId(app, {}, 999);
      await app.ok(addRealNameCheck, { patientId: id, version: 1, name: '阿依·买买提' }, { as: by });
      return {
        patientId: id,
        version: await versionOf(app, id),
        action: 'toManual' as const,
        opinion: '姓名含间隔号',
        fileIds: [await upload(app, as!)],
      };
    },
    { foreign: async () => ({ patientId: NONE, version: 1, action: 'manualPass' as const, opinion: '核对无误' }) },
  ),
  callCase(
    resetRealName,
    async (app) => {
      const { id } = await makeVerified(app);
      return { patientId: id, version: await versionOf(app, id), opinion: '本人要求' };
    },
    { foreign: async () => ({ patientId: NONE, version: 1, opinion: '本人要求' }) },
  ),
  callCase(queryRealNameSwitchList, async (app) => {
    await switchOf(app);
    return { scene: ['CONSULT' as const] };
  }),
  callCase(addRealNameSwitch, async () => newSwitch()),
  callCase(
    modifyRealNameSwitch,
    async (app) => ({
      id: (await switchOf(app)).id,
      version: 1,
      required: false,
      minMethod: 'ID3' as const,
      effectiveFrom: '2026-11-02T00:00:00.000Z',
      reason: '放宽要求',
    }),
    {
      foreign: async () => ({
        id: NONE,
        version: 1,
        required: false,
        minMethod: 'ID3' as const,
        effectiveFrom: '2026-11-02T00:00:00.000Z',
        reason: '放宽要求',
      }),
    },
  ),
  callCase(delRealNameSwitch, async (app) => ({ id: (await switchOf(app)).id, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(resolveRealNameSwitch, async () => ({ scene: 'PRESCRIBE' as const, doctorId: '5' })),

  callCase(queryConsentList, async (app) => ({ patientId: await one(app) }), { foreign: nobody }),
  callCase(
    addConsent,
    async (app, as) => {
      await makeText(app, 'TELEMED');
      return { patientId: await one(app), consentType: 'TELEMED' as const, by: 'STAFF' as const, evidenceFileId: await upload(app, as!) };
    },
    {
      foreign: async () => ({ patientId: NONE, consentType: 'TELEMED' as const, by: 'SELF' as const }),
    },
  ),
  callCase(
    withdrawConsent,
    async (app) => {
      await makeText(app, 'SHARE_PHARMA');
      const patientId = await one(app);
      const as = await keeper(app);
      await app.ok(addConsent, { patientId, consentType: 'SHARE_PHARMA', by: 'SELF', evidenceFileId: await upload(app, as) }, { as });
      return { patientId, consentType: 'SHARE_PHARMA' as const, by: 'SELF' as const };
    },
    { foreign: async () => ({ patientId: NONE, consentType: 'SHARE_PHARMA' as const, by: 'SELF' as const }) },
  ),
  callCase(queryConsentTextList, async () => ({})),
  callCase(addConsentText, async () => ({
    consentType: 'CROSS_PERSON' as const,
    docVersion: `C${next()}`,
    title: '代他人提交同意书',
    effectiveFrom: '2026-12-01T00:00:00.000Z',
  })),

  callCase(queryPatientMergeList, async (app) => {
    await makeMerge(app);
    return { scope: 'AUDIT' as const, state: ['PENDING' as const] };
  }),
  callCase(exportPatientMergeList, async (app) => {
    await makeMerge(app);
    return {};
  }),
  callCase(previewPatientMerge, async (app) => ({ fromId: await one(app), intoId: await one(app) }), {
    foreign: async (app) => ({ fromId: await one(app), intoId: NONE }),
  }),
  callCase(addPatientMerge, async (app) => ({ fromId: await one(app), intoId: await one(app), reason: '同一患者' }), {
    foreign: async (app) => ({ fromId: NONE, intoId: await one(app), reason: '同一患者' }),
  }),
  callCase(auditPatientMerge, async (app) => ({ id: (await makeMerge(app)).id, version: 1, action: 'approve' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'approve' as const }),
  }),
  callCase(queryPrivacyRequestList, async (app) => {
    await requestOf(app);
    return { state: ['OPEN' as const] };
  }),
  callCase(exportPrivacyRequestList, async (app) => {
    await requestOf(app);
    return {};
  }),
  callCase(addPrivacyRequest, async (app) => ({ patientId: await one(app), kind: 'CORRECT' as const, detail: '更正出生日期' }), {
    foreign: async () => ({ patientId: NONE, kind: 'CORRECT' as const, detail: '更正出生日期' }),
  }),
  callCase(handlePrivacyRequest, async (app) => ({ id: (await requestOf(app)).id, version: 1, action: 'start' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'start' as const }),
  }),

  callCase(resolvePatient, async () => ({ externalRequestNo: requestNo(), ...personInput() }), { as: null }),
  callCase(
    bindAccount,
    async (app) => ({
      externalRequestNo: requestNo(),
      operatorId: String(700_000 + next()),
      mobile: freshMobile(),
      patientId: await one(app),
    }),
    {
      as: null,
      foreign: async () => ({
        externalRequestNo: requestNo(),
        operatorId: String(700_000 + next()),
        mobile: freshMobile(),
        patientId: NONE,
      }),
    },
  ),
  callCase(requestPatientFiles, async () => ({ files: [{ fileName: '血生化.png', size: 400, contentType: 'image/png' }] }), { as: null }),
  callCase(completePatientFile, async (app) => ({ fileId: await clientUpload(app, false) }), {
    as: null,
    foreign: async () => ({ fileId: NONE }),
  }),
  callCase(
    submitInspection,
    async (app) => {
      const { patientId, ...report } = reportInput(await one(app));
      return { externalRequestNo: requestNo(), patientId, ...report, indicators: [{ code: 'HBA1C', value: '7.1', unit: '%' }] };
    },
    {
      as: null,
      foreign: async () => ({ externalRequestNo: requestNo(), ...reportInput(NONE) }),
    },
  ),
  callCase(
    submitConsent,
    async (app) => {
      await makeText(app, 'MARKETING');
      return {
        externalRequestNo: requestNo(),
        patientId: await one(app),
        consentType: 'MARKETING' as const,
        act: 'GRANT' as const,
        by: 'SELF' as const,
        channel: 'MINI',
      };
    },
    {
      as: null,
      foreign: async () => ({
        externalRequestNo: requestNo(),
        patientId: NONE,
        consentType: 'MARKETING' as const,
        act: 'GRANT' as const,
        by: 'SELF' as const,
        channel: 'MINI',
      }),
    },
  ),
  callCase(
    submitRealName,
    async (app) => ({ externalRequestNo: requestNo(), patientId: await one(app), name: '张建国', idNo: freshIdNo().idNo }),
    { as: null, foreign: async () => ({ externalRequestNo: requestNo(), patientId: NONE, name: '张建国', idNo: freshIdNo().idNo }) },
  ),
];
