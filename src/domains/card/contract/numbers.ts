import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryBatchList } from './calls/batches.ts';
import { queryCardChangeList } from './calls/cardChanges.ts';
import { queryFundPrepayList } from './calls/funds.ts';
import { queryGrantList } from './calls/grants.ts';
import { querySettlementBatchList, querySettlementBillList } from './calls/settlement.ts';
import { queryReversalList, queryWriteOffList } from './calls/writeOffs.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const cardNumbers: readonly NumberPlace[] = [
  numberPlace('GR', '发放单', queryGrantList, 'grantNo', { path: '/valueCardGrant' }),
  numberPlace('CB', '发卡批次', queryBatchList, 'batchNo', { path: '/cardBatchManagement' }),
  numberPlace('CC', '卡变更', queryCardChangeList, 'changeNo', { path: '/cardInformation', tab: 'changes' }),
  numberPlace('WO', '核销', queryWriteOffList, 'writeOffNo', { path: '/cardCancel' }),
  numberPlace('RV', '冲正', queryReversalList, 'reversalNo', { path: '/cardCancel', tab: 'reversals' }),
  numberPlace('SB', '结算批次', querySettlementBatchList, 'batchNo', { path: '/storedCardBatchManage' }),
  numberPlace('SL', '结算单', querySettlementBillList, 'billNo', { path: '/storedCardBatchManage', tab: 'bills' }),
  numberPlace('YF', '预付到账', queryFundPrepayList, 'prepayNo', { path: '/storedCardBatchManage', tab: 'funds' }),
];
