import { Button, InputNumber } from 'antd';
import { useState } from 'react';
import { useCommand } from '#kernel/web/http/queries.ts';
import { adjustBanner, queryBannerList, type BannerRow } from '../../contract/banners/calls.ts';
import { weekdaysOf } from '../delivery/weekdays.ts';

/** The priority of an approved banner, changed where it stands. */
export function PriorityCell({ row }: { row: BannerRow }) {
  const [editing, setEditing] = useState(false);
  const command = useCommand(adjustBanner, { success: '操作成功!', refreshes: [queryBannerList] });
  if (!row.allowedActions.includes('adjust')) return <span className="kq-number">{row.priority}</span>;
  if (!editing)
    return (
      <Button type="link" size="small" title="点击修改优先级" onClick={() => setEditing(true)}>
        {row.priority}
      </Button>
    );
  const save = (value: number) => {
    setEditing(false);
    if (!Number.isInteger(value) || value < 1 || value > 99 || value === row.priority) return;
    const { id, version, endAt, dailyFrom, dailyTo } = row;
    void command.run({ id, version, endAt, dailyFrom, dailyTo, weekdays: weekdaysOf(row.weekdays), priority: value });
  };
  return (
    <InputNumber
      autoFocus
      size="small"
      aria-label={`${row.bannerName}的优先级`}
      min={1}
      max={99}
      precision={0}
      defaultValue={row.priority}
      onBlur={(event) => save(Number(event.target.value))}
      onPressEnter={(event) => save(Number(event.currentTarget.value))}
    />
  );
}
