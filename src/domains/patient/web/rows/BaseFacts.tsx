import type { ReactNode } from 'react';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import type { BaseInfo } from '../../contract/calls/panel.ts';
import { bloodTypes, drinkings, insuranceTypes, pregnancies, smokings } from '../../contract/dictionaries.ts';

type Facts = Pick<BaseInfo, 'birthDate' | 'gender' | 'region' | 'occupation' | 'medicalInsuranceType'>;
type Medical = Pick<
  BaseInfo,
  'heightCm' | 'weightG' | 'bloodType' | 'allergyHistory' | 'pastHistory' | 'familyHistory' | 'smoking' | 'drinking' | 'pregnancyState'
>;

export const kilograms = (grams: number | null): string | null => (grams === null ? null : `${(grams / 1000).toFixed(1)} kg`);
const label = (of: { label(code: string): string }, code: string | null) => (code === null ? null : of.label(code));
const WOMAN = 2;

interface BaseFactsProps {
  person: Facts;
  /** Null for who may not read records. */
  medical: Medical | null;
  /** Between the person's and the medical facts: what the place shows besides. */
  extra?: readonly { label: string; value: ReactNode; wide?: boolean }[];
}

/** The base section of the record, alike in the drawer and beside a chat. */
export function BaseFacts({ person, medical, extra = [] }: BaseFactsProps) {
  const facts: { label: string; value: ReactNode; wide?: boolean }[] = [
    { label: '出生日期', value: person.birthDate },
    { label: '地区', value: person.region },
    ...extra,
    { label: '职业', value: person.occupation || null },
    { label: '医保', value: label(insuranceTypes, person.medicalInsuranceType) },
    ...(medical
      ? [
          { label: '身高', value: medical.heightCm === null ? null : `${medical.heightCm} cm` },
          { label: '体重', value: kilograms(medical.weightG) },
          { label: '血型', value: label(bloodTypes, medical.bloodType) },
          { label: '吸烟', value: label(smokings, medical.smoking) },
          { label: '饮酒', value: label(drinkings, medical.drinking) },
          ...(person.gender === WOMAN ? [{ label: '孕产', value: label(pregnancies, medical.pregnancyState) }] : []),
          { label: '过敏史', value: medical.allergyHistory || '未询问', wide: true },
          { label: '既往史', value: medical.pastHistory || null, wide: true },
          { label: '家族史', value: medical.familyHistory || null, wide: true },
        ]
      : []),
  ];
  return (
    <dl className="pa-facts">
      {facts.map((fact) => (
        <div key={fact.label} {...(fact.wide && { className: 'pa-wide' })}>
          <dt>{fact.label}</dt>
          <dd>{fact.value ?? NOTHING}</dd>
        </div>
      ))}
    </dl>
  );
}
