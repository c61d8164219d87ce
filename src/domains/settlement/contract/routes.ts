import { declareRoutes } from '#kernel/contract/route.ts';

const menu = '收入与结算';
const page = { trail: [menu], menu, kind: 'list' } as const;

export const settlementRoutes = declareRoutes('settlement', [
  { path: '/doctorSettlement', title: '医生结算', ...page, permission: 'settlement.bill.view' },
  { path: '/accountInquiry', title: '账户查询', ...page, permission: 'settlement.account.view' },
  { path: '/incomeDetail', title: '收入明细', ...page, permission: 'settlement.income.view' },
  { path: '/doctorIncome', title: '医生收入', ...page, permission: 'settlement.income.view' },
  { path: '/incomeSettle', title: '收入结算', ...page, permission: 'settlement.payout.view' },
  { path: '/IncentiveItroduction', title: '激励说明', ...page, permission: 'settlement.program.view' },
  { path: '/settlementRules', title: '结算规则', ...page, permission: 'settlement.rule.view' },
  { path: '/perfRelatedChange', title: '绩效关系变更', ...page, permission: 'settlement.perf.view' },
  { path: '/performanceBindRelationTable', title: '绩效绑定关系', ...page, permission: 'settlement.perf.view' },
  { path: '/importBind', title: '导入绑定', trail: [menu], menu, kind: 'tool', permission: 'settlement.perf.import' },
]);
