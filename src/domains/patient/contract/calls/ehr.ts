import * as z from 'zod/mini';
import { ordered } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  flag,
  id,
  idOut,
  instant,
  intOrNull,
  optionalDay,
  optionalId,
  optionalText,
  several,
  text,
  textOrNull,
  version,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { diagnosisStates, inspectionKinds, outcomes, paragraphs, recordSources, treatmentKinds } from '../dictionaries.ts';
import { at, decimalText, fileIds, personBrief, saved, voidReason } from '../fields.ts';
import { inspectionRow, medicine, moduleRow } from '../modules.ts';
import { patientErrors } from '../errors.ts';
import { patientPermissions as may } from '../permissions.ts';
import { diagnosisRow } from './panel.ts';

const ehr = declareService('EhrService');

export const queryPatientModule = ehr.list({
  operation: 'queryPatientModule',
  label: '查看病历模块',
  access: may['record.view'],
  filter: {
    patientId: field('患者', id),
    moduleCode: text('模块编码', 20),
    paragraphCode: z.optional(text('段落编码', 10)),
    status: z.optional(text('状态', 2)),
    kind: field('记录类型', z.optional(inspectionKinds.schema)),
    groupId: z.optional(text('群编号', 64)),
    orderBy: z.optional(text('排序', 40)),
  },
  output: moduleRow,
});
export const queryPatientHistory = ehr.read({
  operation: 'queryPatientHistory',
  label: '查看诊疗史',
  access: may['record.view'],
  input: { patientId: field('患者', id) },
  output: z.array(diagnosisRow),
});
export const queryIndicatorTrend = ehr.read({
  operation: 'queryIndicatorTrend',
  label: '查看指标趋势',
  access: may['record.view'],
  input: { patientId: field('患者', id), codes: several(text('指标', 20, 1), 6), from: field('开始日期', day), to: field('结束日期', day) },
  output: z.strictObject({
    series: z.array(
      z.strictObject({
        code: z.string(),
        name: z.string(),
        unit: z.string(),
        refLow: textOrNull,
        refHigh: textOrNull,
        points: z.array(
          z.strictObject({ at, value: z.string(), flag: z.string(), inspectionId: textOrNull, source: z.enum(['REPORT', 'PATIENT']) }),
        ),
      }),
    ),
    /** Medicines and treatments that began or ended in the period. */
    touches: z.array(z.strictObject({ on: z.string(), kind: z.enum(['START', 'STOP']), label: z.string() })),
  }),
});
/** Indicator codes of which somebody has values, with the last one. */
export const queryIndicatorCodes = ehr.read({
  operation: 'queryIndicatorCodes',
  label: '查看已有指标',
  access: may['record.view'],
  input: { patientId: field('患者', id) },
  output: z.array(
    z.strictObject({
      code: z.string(),
      name: z.string(),
      unit: z.string(),
      count: z.int(),
      lastAt: at,
      lastValue: z.string(),
      lastFlag: z.string(),
    }),
  ),
});
export const queryPatientOverview = ehr.read({
  operation: 'queryPatientOverview',
  label: '查看档案概览',
  access: may['record.view'],
  input: { patientId: field('患者', id) },
  output: z.strictObject({
    medicines: z.array(
      z.strictObject({ suggestNo: z.string(), doctorName: z.string(), validUntil: z.string(), medicines: z.array(medicine) }),
    ),
    supplies: z.array(
      z.strictObject({ medicineName: z.string(), orderNo: z.string(), from: z.string(), until: z.string(), daysLeft: z.int() }),
    ),
    /** Null when nothing was ever supplied. */
    supplyDaysLeft: intOrNull,
    /** `before` is the value one report earlier, for the arrow. */
    indicators: z.array(
      z.strictObject({ code: z.string(), name: z.string(), value: z.string(), unit: z.string(), flag: z.string(), at, before: textOrNull }),
    ),
    timeline: z.array(
      z.strictObject({
        at,
        kind: z.enum(['DIAGNOSIS', 'TREATMENT', 'TEXT', 'SUGGESTED', 'ORDER', 'INSPECTION', 'CONSENT', 'REAL_NAME']),
        title: z.string(),
        note: z.string(),
        moduleCode: textOrNull,
        recordId: idOut,
      }),
    ),
  }),
});

