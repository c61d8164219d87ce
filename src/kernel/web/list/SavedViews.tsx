import { Button, Modal } from 'antd';
import { useState } from 'react';
import { toast } from '../feedback/toast.ts';
import { PopMenu } from '../kit/PopMenu.tsx';
import { usePreference } from '../session/preference.ts';
import { TextInput } from '../kit/TextInput.tsx';
import type { FilterValue } from './filters.ts';

interface View {
  name: string;
  values: Readonly<Record<string, FilterValue>>;
}

interface SavedViewsProps {
  viewsKey: string;
  values: Readonly<Record<string, FilterValue>>;
  onChoose(values: Readonly<Record<string, FilterValue>>): void;
}

const NONE: readonly View[] = [];
const MOST = 20;

/** The operator's named filter sets of one list, kept on the server. */
export function SavedViews({ viewsKey, values, onChoose }: SavedViewsProps) {
  const { value: views, save } = usePreference<readonly View[]>(`views:${viewsKey}`, NONE);
  const [managing, setManaging] = useState(false);
  return (
    <>
      <PopMenu
        label="视图"
        className="kq-link"
        items={[
          ...views.map((view) => ({ key: `view ${view.name}`, label: view.name, act: () => onChoose(view.values) })),
          { key: 'manage', label: '保存与管理视图…', divided: views.length > 0, act: () => setManaging(true) },
        ]}
      >
        视图
      </PopMenu>
      {managing && <ManageViews views={views} values={values} onSave={save} onClose={() => setManaging(false)} />}
    </>
  );
}

interface ManageViewsProps {
  views: readonly View[];
  values: SavedViewsProps['values'];
  onSave(views: readonly View[]): void;
  onClose(): void;
}

function ManageViews({ views, values, onSave, onClose }: ManageViewsProps) {
  const [name, setName] = useState('');
  const wanted = name.trim();
  const keep = () => {
    if (!wanted) return;
    onSave([...views.filter((view) => view.name !== wanted), { name: wanted, values }].slice(-MOST));
    toast(`已保存视图“${wanted}”`);
    onClose();
  };
  return (
    <Modal open title="视图" width={420} footer={null} onCancel={onClose}>
      <p className="kq-muted">把当前筛选条件保存为视图，之后可从“视图”中一键选用。</p>
      <div className="kq-row kq-views-new">
        <TextInput
          most={20}
          showCount
          value={name}
          placeholder="视图名称"
          onChange={(event) => setName(event.target.value)}
          onPressEnter={keep}
        />
        <Button type="primary" onClick={keep} disabled={!wanted}>
          保存
        </Button>
      </div>
      <ul className="kq-outcomes">
        {views.map((view) => (
          <li key={view.name}>
            <span>{view.name}</span>
            <button type="button" className="kq-link kq-danger" onClick={() => onSave(views.filter((other) => other.name !== view.name))}>
              删除
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
