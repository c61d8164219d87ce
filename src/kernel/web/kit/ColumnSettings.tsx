import { SettingOutlined } from '@ant-design/icons';
import { Button, Popover, Tooltip } from 'antd';
import { lazy, Suspense, useState } from 'react';
import type { Arrangement, Column } from './columns.ts';

interface ColumnSettingsProps<Row extends object> {
  columns: readonly Column<Row>[];
  arrangement: Arrangement;
}

const ColumnChoice = lazy(() => import('./ColumnChoice.tsx'));

/** The button that opens which columns are shown, pinned, and in what order. */
export function ColumnSettings<Row extends object>({ columns, arrangement }: ColumnSettingsProps<Row>) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      content={
        <Suspense fallback={<div className="kq-column-settings" />}>
          <ColumnChoice columns={columns} arrangement={arrangement} />
        </Suspense>
      }
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      title="列设置"
    >
      <Tooltip title={open ? '' : '列设置'}>
        <Button type="text" icon={<SettingOutlined />} aria-label="列设置" />
      </Tooltip>
    </Popover>
  );
}
