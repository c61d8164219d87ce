import { certTypes, checkCodes, hardChecks, titleRanks, type CheckCode, type TitleCode } from '../../../contract/dictionaries.ts';
import { idNumberFault } from '#kernel/contract/idNumber.ts';
import { ageOn, birthDateOf, shortIdNoOf } from '../../../contract/fields.ts';
import type { CertFacts, CheckFacts, Finding, MachineResult } from './facts.ts';

/** Departments (first level of the catalogue) that a scope of practice covers, by the word that names the scope. */
const COVERED: readonly (readonly [word: string, departments: readonly string[]])[] = [
  ['内科', ['03', '16', '17', '18', '19', '20', '21', '28']],
  ['外科', ['04', '08', '14', '19', '20', '22', '26', '27', '28']],
  ['妇产科', ['05', '06']],
  ['儿科', ['07', '08', '09']],
  ['眼耳鼻咽喉', ['10', '11']],
  ['皮肤', ['13', '14']],
  ['精神', ['15']],
  ['职业病', ['23']],
  ['医学影像', ['32']],
  ['放射治疗', ['19', '32']],
  ['医学检验', ['30', '31']],
  ['病理', ['31']],
  ['全科', ['02', '03', '04', '05', '07', '09']],
  ['急救', ['20', '28']],
  ['康复', ['21', '22']],
  ['预防保健', ['01']],
  ['麻醉', ['26', '27']],
  ['口腔', ['12']],
  ['中西医结合', ['50', '52']],
  ['中医', ['50', '52']],
];

/** Whether a scope of practice covers a standard department; null when the scope names none that is known. */
export function scopeCovers(practiceScope: string, standardDeptCode: string): boolean | null {
  const department = standardDeptCode.slice(0, 2);
  const known = COVERED.filter(([word]) => practiceScope.includes(word));
  if (known.length === 0) return null;
  return known.some(([, departments]) => departments.includes(department));
}

const pass = (explain: string): Finding => ({ result: 'PASS', explain });
const fail = (explain: string): Finding => ({ result: 'FAIL', explain });
const warn = (explain: string): Finding => ({ result: 'WARN', explain });
const unknown = (explain: string): Finding => ({ result: 'UNKNOWN', explain });

const [YOUNGEST, OLDEST] = [22, 75];
type LabelOf = (certType: string) => string;

const certOf = (facts: CheckFacts, certType: string): CertFacts | undefined => facts.certs.find((cert) => cert.certType === certType);

/** A name without blanks and without the many forms of its middle dot. */
export const plainName = (name: string): string => name.replaceAll(/[\s·•・‧∙⋅.]/g, '');

const identity = ({ idNo, today }: CheckFacts): Finding => {
  if (idNo === null) return unknown('没有身份证号');
  const wrong = idNumberFault(idNo, today);
  if (wrong !== null) return fail(`身份证号${wrong}`);
  const age = ageOn(birthDateOf(idNo), today);
  return age >= YOUNGEST && age <= OLDEST ? pass(`校验位正确，${age}岁`) : fail(`年龄${age}岁，不在${YOUNGEST}至${OLDEST}岁之间`);
};

const names = (facts: CheckFacts): Finding => {
  const read = (['ID_CARD', 'QUALIFICATION', 'PRACTICE'] as const).map((certType) => certOf(facts, certType)?.holderName ?? null);
  if (read.some((name) => name === null)) return unknown('身份证、资格证、执业证上的姓名未全部识别');
  const printed = [facts.name, ...read.map(String)];
  return new Set(printed.map(plainName)).size === 1
    ? pass('三证姓名与填写一致')
    : fail(`姓名不一致：填写${printed[0]}，身份证${printed[1]}，资格证${printed[2]}，执业证${printed[3]}`);
};

const qualificationNo = (facts: CheckFacts): Finding => {
  const certNo = certOf(facts, 'QUALIFICATION')?.certNo ?? null;
  if (certNo === null || facts.idNo === null) return unknown('缺少资格证编号或身份证号');
  const long = certNo.length === 27 && certNo.slice(-18).toUpperCase() === facts.idNo;
  const short = certNo.length === 24 && certNo.slice(-15) === shortIdNoOf(facts.idNo);
  if (long || short) return pass('资格证编号后段与身份证号一致');
  return fail(
    certNo.length === 27 || certNo.length === 24 ? '资格证编号后段与身份证号不一致' : `资格证编号应为24或27位，现为${certNo.length}位`,
  );
};

const practiceNo = (facts: CheckFacts): Finding => {
  const certNo = certOf(facts, 'PRACTICE')?.certNo ?? null;
  if (certNo === null) return unknown('缺少执业证编号');
  return /^\d{15}$/.test(certNo) ? pass('执业证编号为15位数字') : fail('执业证编号应为15位数字');
};

