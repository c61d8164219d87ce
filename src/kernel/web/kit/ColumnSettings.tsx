import { SettingOutlined } from '@ant-design/icons';
import { Button, Popover, Tooltip } from 'antd';
import { useRef, useState } from 'react';
import { usePreference } from '../session/preference.ts';
import { arrange } from './columns.ts';
import type { Column, TableSetting } from './columns.ts';

interface ColumnSettingsProps<Row> {
  columns: readonly Column<Row>[];
  settingKey: string;
}

const NO_SETTING: TableSetting = {};

/** Which columns are shown, and in what order; drag or use the arrow keys. */
export function ColumnSettings<Row>({ columns, settingKey }: ColumnSettingsProps<Row>) {
  const { value: setting, save } = usePreference<TableSetting>(`table:${settingKey}`, NO_SETTING);
  const [open, setOpen] = useState(false);
  const dragged = useRef<number | null>(null);
  const arranged = arrange(columns, setting);
  const order = arranged.map(({ column }) => column.key);

  const move = (from: number, to: number) => {
    if (to < 0 || to >= order.length || from === to) return;
    const next = [...order];
    next.splice(to, 0, ...next.splice(from, 1));
    save({ ...setting, order: next });
  };
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
      <ul>
        {arranged.map(({ column, shown }, index) => (
          <li
            key={column.key}
            draggable
            onDragStart={() => (dragged.current = index)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dragged.current !== null && move(dragged.current, index)}
          >
            <label>
              <input
                type="checkbox"
                className="kq-check"
                checked={shown}
                disabled={column.required ?? false}
                onChange={(event) => show(column.key, event.target.checked)}
                onKeyDown={(event) => {
                  if (event.altKey && event.key === 'ArrowUp') move(index, index - 1);
                  if (event.altKey && event.key === 'ArrowDown') move(index, index + 1);
                }}
              />
              {column.title}
            </label>
            <span className="kq-column-move">
              <button
                type="button"
                className="kq-link"
                onClick={() => move(index, index - 1)}
                disabled={index === 0}
                aria-label={`${column.title}上移`}
              >
                ↑
              </button>
              <button
                type="button"
                className="kq-link"
                onClick={() => move(index, index + 1)}
                disabled={index === order.length - 1}
                aria-label={`${column.title}下移`}
              >
                ↓
              </button>
            </span>
          </li>
        ))}
      </ul>
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
