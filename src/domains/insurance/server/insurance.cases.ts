import type { CallCase } from '../../../testing/cases.ts';
import { productCases } from './products/products.cases.ts';

/** The cases of all calls of insurance, by topic. */
export const insuranceCases: readonly CallCase[] = [...productCases];
