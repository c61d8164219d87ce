import { SettingOutlined } from '@ant-design/icons';
import { Button, Popover, Tooltip } from 'antd';
import { useState } from 'react';
import { usePreference } from '../session/preference.ts';
import { arrange } from './columns.ts';
import type { Column, TableSetting } from './columns.ts';
import { MovableList, moved } from './MovableList.tsx';

interface ColumnSettingsProps<Row> {
  columns: readonly Column<Row>[];
  settingKey: string;
}

const NO_SETTING: TableSetting = {};

/** Which columns are shown, and in what order; drag or use the arrow keys. */
export function ColumnSettings<Row>({ columns, settingKey }: ColumnSettingsProps<Row>) {
  const { value: setting, save } = usePreference<TableSetting>(`table:${settingKey}`, NO_SETTING);
  const [open, setOpen] = useState(false);
  const arranged = arrange(columns, setting);
  const order = arranged.map(({ column }) => column.key);

  const show = (key: string, shown: boolean) => {
    const without = (list: readonly string[] = []) => list.filter((other) => other !== key);
    save({
      ...setting,
      hidden: shown ? without(setting.hidden) : [...without(setting.hidden), key],
      shown: shown ? [...without(setting.shown), key] : without(setting.shown),
    });
  };
  const list = (
    <div className="kq-column-settings">
      <MovableList
        items={arranged.map(({ column }) => ({ key: column.key, label: column.title }))}
        onMove={(from, to) => save({ ...setting, order: moved(order, from, to) })}
      >
        {(index) => {
          const { column, shown } = arranged[index]!;
          return (
            <label>
              <input
                type="checkbox"
                className="kq-check"
                checked={shown}
                disabled={column.required ?? false}
                onChange={(event) => show(column.key, event.target.checked)}
              />
              {column.title}
            </label>
          );
        }}
      </MovableList>
      <Button size="small" block onClick={() => save(setting.pageSize ? { pageSize: setting.pageSize } : {})}>
        恢复默认
      </Button>
    </div>
  );
  return (
    <Popover content={list} trigger="click" placement="bottomRight" open={open} onOpenChange={setOpen} title="列设置">
      <Tooltip title={open ? '' : '列设置'}>
        <Button type="text" icon={<SettingOutlined />} aria-label="列设置" />
      </Tooltip>
    </Popover>
  );
}
