import * as z from 'zod/mini';
import { id, idOut, intOrNull, text, textOrNull } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { diagnosisStates, outcomes, recordSources, treatmentKinds } from '../dictionaries.ts';
import { at, personBrief } from '../fields.ts';
import { moduleRow } from '../modules.ts';
import { patientPermissions as may } from '../permissions.ts';

const gateway = declareService('SuffererService', 'gateway');

const ehr = declareService('EhrService', 'gateway');

const treatmentRow = z.strictObject({
  id: idOut,
  diagnosisId: idOut,
  kind: treatmentKinds.schema,
  regimen: z.string(),
  lineNo: intOrNull,
  startOn: z.string(),
  endOn: textOrNull,
  outcome: z.nullable(outcomes.schema),
  adverseGrade: intOrNull,
  note: z.string(),
  source: recordSources.schema,
  fileIds: z.array(idOut),
  version: z.int(),
});
export const diagnosisRow = z.strictObject({
  id: idOut,
  patientId: idOut,
  icd10: z.string(),
  name: z.string(),
  stage: textOrNull,
  isPrimary: z.boolean(),
  diagnosedAt: z.string(),
  hospitalId: textOrNull,
  hospitalName: z.string(),
  departmentName: z.string(),
  doctorName: z.string(),
  state: diagnosisStates.schema,
  source: recordSources.schema,
  verifiedBy: textOrNull,
  fileIds: z.array(idOut),
  version: z.int(),
  createdAt: at,
  treatments: z.array(treatmentRow),
});
export type DiagnosisRow = z.output<typeof diagnosisRow>;
export type TreatmentRow = z.output<typeof treatmentRow>;

/** Who the patient is, as the record and the consultation panel show it. Medical text stands in full here and nowhere else. */
export const baseInfo = z.strictObject({
  ...personBrief.shape,
  /** The id that was asked for, when it was merged into this record. */
  mergedFrom: z.nullable(z.strictObject({ patientId: idOut, patientNo: z.string() })),
  region: textOrNull,
  addressMasked: textOrNull,
  occupation: z.string(),
  medicalInsuranceType: textOrNull,
  heightCm: intOrNull,
  weightG: intOrNull,
  bloodType: textOrNull,
  allergyHistory: z.string(),
  pastHistory: z.string(),
  familyHistory: z.string(),
  smoking: textOrNull,
  drinking: textOrNull,
  pregnancyState: textOrNull,
  coverLabels: z.array(z.string()),
  deceasedOn: textOrNull,
  alerts: z.array(z.strictObject({ kind: z.enum(['ALLERGY', 'DECEASED', 'FOLLOW_UP_STOPPED', 'FROZEN']), text: z.string() })),
});
export type BaseInfo = z.output<typeof baseInfo>;

export const querySuffererBaseInfoByUserId = gateway.read({
  operation: 'querySuffererBaseInfoByUserId',
  label: '查看患者基本信息',
  access: may['record.view'],
  input: { userId: field('患者账号', id) },
  output: baseInfo,
});
export const queryHistoryDiagnosis = ehr.read({
  operation: 'queryHistoryDiagnosis',
  label: '查看诊疗史',
  access: may['record.view'],
  input: { suffererOperatorId: field('患者账号', id), orderBy: z.optional(text('排序', 40)) },
  output: z.array(diagnosisRow),
});
export const findEhrMedicineSuggested = ehr.list({
  operation: 'findEhrMedicineSuggested',
  label: '查看病历资料',
  access: may['record.view'],
  filter: {
    orderBy: z.optional(text('排序', 40)),
    moduleCode: text('模块编码', 20),
    paragraphCode: z.optional(z.nullable(text('段落编码', 10))),
    associatedId: field('关联记录', id),
    pageCode: z.optional(z.nullable(text('页面编码', 40))),
    preciseKeyValue: field(
      '查询条件',
      z.optional(z.nullable(z.strictObject({ status: field('状态', z.optional(z.nullable(z.union([z.string(), z.number()])))) }))),
    ),
  },
  output: moduleRow,
});
