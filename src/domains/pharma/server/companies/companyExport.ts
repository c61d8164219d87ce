import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { exportPharmaCompanyList } from '../../contract/calls/companies.ts';
import { countryName } from '../../contract/countries.ts';
import { companyRoles } from '../../contract/dictionaries.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { companyMachine } from '../../contract/states.ts';
import { companyLabels } from '../../contract/labels.ts';
import { pharmaDb } from '../database.ts';
import { companyRows, matchingCompanies, presentCompany } from './companyRows.ts';

export const companyExport = exportSource({
  call: exportPharmaCompanyList,
  title: '药企',
  routeKey: 'pharmaceuticalEnterprises',
  permission: pharmaPermissions['company.export'].code,
  count: ({ db, filter }) => totalUpTo(db, matchingCompanies(pharmaDb(db), filter)),
  chunks: ({ db, filter }) =>
    chunksById(async (after, limit) => {
      const own = pharmaDb(db);
      const rows = await companyRows(own)
        .where('c.id', 'in', matchingCompanies(own, filter))
        .where('c.id', '>', after)
        .orderBy('c.id')
        .limit(limit)
        .execute();
      return rows.map(presentCompany);
    }),
  columns: [
    { key: 'companyNo', label: '药企编号', value: (row) => row.companyNo, width: 20 },
    { key: 'name', label: companyLabels.name, value: (row) => row.name, width: 30 },
    { key: 'shortName', label: companyLabels.shortName, value: (row) => row.shortName },
    { key: 'roles', label: companyLabels.roles, value: (row) => row.roles.map((role) => companyRoles.label(role)).join('、'), width: 24 },
    { key: 'uscc', label: companyLabels.uscc, value: (row) => row.uscc, width: 22 },
    { key: 'country', label: companyLabels.country, value: (row) => countryName(row.country) },
    { key: 'contactName', label: companyLabels.contactName, value: (row) => row.contactName },
    { key: 'contactMobile', label: companyLabels.contactMobile, value: (row) => row.contactMobile },
    { key: 'lineCount', label: '产品线数', kind: 'int', value: (row) => row.lineCount },
    { key: 'medicineCount', label: '药品数', kind: 'int', value: (row) => row.medicineCount },
    { key: 'agentCount', label: '代表数', kind: 'int', value: (row) => row.agentCount },
    { key: 'licenceValidTo', label: companyLabels.licenceValidTo, kind: 'day', value: (row) => row.licenceValidTo },
    { key: 'state', label: '状态', dictionary: companyMachine.dictionary, value: (row) => row.state },
    { key: 'createdAt', label: '创建时间', kind: 'instant', value: (row) => row.createdAt, width: 20 },
  ],
});
