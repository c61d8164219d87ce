import { send } from '../../../../kernel/web/http/client.ts';
import { NOTHING } from '../../../../kernel/web/kit/values.tsx';
import { resource } from '../../../../kernel/web/list/ResourceList.tsx';
import { queryPharmaCompanyList, revealPharmaCompanyMobile } from '../../contract/calls/companies.ts';
import { companyRoles } from '../../contract/dictionaries.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { countryName } from '../../contract/countries.ts';
import { companyMachine } from '../../contract/states.ts';
import { companyLabels } from '../../contract/labels.ts';

/** List of companies: columns and filters. */
export const companyList = resource(queryPharmaCompanyList, {
  routeKey: 'pharmaceuticalEnterprises',
  empty: '没有符合条件的药企，请调整筛选条件或点击“新增药企”',
  filters: [
    { kind: 'text', name: 'name', label: '药企名称', placeholder: '名称、简称或拼音' },
    { kind: 'text', name: 'companyNo', label: '药企编号', maxLength: 30 },
    { kind: 'dict', name: 'roles', label: '角色', dictionary: companyRoles, several: true },
    { kind: 'text', name: 'uscc', label: '信用代码', maxLength: 18 },
    { kind: 'dict', name: 'state', label: '状态', dictionary: companyMachine.dictionary, several: true },
  ],
  columns: [
    { key: 'companyNo', title: '药企编号', width: 170, required: true },
    {
      key: 'name',
      title: '药企名称',
      width: 240,
      required: true,
      kind: 'custom',
      render: (row) => (
        <span title={row.name}>
          {row.logoUrl && <img src={row.logoUrl} alt="" className="kq-thumb" loading="lazy" style={{ marginRight: 8 }} />}
          {row.name}
        </span>
      ),
    },
    { key: 'shortName', title: companyLabels.shortName, width: 110, hidden: true },
    { key: 'roles', title: companyLabels.roles, width: 200, value: (row) => row.roles.map((role) => companyRoles.label(role)).join('、') },
    { key: 'country', title: companyLabels.country, width: 100, value: (row) => countryName(row.country) },
    { key: 'uscc', title: '信用代码', width: 180, hidden: true },
    { key: 'lineCount', title: '产品线数', kind: 'number', width: 90 },
    { key: 'medicineCount', title: '药品数', kind: 'number', width: 80 },
    { key: 'agentCount', title: '代表数', kind: 'number', width: 80 },
    { key: 'contactName', title: companyLabels.contactName, width: 90 },
    {
      key: 'contactMobile',
      title: '手机号',
      kind: 'masked',
      masked: {
        permission: may['sensitive.reveal'],
        withReason: true,
        reveal: async (row, reason) => (await send(revealPharmaCompanyMobile, { id: row.id, reason })).value ?? NOTHING,
      },
    },
    { key: 'licenceValidTo', title: companyLabels.licenceValidTo, kind: 'day' },
    { key: 'state', title: '状态', kind: 'dict', dictionary: companyMachine.dictionary },
  ],
});
