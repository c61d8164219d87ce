import { Button, Select } from 'antd';
import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import type { LedgerAccountRow } from '../../contract/calls/accounts.ts';
import { exportLedgerEntryList, queryLedgerEntryList } from '../../contract/calls/entries.ts';
import { ledgerPermissions as may } from '../../contract/permissions.ts';
import { Document } from './Document.tsx';
import { useBook, usePanel } from '../panel.ts';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';

/** 摘要: kinds of transfers of the panel's book. */
function TransferTypePicker({ value, onChange, ...rest }: PickerProps<string>) {
  const { data, fetching } = useBook();
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={fetching}
      value={value ?? null}
      options={(data?.transferTypes ?? []).map(({ code, label }) => ({ value: code, label }))}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

const AccountStatement = lazy(async () => ({ default: (await import('../accounts/AccountStatement.tsx')).AccountStatement }));
const Voucher = lazy(async () => ({ default: (await import('./Voucher.tsx')).Voucher }));

const entries = resource(queryLedgerEntryList, {
  routeKey: 'ledger.entries',
  empty: '没有符合条件的流水',
  filters: [
    { kind: 'days', names: ['dateFrom', 'dateTo'], label: '记账日期', presets: true },
    { kind: 'picker', name: 'transferType', picker: TransferTypePicker },
    'refNo',
    'transferNo',
    'side',
  ],
  columns: [
    { key: 'accountSeq', align: 'right' },
    'postingDate',
    { key: 'transferNo', required: true },
    'label',
    'accountTypeLabel',
    { key: 'ownerName', hidden: true },
    { key: 'accountNo', hidden: true },
    'counter',
    'debitFen',
    'creditFen',
    'balanceAfterFen',
    { key: 'refNo', render: (row) => <Document of={row} /> },
    { key: 'memo', hidden: true },
    'operatorName',
    { key: 'createdAt', hidden: true },
  ],
});

/** Tab 流水: entries of the panel's accounts; a click opens the voucher. */
export function Entries({ account }: { account?: LedgerAccountRow }) {
  const scope = usePanel();
  const layers = useLayers();
  return (
    <>
      <ResourceList
        of={entries}
        fixed={scope}
        onRowClick={({ transferNo }) => layers.open((close) => <Voucher transferNo={transferNo} onClose={close} />)}
        toolbar={(view) => (
          <>
            <ExportButton call={exportLedgerEntryList} view={view} permission={may['account.view']} />
            {account && (
              <Button onClick={() => layers.open((close) => <AccountStatement account={account} filters={view.filters} onClose={close} />)}>
                打印对账单
              </Button>
            )}
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
