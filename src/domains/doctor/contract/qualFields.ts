import * as z from 'zod/mini';
import { between, ordered } from '#kernel/contract/between.ts';
import { answeredOrNull } from '#kernel/contract/answered.ts';
import { day, emptyToNull, id, optionalDay, optionalId, optionalText, text } from '#kernel/contract/fields.ts';
import { allOf, field, keysOf, without } from '#kernel/contract/field.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { certTypes, practiceCategories, practiceLevels, titles, type CertType } from './dictionaries.ts';
import { chosen, idNo, personName } from './fields.ts';

const NUMBERED: readonly CertType[] = ['ID_CARD', 'QUALIFICATION', 'PRACTICE'];

const anyCertNo = z.string('请输入证件编号').check(z.trim(), z.toUpperCase(), z.maxLength(60, '证件编号最多60个字符'));
const numberShapes: Partial<Record<CertType, { pattern: RegExp; message: string }>> = {
  QUALIFICATION: { pattern: /^([0-9A-Z]{24}|[0-9A-Z]{27})$/, message: '医师资格证编号应为24或27位' },
  PRACTICE: { pattern: /^\d{15}$/, message: '医师执业证编号应为15位数字' },
};
/** The number of a certificate of this kind: some kinds have one at any rate, some have a shape. */
function certNoOf(certType: CertType) {
  const shape = numberShapes[certType];
  const demanded = NUMBERED.includes(certType) ? anyCertNo.check(z.minLength(1, '请输入证件编号')) : anyCertNo;
  return field('证件编号', shape ? demanded.check(z.regex(shape.pattern, shape.message)) : demanded);
}

export const BOTH_SIDES = '请上传身份证正反两面';

const certFields = {
  certType: field('证件类型', certTypes.schema),
  certNo: field('证件编号', anyCertNo),
  fileIds: field('证件图片', z.array(id, '请上传证件图片').check(z.minLength(1, '请上传证件图片'), z.maxLength(6, '每种证件最多6个文件'))),
  /** Name, institution and title that are printed on it. */
  holderName: emptyToNull(personName),
  hospitalName: emptyToNull(text('证件上的执业机构', 100)),
  titleCode: field('职称', z._default(z.nullable(titles.schema), null)),
  /** Other institution of a multi-site registration. */
  hospitalId: field('执业机构', optionalId),
  issuer: optionalText('发证机关', 100),
  issuedOn: field('发证日期', optionalDay),
  validFrom: field('有效期开始', optionalDay),
  /** Null = 长期. */
  validTo: field('有效期结束', optionalDay),
};
const validInOrder = ordered('validFrom', 'validTo', '有效期止不能早于有效期起');
/** The same for one kind, as its part of a form asks. */
export const certFieldsOf = (certType: CertType) =>
  z
    .strictObject({
      ...certFields,
      certNo: certNoOf(certType),
      hospitalId: certType === 'MULTI_SITE' ? chosen('多点执业机构') : certFields.hospitalId,
    })
    .check(validInOrder);

/** One certificate as it is handed in: what stands on it, and its pictures. */
export const certInput = z.strictObject(certFields).check(
  z.check(({ value, issues }) => {
    const message = certNoOf(value.certType).safeParse(value.certNo).error?.issues[0]?.message;
    const known = issues.some(({ path }) => path?.[0] === 'certNo');
    if (message !== undefined && !known) issues.push({ code: 'custom', path: ['certNo'], message, input: value.certNo });
  }),
  between(['certType', 'fileIds'], ({ certType, fileIds }) => certType !== 'ID_CARD' || fileIds.length >= 2, BOTH_SIDES),
  between(['certType', 'hospitalId'], ({ certType, hospitalId }) => certType !== 'MULTI_SITE' || hospitalId !== null, '请选择多点执业机构'),
  validInOrder,
);
export type CertInput = z.output<typeof certInput>;

/** Certificates of one application: one of each kind, several registrations of further sites. */
export const certInputs = field(
  '证件',
  z.array(certInput).check(
    z.maxLength(12, '证件最多12份'),
    z.refine(
      (certs) =>
        certs.every(
          ({ certType }, index) => certType === 'MULTI_SITE' || certs.findIndex((other) => other.certType === certType) === index,
        ),
      '同一种证件只能填写一份',
    ),
  ),
);

/** Facts that only an approved application changes. */
export const qualFacts = {
  name: personName,
  idNo,
  /** Exactly one of both: a new hospital has its own application first. */
  hospitalId: field('执业机构', optionalId),
  hospitalApplyId: field('执业机构申请', optionalId),
  departmentId: field('科室', optionalId),
  titleCode: field('职称', titles.schema),
  practiceLevel: field('执业级别', practiceLevels.schema),
  practiceCategory: field('执业类别', practiceCategories.schema),
  practiceScope: text('执业范围', 200, 1),
  practiceSince: field('执业起始日期', day),
};
/** Where a doctor practises who is at a hospital of the directory; both are demanded there. */
export const practicePlace = z.strictObject({ hospitalId: chosen('执业机构'), departmentId: chosen('科室') });
const direct = without(qualFacts, ['name', 'idNo', 'hospitalId', 'hospitalApplyId', 'departmentId']);
/** Facts that stand in the doctor's record as the application names them: one more is named here, in the table and on the pages alone. */
export type DirectFact = keyof typeof direct;
export const directFacts = keysOf(direct);
/** Those of a record. */
export const directOf = <T extends Readonly<Record<DirectFact, unknown>>>(row: T) => allOf(row, directFacts);
/** As a record answers them: none before the first approval. */
export const directAnswer = answeredOrNull(direct);
/** Those of a row of the list. */
export const listedAnswer = without(directAnswer, ['practiceLevel', 'practiceCategory', 'practiceScope', 'practiceSince']);
export const listedFacts = keysOf(listedAnswer);

const dictionaries: Partial<Record<DirectFact, { label(code: string): string }>> = {
  titleCode: titles,
  practiceLevel: practiceLevels,
  practiceCategory: practiceCategories,
};
/** A fact as people read it. */
export const shownFact = (key: DirectFact, value: string | null): string =>
  value === null ? '' : (dictionaries[key]?.label(value) ?? value);

const qualFactsObject = z.strictObject(qualFacts);
export type QualFacts = z.output<typeof qualFactsObject>;

export const qualFactLabels = labelsOf(qualFacts);
