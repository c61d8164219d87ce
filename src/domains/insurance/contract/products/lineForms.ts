import type { ClaimType, ProductLine, ProductType } from '../businessLines.ts';

interface LineForm {
  types: readonly ProductType[];
  /** Who pays, and is asked for in the product's form. */
  payer: 'INSURER' | 'SPONSOR_OR_INSURER' | 'SPONSOR' | 'PHARMA';
  claimTypes: readonly ClaimType[];
  deductibles: boolean;
  socialModes: readonly ('DEDUCT' | 'REQUIRED' | 'IGNORE')[];
  tierDimensions: readonly ('social' | 'preExisting' | 'ladder' | 'month')[];
  /** Price agreed with drugstores, on lines of its lists. */
  agreementPrices: 'shown' | 'required' | 'hidden';
  /** Contracts open by themselves where there is nothing to configure. */
  enrolment: boolean;
}

const all = ['DEDUCT', 'REQUIRED', 'IGNORE'] as const;

/** One editor of versions for all business lines: what each of them shows and takes. */
export const lineForms: Readonly<Record<ProductLine, LineForm>> = {
  STANDARD: {
    types: ['SPECIAL_DRUG', 'MILLION_RIDER', 'CHRONIC'],
    payer: 'INSURER',
    claimTypes: ['DIRECT', 'REIMBURSE'],
    deductibles: true,
    socialModes: all,
    tierDimensions: ['social', 'preExisting', 'ladder'],
    agreementPrices: 'shown',
    enrolment: true,
  },
  SAAS: {
    types: ['CITY_INCLUSIVE', 'SPECIAL_DRUG', 'MILLION_RIDER'],
    payer: 'INSURER',
    claimTypes: ['DIRECT', 'REIMBURSE'],
    deductibles: true,
    socialModes: all,
    tierDimensions: ['social', 'preExisting', 'ladder'],
    agreementPrices: 'shown',
    enrolment: true,
  },
  HMO: {
    types: ['CORPORATE_HMO', 'CHRONIC'],
    payer: 'SPONSOR_OR_INSURER',
    claimTypes: ['CARD', 'DIRECT', 'REIMBURSE'],
    deductibles: true,
    socialModes: ['DEDUCT', 'IGNORE'],
    tierDimensions: ['social'],
    agreementPrices: 'shown',
    enrolment: true,
  },
  DAAS: {
    types: ['EMPLOYEE_DRUG'],
    payer: 'SPONSOR',
    claimTypes: ['DIRECT', 'CARD'],
    deductibles: true,
    socialModes: ['IGNORE'],
    tierDimensions: [],
    agreementPrices: 'required',
    enrolment: false,
  },
  RSB: {
    types: ['EFFICACY'],
    payer: 'PHARMA',
    claimTypes: ['OUTCOME_REFUND'],
    deductibles: false,
    socialModes: ['DEDUCT'],
    tierDimensions: ['month'],
    agreementPrices: 'hidden',
    enrolment: true,
  },
};
