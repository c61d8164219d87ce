import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { IdType } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import type { Gender } from '../../contract/fields.ts';
import { birthOfIdNumber, genderOfIdNumber, hasIdForm, isIdNumber } from '../../contract/idNumber.ts';
import { MOBILE } from '#kernel/contract/plainText.ts';

interface Identity {
  gender: Gender;
  idType: IdType | null;
  idNo: string | null;
  birthDate: Day | null;
}

const field = (path: string, declaration: { code: string; text: string }) =>
  refuse(declaration, { fields: [{ path, message: declaration.text }] });

/** @throws Refusal SCM09007 */
export function requireMobile(mobile: string | null | undefined): void {
  if (mobile && !MOBILE.test(mobile)) throw field('mobile', patientErrors.MOBILE);
}

/**
 * Judges a number by its type and fills gender and birthday from an identity number.
 * @throws Refusal SCM09005, SCM09006; SCM90020 for a number without type or of the wrong form
 */
export function completeIdentity<T extends Identity>(person: T, today: Day): T {
  if (person.birthDate !== null && person.birthDate > today) throw refuseField('birthDate', '出生日期不能晚于今天');
  const { idType, idNo } = person;
  if (!idNo) return person;
  if (idType === null) throw refuseField('idType', '请选择证件类型');
  if (idType !== 'ID') {
    if (!hasIdForm(idType, idNo)) throw refuseField('idNo', '证件号格式不正确');
    return person;
  }
  const birth = birthOfIdNumber(idNo);
  if (!isIdNumber(idNo) || birth === null || birth > today) throw field('idNo', patientErrors.CHECK_DIGIT);
  if (person.birthDate !== null && person.birthDate !== birth) throw field('birthDate', patientErrors.BIRTH_DIFFERS);
  const gender = genderOfIdNumber(idNo);
  if (person.gender !== 0 && person.gender !== gender) throw refuseField('gender', '性别与证件号不一致');
  return { ...person, birthDate: birth, gender };
}
