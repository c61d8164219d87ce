import { Button, Dropdown, Input, Popover } from 'antd';
import { useState } from 'react';
import { toast } from '../feedback/toast.ts';
import { usePreference } from '../session/preference.ts';
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
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const keep = () => {
    const wanted = name.trim();
    if (!wanted) return;
    save([...views.filter((view) => view.name !== wanted), { name: wanted, values }].slice(-MOST));
    toast(`已保存视图“${wanted}”`);
    setNaming(false);
    setName('');
  };
  return (
    <Popover
      open={naming}
      onOpenChange={(next) => !next && setNaming(false)}
      trigger="click"
      title="保存当前筛选为视图"
      content={
        <div className="kq-row">
          <Input autoFocus maxLength={20} value={name} placeholder="视图名称" onChange={(event) => setName(event.target.value)} onPressEnter={(event) => { event.preventDefault(); keep(); }} />
          <Button type="primary" onClick={keep} disabled={!name.trim()}>
            保存
          </Button>
        </div>
      }
    >
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            ...views.map((view) => ({
              key: view.name,
              label: (
                <span className="kq-view">
                  {view.name}
                  <button
                    type="button"
                    className="kq-link"
                    aria-label={`删除视图${view.name}`}
                    onClick={(event) => {
                      event.stopPropagation();
                      save(views.filter((other) => other.name !== view.name));
                    }}
                  >
                    删除
                  </button>
                </span>
              ),
              onClick: () => onChoose(view.values),
            })),
            ...(views.length ? [{ type: 'divider' as const }] : []),
            { key: ' save', label: '保存当前筛选…', onClick: () => setNaming(true) },
          ],
        }}
      >
        <Button type="text">视图</Button>
      </Dropdown>
    </Popover>
  );
}
