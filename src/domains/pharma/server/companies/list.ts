import { sql } from 'kysely';
import { containsText } from '#kernel/server/database/search.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { hasOneOf, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportPharmaCompanyList, queryPharmaCompanyList } from '../../contract/calls/companies.ts';
import { own } from '../database.ts';
import { pictureUrl } from '../pictures.ts';
import { companies, companyColumns, presentCompany } from './companyRows.ts';

/** @param kernel signs the addresses of the companies' logos */
export const companyList = (kernel: Kernel) =>
  listOf(queryPharmaCompanyList)
    .from(({ db }) => companies(own(db)))
    .with({
      where: {
        companyNo: 'c.companyNo',
        name: (_eb, name) => containsText(sql`c.name || ' ' || c.short_name || ' ' || c.name_pinyin`, name),
        uscc: isNumber('c.uscc'),
        roles: hasOneOf('c.roles'),
        state: 'c.state',
      },
      id: 'c.id',
      last: { of: 'c.state', groups: [['DISABLED']] },
      sorts: {
        companyNo: 'c.companyNo',
        name: 'c.namePinyin',
        lineCount: sql.ref('lineCount'),
        medicineCount: sql.ref('medicineCount'),
        agentCount: sql.ref('agentCount'),
        licenceValidTo: 'c.licenceValidTo',
        createdAt: 'c.createdAt',
      },
      bounded: 'companies are some hundreds',
      select: companyColumns,
      present: (rows, { now }) => rows.map((row) => ({ ...presentCompany(row), logoUrl: pictureUrl(kernel, row.logoFileId, now) })),
    });

export const companyExport = (list: ReturnType<typeof companyList>) =>
  listExport(list, {
    call: exportPharmaCompanyList,
    title: '药企',
    routeKey: 'pharmaceuticalEnterprises',
    columns: [
      'companyNo',
      'name',
      'shortName',
      'roles',
      'uscc',
      'country',
      'contactName',
      'contactMobile',
      'lineCount',
      'medicineCount',
      'agentCount',
      'licenceValidTo',
      'state',
      'createdAt',
    ],
  });
