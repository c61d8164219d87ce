import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryContractList } from './calls/contracts.ts';
import { queryContractPayList } from './calls/contractPays.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const enrolmentNumbers: readonly NumberPlace[] = [
  numberPlace('HT', '签约合同', queryContractList, 'contractNo', { path: '/signContractList' }),
  numberPlace('QY', '签约支付', queryContractPayList, 'payNo', { path: '/signContractList', tab: 'pays' }),
];
