import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryAdverseReportList } from './calls/adverse.ts';
import { queryAgentList } from './calls/agents.ts';
import { queryPharmaCompanyList } from './calls/companies.ts';
import { queryMedicineList } from './calls/medicines.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const pharmaNumbers: readonly NumberPlace[] = [
  numberPlace('YQ', '药企', queryPharmaCompanyList, 'companyNo', { path: '/pharmaceuticalEnterprises' }),
  numberPlace('DB', '医药代表', queryAgentList, 'name', { path: '/agentList' }),
  numberPlace('YP', '药品', queryMedicineList, 'keyword', { path: '/medicineManagementTable' }),
  numberPlace('BL', '不良反应报告', queryAdverseReportList, 'reportNo', { path: '/pharmaceuticalEnterprises', tab: 'adverse' }),
];
