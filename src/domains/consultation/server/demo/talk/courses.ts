import type { Course } from './course.ts';
import { arthritis, asthma, eczema, hepatitis, psoriasis } from './immune.ts';
import { coronary, diabetes, hypertension, kidney } from './metabolic.ts';
import { breast, lung, prostate } from './tumours.ts';

const all: readonly Course[] = [
  diabetes,
  hypertension,
  coronary,
  kidney,
  lung,
  breast,
  prostate,
  hepatitis,
  arthritis,
  psoriasis,
  asthma,
  eczema,
];

/** The course of a disease; what nobody wrote one for speaks of blood pressure. */
export const courseOf = (icd10: string | null): Course =>
  all.find((course) => course.icd10.slice(0, 3) === (icd10 ?? '').slice(0, 3)) ?? hypertension;
