import type { ProductLine } from '#domains/insurance/contract/businessLines.ts';

/** The page of an application by its line; one that is opened by another address is led there. */
export const detailPathOf = (line: ProductLine): string =>
  line === 'HMO' ? '/hmoSignContractInfo' : line === 'SAAS' ? '/signContractDetailSaas' : '/signContractDetail';
