import { send } from '#kernel/web/http/client.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryPharmaCompanyList, revealPharmaCompanyMobile } from '../../contract/calls/companies.ts';
import { companyRoles } from '../../contract/dictionaries.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { countryName } from '../../contract/countries.ts';

/** List of companies: columns and filters. */
export const companyList = resource(queryPharmaCompanyList, {
  routeKey: 'pharmaceuticalEnterprises',
  empty: '没有符合条件的药企，请调整筛选条件或点击“新增药企”',
  filters: [{ name: 'name', placeholder: '名称、简称或拼音' }, 'companyNo', 'roles', 'uscc', 'state'],
  columns: [
    { key: 'companyNo', width: 170, required: true },
    {
      key: 'name',
      required: true,
      render: (row) => (
        <span title={row.name}>
          {row.logoUrl && <img src={row.logoUrl} alt="" className="kq-thumb" loading="lazy" style={{ marginRight: 8 }} />}
          {row.name}
        </span>
      ),
    },
    { key: 'shortName', width: 110, hidden: true },
    { key: 'roles', width: 200, value: (row) => row.roles.map((role) => companyRoles.label(role)).join('、') },
    { key: 'country', width: 100, value: (row) => countryName(row.country) },
    { key: 'uscc', width: 180, hidden: true },
    { key: 'lineCount', width: 90 },
    { key: 'medicineCount', width: 80 },
    { key: 'agentCount', width: 80 },
    { key: 'contactName', width: 90 },
    {
      key: 'contactMobile',
      masked: {
        permission: may['sensitive.reveal'],
        withReason: true,
        reveal: async (row, reason) => (await send(revealPharmaCompanyMobile, { id: row.id, reason })).value ?? NOTHING,
      },
    },
    'licenceValidTo',
    'state',
  ],
});
