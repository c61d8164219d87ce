import { DownOutlined, ExportOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { useState } from 'react';
import type { ExportButtonProps } from '../../../../kernel/web/files/places.ts';
import { AskedExport } from './AskedExport.tsx';
import { ColumnChoice } from './ColumnChoice.tsx';
import { useExport } from './useExport.tsx';

/** Filters of the list without what belongs to its paging. */
function filtersOf(filters: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).filter(([name, value]) => !['pageNo', 'pageSize', 'cursor'].includes(name) && value !== undefined),
  );
}

const EXACT = 10_000;

/** 导出: this page, everything found, or chosen columns. */
export default function ExportButton({ call, view, label = '导出', asked }: ExportButtonProps) {
  const { run, busy } = useExport(call);
  const [choosing, setChoosing] = useState(false);
  const filters = () => {
    const filterText = view.filterText?.();
    return { ...filtersOf(view.filters), ...(filterText && { filterText }) };
  };
  const { pageNo, pageSize } = view;
  const found = view.total === undefined ? '' : view.total > EXACT ? `（${EXACT}+行）` : `（${view.total}行）`;
  const items = [
    ...(pageNo && pageSize
      ? [{ key: 'page', label: '导出当前页', onClick: () => void run({ ...filters(), page: { pageNo, pageSize } }) }]
      : []),
    { key: 'all', label: `导出全部筛选结果${found}`, onClick: () => void run(filters()) },
    { key: 'columns', label: '选择列…', onClick: () => setChoosing(true) },
  ];
  if (asked)
    return (
      <>
        <Button
          icon={<ExportOutlined />}
          loading={busy}
          disabled={!view.total}
          title={view.total ? undefined : '没有可导出的数据'}
          onClick={() => setChoosing(true)}
        >
          {label}
          {found}
        </Button>
        {choosing && (
          <AskedExport
            source={call.name}
            sensitive={asked.sensitive}
            busy={busy}
            found={found}
            onClose={() => setChoosing(false)}
            onExport={async (choice) => {
              if (await run({ ...filters(), ...asked.input(choice) })) setChoosing(false);
            }}
          />
        )}
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
      {choosing && (
        <ColumnChoice
          source={call.name}
          busy={busy}
          found={found}
          onClose={() => setChoosing(false)}
          onExport={async (choice) => {
            if (await run({ ...filters(), ...choice })) setChoosing(false);
          }}
        />
      )}
    </>
  );
}
