import { Button, Modal } from 'antd';
import { TextInput } from '../kit/TextInput.tsx';
import { useState } from 'react';
import type { FilterValue } from './filters.ts';
import type { Views } from './useViews.ts';

interface ManageViewsProps {
  views: Views;
  values: Readonly<Record<string, FilterValue>>;
  onClose(): void;
}

/** Names what is asked now as a view, and gives views up. */
export default function ManageViews({ views, values, onClose }: ManageViewsProps) {
  const [name, setName] = useState('');
  const wanted = name.trim();
  const save = () => {
    if (!wanted) return;
    views.keep(wanted, values);
    onClose();
  };
  return (
    <Modal open title="视图" width={420} footer={null} onCancel={onClose}>
      <p className="kq-muted">把当前筛选条件、排序和列的顺序、宽度、固定保存为视图，之后可从“视图”中一键选用。</p>
      <div className="kq-row kq-views-new">
        <TextInput
          most={20}
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