const institution = (facts: CheckFacts): Finding => {
  const printed = [certOf(facts, 'PRACTICE'), ...facts.certs.filter(({ certType }) => certType === 'MULTI_SITE')].flatMap(
    (cert) => cert?.hospitalName ?? [],
  );
  if (facts.hospitalName === null || printed.length === 0) return unknown('未识别到证件上的执业机构');
  const matching = printed.find((name) => facts.matchingHospitalNames.includes(name));
  return matching === undefined
    ? fail(`证件上的执业机构“${printed.join('、')}”不是“${facts.hospitalName}”或其别名`)
    : pass(`证件上的执业机构“${matching}”与填写一致`);
};

const expiry = ({ certs, today }: CheckFacts, labelOf: LabelOf): Finding => {
  const ended = certs.filter(({ validTo }) => validTo !== null && validTo < today);
  return ended.length === 0
    ? pass('证件均在有效期内')
    : fail(ended.map(({ certType, validTo }) => `${labelOf(certType)}已于${validTo}过期`).join('，'));
};

const title = (facts: CheckFacts, labelOf: LabelOf): Finding => {
  const type = facts.titleCode === 'RESIDENT' && !certOf(facts, 'TITLE') ? 'BADGE' : 'TITLE';
  const cert = certOf(facts, type);
  if (!cert || facts.titleCode === null) return unknown(`没有${labelOf(type)}`);
  if (cert.titleCode === null) return unknown(`未识别到${labelOf(type)}上的职称`);
  return titleRanks[cert.titleCode as TitleCode] >= titleRanks[facts.titleCode as TitleCode]
    ? pass(`${labelOf(type)}支持所填职称`)
    : warn(`${labelOf(type)}上的职称低于所填职称`);
};

const scope = ({ practiceScope, standardDeptCode }: CheckFacts): Finding => {
  if (!practiceScope || standardDeptCode === null) return unknown('缺少执业范围或标准科室');
  const covered = scopeCovers(practiceScope, standardDeptCode);
  if (covered === null) return unknown(`不认识的执业范围：${practiceScope}`);
  return covered ? pass('执业范围包含所在科室') : warn(`执业范围“${practiceScope}”不包含所在科室`);
};

const portrait = ({ faces }: CheckFacts): Finding => {
  if (faces === null) return unknown('未做人脸识别，请人工查看头像');
  return faces === 1 ? pass('头像为单人正面照') : warn(faces === 0 ? '头像中没有人脸' : `头像中有${faces}张人脸`);
};

const find: Readonly<Record<CheckCode, (facts: CheckFacts, labelOf: LabelOf) => Finding>> = {
  Q01: identity,
  Q02: names,
  Q03: qualificationNo,
  Q04: practiceNo,
  Q05: institution,
  Q06: expiry,
  Q07: ({ usedBy }) =>
    usedBy.length === 0 ? pass('没有其他医生使用') : fail(usedBy.map(({ what, doctorNo }) => `${what}已被医生${doctorNo}使用`).join('，')),
  Q08: title,
  Q09: scope,
  Q10: portrait,
  Q11: ({ namesakes }) => (namesakes.length === 0 ? pass('同院没有同名医生') : warn(`同院有同名医生：${namesakes.join('、')}`)),
};

/** R2: what the machine finds of each check, in the order shown. `hard` ones stop a pass unless they are overridden with a reason. */
export const findAll = (facts: CheckFacts) =>
  checkCodes.codes.map((checkCode) => ({
    checkCode,
    hard: hardChecks.includes(checkCode),
    ...find[checkCode](facts, (certType) => certTypes.label(certType)),
  }));

export interface Judged {
  checkCode: CheckCode;
  hard: boolean;
  machineResult: MachineResult;
  explain: string;
  humanVerdict: 'AGREE' | 'OVERRIDE' | 'FAIL' | null;
  note: string;
}

/** What the machine does not let through: a hard check that fails, or of which it could not see enough. */
const blocks = ({ hard, machineResult }: Judged) => hard && (machineResult === 'FAIL' || machineResult === 'UNKNOWN');
const overridden = ({ humanVerdict, note }: Judged) => humanVerdict === 'OVERRIDE' && note.trim() !== '';

/** Checks without a verdict. */
export const openChecks = (checks: readonly Judged[]): Judged[] => checks.filter(({ humanVerdict }) => humanVerdict === null);

/** Checks that stop a pass: judged as failed, or hard ones that nobody overrode with a reason. */
export const stoppingChecks = (checks: readonly Judged[]): Judged[] =>
  checks.filter(
    (check) =>
      check.humanVerdict === 'FAIL' ||
      (check.humanVerdict === 'OVERRIDE' && check.note.trim() === '') ||
      (blocks(check) && !overridden(check)),
  );

/** R1: where a first pass leads. */
export function nextStep(
  applyType: string,
  checks: readonly Judged[],
): { state: 'APPROVED' } | { state: 'RECHECK'; reason: 'OVERRIDE' | 'LEVEL' } {
  if (checks.some((check) => check.hard && check.humanVerdict === 'OVERRIDE')) return { state: 'RECHECK', reason: 'OVERRIDE' };
  return applyType === 'FIRST' || applyType === 'HOSPITAL' ? { state: 'RECHECK', reason: 'LEVEL' } : { state: 'APPROVED' };
}
