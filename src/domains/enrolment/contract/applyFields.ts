import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { field } from '#kernel/contract/field.ts';
import { day, emptyToNull, id, mobileText, optionalId, optionalText, personName, text } from '#kernel/contract/fields.ts';
import { materialsIn } from '#kernel/contract/evidence.ts';
import { materialTypes } from '#domains/insurance/contract/businessLines.ts';
import { applicantRelations, chronicGrades, enrolTypes } from './applyDictionaries.ts';

const whole = (label: string, least: number, most: number) =>
  field(label, z.int(`${label}须为整数`).check(z.minimum(least, `${label}不能小于${least}`), z.maximum(most, `${label}不能大于${most}`)));
/** A decimal that is kept as a whole number of its parts: of tenths 25.2 is 252. */
const scaled = (label: string, parts: number, least: number, most: number) =>
  field(
    label,
    z.int(`${label}不正确`).check(z.minimum(least, `${label}不能小于${least / parts}`), z.maximum(most, `${label}不能大于${most / parts}`)),
    { text: (value) => String(value / parts) },
  );
const maybe = <T extends z.ZodMiniType>(schema: T) => z._default(z.nullable(schema), null);
const icd10 = field(
  'ICD-10编码',
  z.string('请填写ICD-10编码').check(
    z.trim(),
    z.overwrite((value) => value.toUpperCase()),
    z.regex(/^[A-Z]\d{2}(\.[0-9A-Z]{1,6})?$/, 'ICD-10编码格式不正确，如C34.901'),
  ),
);

/** 疗效基线, of RSB alone. */
export const baselineFields = z.strictObject({
  assessedOn: field('评估日期', day),
  targetLesionMm: whole('靶病灶直径总和（mm）', 1, 2_000),
  ecog: whole('ECOG评分', 0, 4),
  imagingFileId: field('影像文件', optionalId),
});
export type Baseline = z.output<typeof baselineFields>;

/** Parts of one in which a measure is kept. */
export const MEASURE_PARTS = { hba1cPermille: 10, ldlCentimole: 100, bmiTenths: 10 } as const;
/** 测量值, of HMO alone: as devices show them, kept in whole numbers. */
export const measureFields = z.strictObject({
  systolic: maybe(whole('收缩压（mmHg）', 50, 300)),
  diastolic: maybe(whole('舒张压（mmHg）', 30, 200)),
  hba1cPermille: maybe(scaled('糖化血红蛋白（%）', MEASURE_PARTS.hba1cPermille, 20, 250)),
  ldlCentimole: maybe(scaled('低密度脂蛋白（mmol/L）', MEASURE_PARTS.ldlCentimole, 10, 2_000)),
  bmiTenths: maybe(scaled('体重指数（BMI）', MEASURE_PARTS.bmiTenths, 80, 800)),
});
export type Measures = z.output<typeof measureFields>;

/** What an application says, whoever enters it. */
export const applyFields = {
  enrolType: field('申请类型', enrolTypes.schema),
  applicantRelation: field('申请人关系', applicantRelations.schema),
  applicantName: field('申请人姓名', emptyToNull(personName('申请人姓名', 30, 2))),
  applicantIdNo: field('申请人证件号', emptyToNull(text('申请人证件号', 30, 5))),
  applicantMobile: field('申请人手机号', emptyToNull(mobileText('申请人手机号格式不正确'))),
  address: field('配送地址', emptyToNull(text('配送地址', 200))),
  adcode: field('配送地区', emptyToNull(z.string().check(z.regex(/^\d{6}$/, '请选择配送地区')))),
  diseaseName: text('疾病名称', 60, 1),
  icd10,
  firstDiagnosedOn: field('确诊日期', day),
  stage: optionalText('分期', 40),
  pathologyResult: optionalText('病理结论', 500),
  geneResult: optionalText('基因结论', 500),
  drugId: field('申请药品', optionalId),
  dosePlan: optionalText('用法用量', 200),
  hospitalId: field('就诊医院', optionalId),
  departmentName: optionalText('科室', 40),
  doctorName: field('医生', z._default(personName('医生', 30), '')),
  baseline: field('疗效基线', z._default(z.nullable(baselineFields), null)),
  healthDeclaration: field('健康告知', emptyToNull(text('健康告知', 1_000))),
  measures: field('测量值', z._default(z.nullable(measureFields), null)),
  materials: z._default(materialsIn(materialTypes), []),
};
/** Words of these never reach the log. */
export const APPLY_SECRETS = [
  'applicantIdNo',
  'applicantMobile',
  'address',
  'diseaseName',
  'icd10',
  'stage',
  'pathologyResult',
  'geneResult',
  'dosePlan',
  'baseline',
  'healthDeclaration',
  'measures',
  'materials',
] as const;

interface Applicant {
  applicantRelation: string;
  applicantName: string | null;
}
/** Somebody else who applies is named. */
export const applicantNamed = between<Applicant>(
  ['applicantRelation', 'applicantName'],
  ({ applicantRelation, applicantName }) => applicantRelation === 'SELF' || applicantName !== null,
  '请填写申请人姓名',
);
export const chronicGrade = field('风险分级', z.nullable(chronicGrades.schema));
export const applyId = field('申请', id);