const diagnosisFields = {
  icd10: text('诊断编码', 20, 3),
  stage: optionalText('分期', 32),
  isPrimary: field('主要诊断', z._default(flag, false)),
  diagnosedAt: field('确诊日期', day),
  hospitalId: field('就诊医院', optionalId),
  hospitalName: optionalText('医院', 100),
  departmentName: optionalText('科室', 50),
  doctorName: optionalText('医生', 30),
  state: field('诊断状态', z._default(diagnosisStates.schema, 'CONFIRMED')),
  source: field('来源', z._default(recordSources.schema, 'ASSISTANT')),
  fileIds: field('附件', fileIds()),
  /** Takes the mark from the diagnosis that carries it now; without it SCM09042 asks. */
  switchPrimary: field('替换主要诊断', z._default(flag, false)),
};
export const addDiagnosis = ehr.act({
  operation: 'addDiagnosis',
  label: '新增诊断',
  access: may['record.edit'],
  message: '新增成功!',
  secrets: ['icd10'],
  input: { patientId: field('患者', id), ...diagnosisFields },
  output: diagnosisRow,
});
export const modifyDiagnosis = ehr.act({
  operation: 'modifyDiagnosis',
  label: '修改诊断',
  access: may['record.edit'],
  message: '修改成功!',
  secrets: ['icd10'],
  input: { id, version, ...diagnosisFields },
  output: diagnosisRow,
});
export const delDiagnosis = ehr.act({
  operation: 'delDiagnosis',
  label: '作废诊断',
  access: may['record.edit'],
  message: '作废成功!',
  input: { id, version, reason: voidReason },
  output: z.strictObject({ id: idOut }),
});

const treatmentFields = {
  kind: field('治疗类型', treatmentKinds.schema),
  regimen: text('方案', 64, 1),
  lineNo: field(
    '治疗线数',
    z._default(z.nullable(z.int('治疗线数不正确').check(z.minimum(1, '治疗线数为1至9'), z.maximum(9, '治疗线数为1至9'))), null),
  ),
  startOn: field('开始日期', day),
  endOn: field('结束日期', optionalDay),
  outcome: field('转归', z._default(z.nullable(outcomes.schema), null)),
  adverseGrade: field(
    '不良反应分级',
    z._default(z.nullable(z.int('不良反应分级不正确').check(z.minimum(0, '不良反应为0至5级'), z.maximum(5, '不良反应为0至5级'))), null),
  ),
  note: optionalText('备注', 500),
  source: field('来源', z._default(recordSources.schema, 'ASSISTANT')),
  fileIds: field('附件', fileIds()),
};
const inOrder = ordered('startOn', 'endOn', patientErrors.ENDS_EARLIER);
export const addTreatment = ehr.act({
  operation: 'addTreatment',
  label: '新增治疗',
  access: may['record.edit'],
  message: '新增成功!',
  secrets: ['note', 'regimen'],
  input: z.strictObject({ diagnosisId: field('诊断', id), ...treatmentFields }).check(inOrder),
  output: saved,
});
export const modifyTreatment = ehr.act({
  operation: 'modifyTreatment',
  label: '修改治疗',
  access: may['record.edit'],
  message: '修改成功!',
  secrets: ['note', 'regimen'],
  input: z.strictObject({ id, version, ...treatmentFields }).check(inOrder),
  output: saved,
});
export const delTreatment = ehr.act({
  operation: 'delTreatment',
  label: '作废治疗',
  access: may['record.edit'],
  message: '作废成功!',
  input: { id, version, reason: voidReason },
  output: z.strictObject({ id: idOut }),
});

const recordText = { text: text('内容', 2000, 1), fileIds: field('附件', fileIds()) };
export const addRecordText = ehr.act({
  operation: 'addRecordText',
  label: '新增病情资料',
  access: may['record.edit'],
  message: '新增成功!',
  secrets: ['text'],
  input: {
    patientId: field('患者', id),
    paragraphCode: field('病史段落', paragraphs.schema),
    source: field('来源', z._default(recordSources.schema, 'ASSISTANT')),
    ...recordText,
  },
  output: saved,
});
export const modifyRecordText = ehr.act({
  operation: 'modifyRecordText',
  label: '修改病情资料',
  access: may['record.edit'],
  message: '修改成功!',
  secrets: ['text'],
  input: { id, version, ...recordText },
  output: saved,
});
export const delRecordText = ehr.act({
  operation: 'delRecordText',
  label: '作废病情资料',
  access: may['record.edit'],
  message: '作废成功!',
  input: { id, version, reason: voidReason },
  output: z.strictObject({ id: idOut }),
});

