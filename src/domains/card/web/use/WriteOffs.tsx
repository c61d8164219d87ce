import { lazy } from 'react';
import { grouped } from '#kernel/contract/money.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Money } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList, type ListView } from '#kernel/web/list/ResourceList.tsx';
import { exportWriteOffList, queryWriteOffList, queryWriteOffTotal, type WriteOffRow } from '../../contract/calls/writeOffs.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import './use.css';

const WriteOffDrawer = lazy(async () => ({ default: (await import('./WriteOffDrawer.tsx')).WriteOffDrawer }));
const ReversalForm = lazy(async () => ({ default: (await import('./ReversalForm.tsx')).ReversalForm }));
const Voucher = lazy(async () => ({ default: (await import('./Voucher.tsx')).Voucher }));

const writeOffs = resource(queryWriteOffList, {
  routeKey: 'cardCancel',
  empty: '没有符合条件的核销记录',
  filters: [
    'writeOffNo',
    'orderNo',
    'cardNo',
    'holderKeyword',
    'kind',
    'state',
    'settleState',
    'operatorType',
    { kind: 'days', names: ['dateFrom', 'dateTo'], label: '核销时间' },
  ],
  columns: [
    { key: 'writeOffNo', required: true },
    'cardNo',
    'cardTypeName',
    'holderName',
    'orderNo',
    'merchantName',
    'goods',
    'amount',
    'times',
    'fee',
    'reversed',
    { key: 'operatorType', plain: true },
    'state',
    'receivableState',
    { key: 'payableState' },
    {
      key: 'payableBillNo',
      width: 150,
      value: (row) => row.payableBillNo,
      to: (row) => (row.payableBillNo ? { path: '/storedCardBatchManage', search: { tab: 'bills', billNo: row.payableBillNo } } : null),
    },
    'doneAt',
    { key: 'kind', hidden: true },
  ],
});

/** 笔数, 金额, 冲正, 净额 of all that the filters find. */
function Totals({ view }: { view: ListView<typeof queryWriteOffList> }) {
  const { pageNo: _no, pageSize: _size, ...filters } = view.filters;
  const { data } = useData(queryWriteOffTotal, filters, { quiet: true });
  if (!data) return null;
  return (
    <span className="card-totals">
      <span>笔数 {grouped(data.count)}</span>
      <span>
        核销 <Money fen={data.amount} unit />
      </span>
      <span>
        冲正 <Money fen={data.reversed} unit />
      </span>
      <span>
        净额 <Money fen={data.net} unit />
      </span>
    </span>
  );
}

/** Tab 核销记录. */
export function WriteOffs() {
  const layers = useLayers();
  const show = (row: WriteOffRow) => layers.open((close) => <WriteOffDrawer id={row.id} onClose={close} />);
  const actions: readonly RowAction<WriteOffRow>[] = [
    { label: '详情', act: show },
    {
      label: '申请冲正',
      permission: may['writeoff.edit'],
      danger: true,
      when: ({ state }) => state !== 'REVERSED',
      act: (row) => layers.open((close) => <ReversalForm id={row.id} onClose={close} />),
    },
    { label: '打印凭证', act: (row) => layers.open((close) => <Voucher id={row.id} onClose={close} />) },
  ];
  return (
    <>
      <ResourceList
        of={writeOffs}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => (
          <>
            <ExportButton call={exportWriteOffList} view={view} permission={may['card.export']} />
            <Totals view={view} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
