import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { settlementRoutes } from '../contract/routes.ts';

/** The browser half of settlement. */
export const settlementWeb: WebModule = {
  domain: 'settlement',
  pages: pagesOf(settlementRoutes, {
    '/doctorSettlement': () => import('./bills/DoctorSettlement.tsx'),
    '/incomeSettle': () => import('./payout/IncomeSettle.tsx'),
    '/settlementRules': () => import('./rules/SettlementRules.tsx'),
    '/IncentiveItroduction': () => import('./incentive/IncentiveItroduction.tsx'),
    '/incomeDetail': () => import('./income/IncomeDetail.tsx'),
    '/doctorIncome': () => import('./income/DoctorIncome.tsx'),
    '/perfRelatedChange': () => import('./perf/PerfRelatedChange.tsx'),
    '/performanceBindRelationTable': () => import('./perf/PerformanceBindRelationTable.tsx'),
    '/importBind': () => import('./perf/ImportBind.tsx'),
    '/accountInquiry': () => import('./accounts/AccountInquiry.tsx'),
  }),
};
