import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryIncomeAdjustList } from './calls/adjusts.ts';
import { querySettlementBillList } from './calls/bills.ts';
import { queryPayoutBatchList } from './calls/payouts.ts';
import { queryIncomeDetailList } from './calls/income.ts';
import { queryIncentiveProgramList } from './calls/incentive.ts';
import { queryPerfChangeList } from './calls/perfChanges.ts';
import { querySettlementRuleList } from './calls/rules.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const settlementNumbers: readonly NumberPlace[] = [
  numberPlace('IC', '收入', queryIncomeDetailList, 'incomeNo', { path: '/incomeDetail' }),
  numberPlace('IA', '人工调整单', queryIncomeAdjustList, 'adjustNo', { path: '/incomeDetail', tab: 'adjusts' }),
  numberPlace('IP', '激励项目', queryIncentiveProgramList, 'programNo', { path: '/IncentiveItroduction' }),
  numberPlace('JS', '结算单', querySettlementBillList, 'billNo', { path: '/doctorSettlement' }),
  numberPlace('FK', '付款批次', queryPayoutBatchList, 'batchNo', { path: '/incomeSettle' }),
  numberPlace('SR', '结算规则', querySettlementRuleList, 'ruleCode', { path: '/settlementRules' }),
  numberPlace('PC', '绩效关系变更单', queryPerfChangeList, 'requestNo', { path: '/perfRelatedChange' }),
];
