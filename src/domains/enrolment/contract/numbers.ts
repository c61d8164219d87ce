import { querySignContractList } from './calls/applies.ts';
import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryContractList } from './calls/contracts.ts';
import { queryContractPayList } from './calls/contractPays.ts';
import { queryOtherMaterialList } from './calls/otherMaterials.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const enrolmentNumbers: readonly NumberPlace[] = [
  numberPlace('RZ', '入组申请', querySignContractList, 'applyNo', { path: '/signContract', tab: 'ALL' }),
  numberPlace('HT', '签约合同', queryContractList, 'contractNo', { path: '/signContractList' }),
  numberPlace('QY', '签约支付', queryContractPayList, 'payNo', { path: '/signContractList', tab: 'pays' }),
  numberPlace('QT', '其他材料', queryOtherMaterialList, 'materialNo', { path: '/otherMaterialVerifyList', tab: 'ALL' }),
];