/** The unit as written on the report; the server converts to the indicator's own. */
export const indicatorInput = z.strictObject({
  code: text('指标', 20, 1),
  value: decimalText('指标值'),
  unit: text('单位', 20, 1),
  refLow: z._default(z.nullable(decimalText('参考下限')), null),
  refHigh: z._default(z.nullable(decimalText('参考上限')), null),
});
const indicatorList = field('指标', z._default(z.array(indicatorInput).check(z.maxLength(60, '最多60项指标')), []));
export const addInspection = ehr.act({
  operation: 'addInspection',
  label: '新增检查检验',
  access: may['record.edit'],
  message: '新增成功!',
  secrets: ['conclusion', 'indicators'],
  input: {
    patientId: field('患者', id),
    kind: field('检查类型', inspectionKinds.schema),
    itemName: text('项目名称', 60, 1),
    hospitalName: optionalText('医院', 100),
    inspectionTime: field('检查时间', instant),
    conclusion: optionalText('结论', 2000),
    fileIds: field('附件', fileIds()),
    source: field('来源', z._default(recordSources.schema, 'ASSISTANT')),
    indicators: indicatorList,
    /** Fills the report that a doctor asked for. */
    inspectionId: field('检查', z.optional(id)),
  },
  output: inspectionRow,
});
/** A report that somebody is asked to hand in. */
export const requestInspection = ehr.act({
  operation: 'requestInspection',
  label: '要求上传报告',
  access: may['record.edit'],
  message: '提交成功!',
  input: {
    patientId: field('患者', id),
    kind: field('类型', inspectionKinds.schema),
    itemName: text('项目名称', 60, 1),
    dueOn: field('截止日期', optionalDay),
  },
  output: inspectionRow,
});
export const checkInspection = ehr.act({
  operation: 'checkInspection',
  label: '核对解读报告',
  access: may['record.check'],
  message: '核对完成!',
  secrets: ['conclusion', 'indicators'],
  input: {
    id,
    version,
    conclusion: optionalText('结论', 2000),
    indicators: indicatorList,
    itemName: z.optional(text('项目名称', 60, 1)),
    inspectionTime: field('检查时间', z.optional(instant)),
  },
  output: inspectionRow,
});
export const voidInspection = ehr.act({
  operation: 'voidInspection',
  label: '作废检查检验',
  access: may['record.edit'],
  message: '作废成功!',
  input: { id, version, reason: voidReason },
  output: z.strictObject({ id: idOut }),
});
const checkFilters = {
  kind: field('类型', z.optional(inspectionKinds.schema)),
  keyword: z.optional(text('关键字', 40)),
  from: field('开始日期', z.optional(day)),
  to: field('结束日期', z.optional(day)),
};
/** Reports that wait for reading, oldest first. */
export const queryInspectionCheckList = ehr.list({
  operation: 'queryInspectionCheckList',
  label: '查询待解读报告',
  access: may['record.check'],
  filter: checkFilters,
  output: z.strictObject({ inspection: inspectionRow, patient: personBrief, mine: z.boolean() }),
});
export const exportInspectionCheckList = exportOf(queryInspectionCheckList, {
  operation: 'exportInspectionCheckList',
  label: '导出待解读报告',
  access: may['record.check'],
});
export const exportPatientRecord = ehr.file({
  operation: 'exportPatientRecord',
  label: '导出病历',
  access: may['record.export'],
  log: 'EXPORT',
  input: {
    patientId: field('患者', id),
    modules: field(
      '档案模块',
      z
        .array(z.enum(['BASE', 'HISTORY', 'modular001', 'modular002', 'modular003', 'modular004', 'CONSENT'], '模块不正确'))
        .check(z.minLength(1, '请选择导出内容'), z.maxLength(7, '模块不正确')),
    ),
    reason: optionalText('导出原因', 200),
  },
  output: z.strictObject({ fileId: idOut }),
});
