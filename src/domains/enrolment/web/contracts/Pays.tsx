import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { exportContractPayList, queryContractPayList } from '../../contract/calls/contractPays.ts';
import { payPermissions as may } from '../../contract/permissions.ts';

const pays = resource(queryContractPayList, {
  routeKey: 'signContractList.pays',
  empty: '没有符合条件的支付单；收费合同签署后自动建立',
  filters: ['payNo', 'contractNo', 'channel', 'state', { kind: 'instants', label: '支付时间', names: ['paidFrom', 'paidTo'] }],
  columns: [
    { key: 'payNo', required: true },
    'contractNo',
    'insuredName',
    'amountFen',
    'refundedFen',
    'channel',
    'channelTradeNo',
    'paidAt',
    'flag',
    { key: 'payerName', hidden: true },
    { key: 'dueOn', hidden: true },
    { key: 'expireAt', hidden: true },
    { key: 'makerName', hidden: true },
    { key: 'checkerName', hidden: true },
    { key: 'createdAt', hidden: true },
    'state',
  ],
});

/** Tab 支付记录: fees of all contracts. */
export function Pays() {
  return (
    <ResourceList
      of={pays}
      actions={[{ label: '支付详情', act: ({ contractId }) => goTo('/signContractPayDetail', { contractId }) }]}
      onRowClick={({ contractId }) => goTo('/signContractPayDetail', { contractId })}
      toolbar={(view) => <ExportButton call={exportContractPayList} view={view} permission={may['pay.export']} />}
    />
  );
}
