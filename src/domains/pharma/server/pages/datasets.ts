import { revealBy } from '../../../../kernel/server/datasets/dataset.ts';
import { dataset } from '../../../../kernel/server/datasets/declare.ts';
import { exportAgentList, queryAgentList, revealAgentField } from '../../contract/calls/agents.ts';

/** What pages of definitions may name of representatives: reading and exporting; a number in the clear by the call that logs it. */
export const agentSet = dataset({
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
});
