import { birthOfIdNumber, genderOfIdNumber, hasIdForm, isIdNumber } from '../../contract/idNumber.ts';
import { patientErrors } from '../../contract/errors.ts';

/** What is wrong with a number as it is typed; null while it is empty or right. */
export function idNoFault(idType: string | null | undefined, typed: string | undefined): string | null {
  const idNo = (typed ?? '').trim().toUpperCase();
  if (!idNo) return null;
  if (!idType) return '请选择证件类型';
  if (idType === 'ID') return isIdNumber(idNo) && birthOfIdNumber(idNo) ? null : patientErrors.CHECK_DIGIT.text;
  return hasIdForm(idType, idNo) ? null : '证件号格式不正确';
}

/** Gender and birthday that a right identity number says. */
export function factsOfIdNo(idType: string | null | undefined, typed: string | undefined): { gender: number; birthDate: string } | null {
  const idNo = (typed ?? '').trim().toUpperCase();
  if (idType !== 'ID' || !isIdNumber(idNo)) return null;
  const birthDate = birthOfIdNumber(idNo);
  return birthDate === null ? null : { gender: genderOfIdNumber(idNo), birthDate };
}
