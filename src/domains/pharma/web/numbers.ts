import { numberPlace, type NumberPlace } from '#kernel/web/router/numberPlace.ts';
import { queryAdverseReportList } from '../contract/calls/adverse.ts';
import { queryAgentList } from '../contract/calls/agents.ts';
import { queryPharmaCompanyList } from '../contract/calls/companies.ts';
import { queryMedicineList } from '../contract/calls/medicines.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const pharmaNumbers: readonly NumberPlace[] = [
  numberPlace('YQ', '药企', queryPharmaCompanyList, 'companyNo', { path: '/pharmaceuticalEnterprises' }),
  numberPlace('DB', '医药代表', queryAgentList, 'name', { path: '/agentList' }),
  numberPlace('YP', '药品', queryMedicineList, 'keyword', { path: '/medicineManagementTable' }),
  numberPlace('BL', '不良反应报告', queryAdverseReportList, 'reportNo', { path: '/pharmaceuticalEnterprises', tab: 'adverse' }),
];
