import { callCase, type CallCase } from '../../../../testing/cases.ts';
import { queryProductOptions } from '../../contract/products/options.ts';

export const productCases: readonly CallCase[] = [callCase(queryProductOptions, async () => ({ type: 'PRODUCT' as const }))];
