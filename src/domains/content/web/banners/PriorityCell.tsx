import { Button } from 'antd';
import { useState } from 'react';
import { useCommand } from '#kernel/web/http/queries.ts';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { adjustBanner, queryBannerList, type BannerRow } from '../../contract/banners/calls.ts';
import { weekdaysOf } from '../delivery/weekdays.ts';

/** The priority of an approved banner, changed where it stands. */
export function PriorityCell({ row }: { row: BannerRow }) {
  const [editing, setEditing] = useState(false);
  const [typed, setTyped] = useState<number | null>(row.priority);
  const command = useCommand(adjustBanner, { success: '操作成功!', refreshes: [queryBannerList] });
  if (!row.allowedActions.includes('adjust')) return <span className="kq-number">{row.priority}</span>;
  if (!editing)
    return (
      <Button type="link" size="small" title="点击修改优先级" onClick={() => (setTyped(row.priority), setEditing(true))}>
        {row.priority}
      </Button>
    );
  const save = () => {
    // What could not be read stays to be seen: leaving the field does not put the old number back.
    if (typed === null) return;
    setEditing(false);
    if (typed === row.priority) return;
    const { id, version, endAt, dailyFrom, dailyTo } = row;
    void command.run({ id, version, endAt, dailyFrom, dailyTo, weekdays: weekdaysOf(row.weekdays), priority: typed });
  };
  return (
    <NumberInput
      autoFocus
      size="small"
      aria-label={`${row.bannerName}的优先级`}
      min={1}
      max={99}
      precision={0}
      value={typed}
      onChange={setTyped}
      onBlur={save}
      onPressEnter={save}
    />
  );
}
