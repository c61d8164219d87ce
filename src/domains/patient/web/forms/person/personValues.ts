import type { InputOf } from '#kernel/contract/call.ts';
import type { addPatient, PatientDetail } from '../../../contract/calls/sufferer.ts';
import { bloodTypes, drinkings, idTypes, insuranceTypes, pregnancies, smokings } from '../../../contract/dictionaries.ts';
import { birthOfIdNumber, genderOfIdNumber, hasIdForm, isIdNumber } from '../../../contract/idNumber.ts';
import { patientErrors } from '../../../contract/errors.ts';

export interface PersonValues {
  name: string;
  idType: string | null;
  idNo?: string;
  gender: number;
  birthDate: string | null;
  mobile?: string;
  adcode: string | null;
  address?: string;
  occupation?: string;
  medicalInsuranceType: string | null;
  heightCm: number | null;
  weightKg: number | null;
  bloodType: string | null;
  allergy: 'UNKNOWN' | 'NONE' | 'TEXT';
  allergyText?: string;
  pastHistory?: string;
  familyHistory?: string;
  smoking: string | null;
  drinking: string | null;
  pregnancyState: string | null;
}

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

const NO_ALLERGY = '无';
const one = <C extends string>(of: { codes: readonly C[] }, value: string | null | undefined): C | null =>
  of.codes.find((code) => code === value) ?? null;
const GRAMS = 1000;

export const emptyPerson: Partial<PersonValues> = { gender: 0, idType: 'ID', allergy: 'UNKNOWN' };

export const valuesOf = (detail: PatientDetail): Partial<PersonValues> => ({
  name: detail.name,
  idType: detail.idType,
  gender: detail.gender,
  birthDate: detail.birthDate,
  adcode: detail.adcode,
  occupation: detail.occupation,
  medicalInsuranceType: detail.medicalInsuranceType,
  ...(detail.medical && {
    heightCm: detail.medical.heightCm,
    weightKg: detail.medical.weightG === null ? null : detail.medical.weightG / GRAMS,
    bloodType: detail.medical.bloodType,
    pastHistory: detail.medical.pastHistory,
    familyHistory: detail.medical.familyHistory,
    smoking: detail.medical.smoking,
    drinking: detail.medical.drinking,
    pregnancyState: detail.medical.pregnancyState,
    allergy: detail.medical.allergyHistory === '' ? 'UNKNOWN' : detail.medical.allergyHistory === NO_ALLERGY ? 'NONE' : 'TEXT',
    allergyText: detail.medical.allergyHistory === NO_ALLERGY ? '' : detail.medical.allergyHistory,
  }),
});

/** What both calls take of a person. */
export const personOf = (values: PersonValues) => ({
  name: values.name.trim(),
  gender: values.gender,
  idType: one(idTypes, values.idType),
  birthDate: values.birthDate ?? null,
  adcode: values.adcode ?? null,
  occupation: values.occupation ?? '',
  medicalInsuranceType: one(insuranceTypes, values.medicalInsuranceType),
});

export const medicalOf = (values: PersonValues) => ({
  heightCm: values.heightCm ?? null,
  weightG: values.weightKg === null || values.weightKg === undefined ? null : Math.round(values.weightKg * GRAMS),
  bloodType: one(bloodTypes, values.bloodType),
  allergyHistory: values.allergy === 'TEXT' ? (values.allergyText ?? '').trim() : values.allergy === 'NONE' ? NO_ALLERGY : '',
  pastHistory: values.pastHistory ?? '',
  familyHistory: values.familyHistory ?? '',
  smoking: one(smokings, values.smoking),
  drinking: one(drinkings, values.drinking),
  pregnancyState: one(pregnancies, values.pregnancyState),
});

/** An empty field says nothing. */
export const sent = (typed: string | undefined): string | null => typed?.trim() || null;

export const addInput = (values: PersonValues, medical: boolean, confirmed: boolean): InputOf<typeof addPatient> => ({
  ...personOf(values),
  ...(medical && medicalOf(values)),
  idNo: sent(values.idNo),
  idType: sent(values.idNo) ? one(idTypes, values.idType) : null,
  mobile: sent(values.mobile),
  address: sent(values.address),
  confirmed,
});
