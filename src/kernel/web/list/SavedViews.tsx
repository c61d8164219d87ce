import { Button, Input, Modal } from 'antd';
import { useState } from 'react';
import { toast } from '../feedback/toast.ts';
import { PopMenu } from '../kit/PopMenu.tsx';
import type { FilterValue } from './filters.ts';
import type { Views } from './useViews.ts';

interface SavedViewsProps {
  views: Views;
  /** What stands in the search fields, and the order. */
  values: Readonly<Record<string, FilterValue>>;
  /** Before another view is shown: what was typed goes. */
  replace(search: () => void): void;
}

/** The operator's named views of one list, kept on the server; the button names the one in use, and whether something else is asked now. */
export function SavedViews({ views, values, replace }: SavedViewsProps) {
  const { list, current, changed } = views;
  const [managing, setManaging] = useState(false);
  const shown = current ? `视图：${current.name}${changed ? '（已改）' : ''}` : '视图';
  return (
    <>
      <PopMenu
        label={shown}
        className="kq-link kq-view"
        items={[
          ...(current && changed
            ? [
                { key: 'back', label: `恢复为“${current.name}”`, act: () => replace(() => views.choose(current)) },
                { key: 'keep', label: `保存到“${current.name}”`, act: () => keep(views, current.name, values) },
              ]
            : []),
          ...list.map((view, at) => ({
            key: `view ${view.name}`,
            label: view.name,
            chosen: view === current,
            divided: at === 0 && changed,
            act: () => replace(() => views.choose(view)),
          })),
          ...(current ? [{ key: 'leave', label: '不使用视图', divided: true, act: () => replace(views.leave) }] : []),
          { key: 'manage', label: '保存与管理视图…', divided: list.length > 0 && !current, act: () => setManaging(true) },
        ]}
      >
        <span title={shown}>{shown}</span>
      </PopMenu>
      {managing && <ManageViews views={views} values={values} onClose={() => setManaging(false)} />}
    </>
  );
}

function keep(views: Views, name: string, values: SavedViewsProps['values']): void {
  views.keep(name, values);
  toast(`已保存视图“${name}”`);
}

interface ManageViewsProps {
  views: Views;
  values: SavedViewsProps['values'];
  onClose(): void;
}

function ManageViews({ views, values, onClose }: ManageViewsProps) {
  const [name, setName] = useState('');
  const wanted = name.trim();
  const save = () => {
    if (!wanted) return;
    keep(views, wanted, values);
    onClose();
  };
  return (
    <Modal open title="视图" width={420} footer={null} onCancel={onClose}>
      <p className="kq-muted">把当前筛选条件、排序和列的顺序、宽度、固定保存为视图，之后可从“视图”中一键选用。</p>
      <div className="kq-row kq-views-new">
        <Input
          maxLength={20}
          showCount
          value={name}
          placeholder="视图名称"
          onChange={(event) => setName(event.target.value)}
          onPressEnter={save}
        />
        <Button type="primary" onClick={save} disabled={!wanted}>
          保存
        </Button>
      </div>
      <ul className="kq-outcomes">
        {views.list.map((view) => (
          <li key={view.name}>
            <span>{view.name}</span>
            <button type="button" className="kq-link kq-danger" onClick={() => views.remove(view.name)}>
              删除
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
