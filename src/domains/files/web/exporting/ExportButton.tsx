import { DownOutlined, ExportOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { lazy } from 'react';
import type { Call } from '#kernel/contract/call.ts';
import { sortKeysOf, splitOrder } from '#kernel/contract/sorting.ts';
import type { ExportButtonProps } from '#kernel/web/files/places.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useExport } from './useExport.tsx';

const AskedExport = lazy(async () => ({ default: (await import('./AskedExport.tsx')).AskedExport }));
const ColumnChoice = lazy(async () => ({ default: (await import('./ColumnChoice.tsx')).ColumnChoice }));

/** Filters of the list without what belongs to its paging. */
function filtersOf(filters: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).filter(([name, value]) => !['pageNo', 'pageSize', 'cursor'].includes(name) && value !== undefined),
  );
}

/** The order of the list, where the call can take it. */
const orderOf = ({ input }: Call, orderBy: string | undefined) =>
  orderBy !== undefined && sortKeysOf(input).has(splitOrder(orderBy).key) ? { orderBy } : {};

const EXACT = 10_000;

/** 导出: this page, everything found, or chosen columns. */
export default function ExportButton({ call, view, label = '导出', asked }: ExportButtonProps) {
  const { run, busy } = useExport(call);
  const layers = useLayers();
  const filters = () => {
    const filterText = view.filterText?.();
    return { ...filtersOf(view.filters), ...orderOf(call, view.orderBy), ...(filterText && { filterText }) };
  };
  const { pageNo, pageSize } = view;
  const found = view.total === undefined ? '' : view.total > EXACT ? `（${EXACT}+行）` : `（${view.total}行）`;
  const chooseColumns = () =>
    layers.open((close) => (
      <ColumnChoice
        source={call.name}
        found={found}
        onClose={close}
        onExport={async (choice) => {
          if (await run({ ...filters(), ...choice })) close();
        }}
      />
    ));
  const ask = ({ sensitive, input }: NonNullable<typeof asked>) =>
    layers.open((close) => (
      <AskedExport
        source={call.name}
        sensitive={sensitive}
        found={found}
        onClose={close}
        onExport={async (choice) => {
          if (await run({ ...filters(), ...input(choice) })) close();
        }}
      />
    ));
  const items = [
    ...(pageNo && pageSize
      ? [{ key: 'page', label: '导出当前页', onClick: () => void run({ ...filters(), page: { pageNo, pageSize } }) }]
      : []),
    { key: 'all', label: `导出全部筛选结果${found}`, onClick: () => void run(filters()) },
    { key: 'columns', label: '选择列…', onClick: chooseColumns },
  ];
  if (asked)
    return (
      <>
        <Button
          icon={<ExportOutlined />}
          loading={busy}
          disabled={!view.total}
          title={view.total ? undefined : '没有可导出的数据'}
          onClick={() => ask(asked)}
        >
          {label}
          {found}
        </Button>
        {layers.shown}
      </>
    );
  return (
    <>
      <Dropdown menu={{ items }} disabled={busy || view.total === 0} trigger={['click']}>
        <Button
          icon={<ExportOutlined />}
          loading={busy}
          disabled={view.total === 0}
          title={view.total === 0 ? '没有可导出的数据' : undefined}
        >
          {label} <DownOutlined />
        </Button>
      </Dropdown>
      {layers.shown}
    </>
  );
}
