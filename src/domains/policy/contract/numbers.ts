import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryInsuredBatchList } from './calls/batches.ts';
import { queryPolicyList } from './calls/policies.ts';
import { queryPremiumOrderList } from './calls/premium.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const policyNumbers: readonly NumberPlace[] = [
  numberPlace('BD', '保单', queryPolicyList, 'platformNo', { path: '/policyManage' }),
  numberPlace('BF', '保费订单', queryPremiumOrderList, 'premiumOrderNo', { path: '/insurancePremiumOrderInquiry' }),
  numberPlace('QD', '清单批次', queryInsuredBatchList, 'batchNo', { path: '/inventoryListManagement' }),
];
