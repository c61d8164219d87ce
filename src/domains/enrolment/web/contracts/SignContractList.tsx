import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { InsurerPicker } from '#kernel/web/kit/pickers.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { exportContractList, queryContractList, type ContractRow } from '../../contract/calls/contracts.ts';
import { contractPermissions as may, payPermissions } from '../../contract/permissions.ts';
import { useContractActions } from './useContractActions.tsx';

const Pays = lazy(async () => ({ default: (await import('./Pays.tsx')).Pays }));

const contracts = resource(queryContractList, {
  routeKey: 'signContractList',
  empty: '没有符合条件的合同；入组审核通过或被保人清单生效后自动建立',
  filters: [
    'contractNo',
    'insuredName',
    'mobile',
    'idNo',
    'productLine',
    { kind: 'picker', name: 'insurerId', picker: InsurerPicker },
    'productName',
    'state',
    'payState',
    { kind: 'days', label: '生效日期', names: ['startFrom', 'startTo'] },
    { kind: 'days', label: '到期日期', names: ['endFrom', 'endTo'] },
    'reviewDueBefore',
  ],
  columns: [
    {
      key: 'contractNo',
      required: true,
      to: ({ id }) => ({ path: '/signContractListDetail', search: { contractId: id } }),
    },
    'insuredName',
    'productLine',
    'productName',
    'planCode',
    'drugNames',
    'startDate',
    'endDate',
    'nextReviewOn',
    'feeFen',
    'paidFen',
    { key: 'refundedFen', hidden: true },
    { key: 'amendSeq', hidden: true },
    { key: 'mobile', hidden: true },
    { key: 'insurerName', hidden: true },
    { key: 'createdAt', hidden: true },
    'state',
  ],
});

type Fixed = Partial<InputOf<typeof queryContractList>>;

function Contracts({ fixed }: { fixed?: Fixed }) {
  const layers = useLayers();
  const actions = useContractActions(layers);
  const show = ({ id }: ContractRow) => goTo('/signContractListDetail', { contractId: id });
  const rows: readonly RowAction<ContractRow>[] = [
    { label: '详情', act: show },
    {
      label: '支付详情',
      permission: payPermissions['pay.view'],
      when: ({ feeFen, paidFen }) => feeFen > 0 || paidFen > 0,
      act: ({ id }) => goTo('/signContractPayDetail', { contractId: id }),
    },
    ...actions,
  ];
  return (
    <>
      <ResourceList
        of={contracts}
        {...(fixed && { fixed })}
        actions={rows}
        onRowClick={show}
        toolbar={(view) => <ExportButton call={exportContractList} view={view} permission={may['contract.export']} />}
      />
      {layers.shown}
    </>
  );
}

/** Rows of one tab: its filters do not change while it is open. */
const tab = (key: string, label: string, fixed?: Fixed): PagePart => ({
  key,
  label,
  permission: may['contract.view'],
  content: () => <Contracts {...(fixed && { fixed })} />,
});

const parts: readonly PagePart[] = [
  tab('all', '全部'),
  tab('sign', '待签署', { state: ['WAIT_SIGN'] }),
  tab('pay', '待支付', { state: ['WAIT_PAY'] }),
  tab('active', '生效中', { state: ['ACTIVE'] }),
  tab('ending', '30天内到期', { endsSoon: true }),
  tab('overdue', '复查逾期', { reviewOverdue: true }),
  { key: 'pays', label: '支付记录', permission: payPermissions['pay.view'], content: Pays },
];

/** /signContractList 签约合同. */
export default function SignContractList() {
  return <PageParts parts={parts} />;
}
