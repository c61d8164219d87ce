import { datasetAction, datasetOptions, revealBy, type Dataset } from '#kernel/server/datasets/dataset.ts';
import { dataset } from '#kernel/server/datasets/declare.ts';
import {
  changePharmaCompanyState,
  exportPharmaCompanyList,
  queryPharmaCompanyDetail,
  queryPharmaCompanyList,
  revealPharmaCompanyMobile,
} from '../../contract/calls/companies.ts';
import { companyMachine } from '../../contract/states.ts';
import { exportAgentList, importAgent, queryAgentList, revealAgentField } from '../../contract/calls/agents.ts';

/** What pages of definitions may name of representatives: reading and exporting; a number in the clear by the call that logs it. */
const agentSet = dataset({
  code: 'pharma.agent',
  label: '医药代表',
  targetType: 'pharma.agent',
  list: queryAgentList,
  key: 'id',
  version: 'version',
  routeKeys: ['pharmaceuticalCompany'],
  columns: [
    'agentNo',
    'name',
    {
      key: 'mobile',
      reveal: revealBy({ call: revealAgentField, input: (id) => ({ id, field: 'mobile' as const }), answer: ({ value }) => value ?? '' }),
    },
    'companyName',
    'rank',
    'parentName',
    'regionNames',
    'filingNo',
    'filingValidTo',
    'joinedOn',
    'doctorCount',
    'channelCount',
    'monthNewDoctors',
    'state',
  ],
  filters: ['agentNo', 'name', 'rank', 'state', 'filing'],
  export: exportAgentList,
  import: { call: importAgent, importerCode: 'pharma.agent' },
});

const companyState = (action: 'disable' | 'enable', label: string) =>
  datasetAction({
    code: action,
    label,
    kind: 'ROW',
    call: changePharmaCompanyState,
    form: {},
    input: ({ key, version, opinion }) => ({ id: key, version, action, ...(opinion !== '' && { opinion }) }),
    when: { column: 'state', values: companyMachine.transitions[action].from },
    opinion: action === 'disable',
    danger: action === 'disable',
  });

/** The companies that supply: reading, exporting, who did what with them, and whether they are worked with. */
const companySet = dataset({
  code: 'pharma.company',
  label: '药企',
  targetType: 'pharma.company',
  list: queryPharmaCompanyList,
  key: 'id',
  version: 'version',
  routeKeys: ['pharmaceuticalEnterprises'],
  columns: [
    'companyNo',
    'name',
    'shortName',
    'roles',
    'uscc',
    'contactName',
    {
      key: 'contactMobile',
      reveal: revealBy({ call: revealPharmaCompanyMobile, input: (id) => ({ id }), answer: ({ value }) => value ?? '' }),
    },
    'licenceValidTo',
    'lineCount',
    'medicineCount',
    'agentCount',
    'state',
    'createdAt',
  ],
  filters: ['companyNo', 'name', 'roles', 'uscc', 'state'],
  detail: {
    call: queryPharmaCompanyDetail,
    input: (companyId: string) => ({ companyId }),
    record: ({ company }) => company,
    trail: ({ timeline }) => timeline,
  },
  export: exportPharmaCompanyList,
  options: {
    company: datasetOptions({
      call: queryPharmaCompanyList,
      label: '药企',
      input: (name) => ({ pageSize: 20, ...(name !== '' && { name }) }),
      rows: ({ rows }) => rows.map(({ id, name }) => ({ value: id, label: name })),
    }),
  },
  actions: [companyState('disable', '停用'), companyState('enable', '启用')],
});

export const pharmaSets: readonly Dataset[] = [agentSet, companySet];
