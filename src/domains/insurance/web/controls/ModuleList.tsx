import { Button, Switch, Tag } from 'antd';
import { lazy, useState } from 'react';
import { confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { PopMenu } from '#kernel/web/kit/PopMenu.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { controlStageWords } from '../../contract/controls/dictionaries.ts';
import {
  queryControlModuleList,
  removeControlModule,
  setControlModuleEnabled,
  sortControlModule,
  type ControlModuleRow,
} from '../../contract/controls/modules.ts';
import { controlPermissions as may } from '../../contract/permissions.ts';

const NewModule = lazy(async () => ({ default: (await import('./ModuleForm.tsx')).NewModule }));
const EditModule = lazy(async () => ({ default: (await import('./ModuleForm.tsx')).EditModule }));

interface ModuleListProps {
  rows: readonly ControlModuleRow[];
  chosen: string | undefined;
  onChoose(id: string): void;
}

/** Modules in the order in which they are looked at; they are dragged into another one. */
export function ModuleList({ rows, chosen, onChoose }: ModuleListProps) {
  const layers = useLayers();
  const has = useMay();
  const options = { success: '操作成功!', refreshes: [queryControlModuleList] } as const;
  const enable = useCommand(setControlModuleEnabled, options);
  const sort = useCommand(sortControlModule, options);
  const remove = useCommand(removeControlModule, options);
  const [dragged, setDragged] = useState<string | null>(null);
  const mayEdit = has(may['control.edit']);

  const setEnabled = async (row: ControlModuleRow, enabled: boolean) => {
    const opinion = await confirmWithOpinion({
      title: enabled ? '启用模块' : '停用模块',
      content: `确定要${enabled ? '启用' : '停用'}“${row.moduleName}”吗？模块内的规则随之${enabled ? '生效' : '失效'}。`,
      facts: [
        { label: '模块', value: row.moduleName },
        { label: '规则', value: `${row.rules}条` },
      ],
      danger: !enabled,
    });
    if (opinion !== null) await enable.run({ id: row.id, version: row.version, enabled, opinion });
  };
  const move = (id: string, before: string) => {
    const order = rows.map((row) => row.id).filter((one) => one !== id);
    order.splice(order.indexOf(before), 0, id);
    void sort.run({ ids: order });
  };
  const step = (id: string, by: -1 | 1) => {
    const order = rows.map((row) => row.id);
    const from = order.indexOf(id);
    const [one] = order.splice(from, 1);
    if (one !== undefined) order.splice(from + by, 0, one);
    void sort.run({ ids: order });
  };
  return (
    <aside className="control-modules" aria-label="控费模块">
      <header>
        <h3>控费模块</h3>
        <Can permission={may['control.edit']}>
          <Button size="small" type="primary" onClick={() => layers.open((close) => <NewModule onClose={close} />)}>
            新增
          </Button>
        </Can>
      </header>
      <ul>
        {rows.map((row, index) => (
          <li
            key={row.id}
            className="control-module"
            data-chosen={row.id === chosen}
            data-off={!row.enabled}
            draggable={mayEdit}
            onDragStart={() => setDragged(row.id)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => {
              if (dragged !== null && dragged !== row.id) move(dragged, row.id);
              setDragged(null);
            }}
          >
            <div className="control-line">
              <button type="button" className="control-name" onClick={() => onChoose(row.id)} aria-pressed={row.id === chosen}>
                {row.moduleName}
              </button>
              <Switch
                size="small"
                aria-label={`启用${row.moduleName}`}
                checked={row.enabled}
                disabled={!has(may['control.pause'])}
                onChange={(enabled) => void setEnabled(row, enabled)}
              />
            </div>
            <div className="control-line">
              <span>
                <Tag>{controlStageWords.label(row.stage)}</Tag>
                {row.observeOnly && <Tag color="gold">仅监控</Tag>}
              </span>
              {mayEdit && (
                <PopMenu
                  label="操作"
                  items={[
                    { key: 'edit', label: '编辑', act: () => layers.open((close) => <EditModule row={row} onClose={close} />) },
                    ...(index > 0 ? [{ key: 'up', label: '上移', act: () => step(row.id, -1) }] : []),
                    ...(index < rows.length - 1 ? [{ key: 'down', label: '下移', act: () => step(row.id, 1) }] : []),
                    ...(row.rules === 0
                      ? [
                          {
                            key: 'remove',
                            label: '删除',
                            danger: true,
                            act: () =>
                              void confirmDelete(`模块“${row.moduleName}”`).then((yes) => {
                                if (yes) void remove.run({ id: row.id, version: row.version });
                              }),
                          },
                        ]
                      : []),
                  ]}
                >
                  操作
                </PopMenu>
              )}
            </div>
            <p className="control-note">
              {row.moduleCode} · {row.rules}条规则 · {row.scopeText}
            </p>
          </li>
        ))}
      </ul>
      {rows.length === 0 && <p className="control-note">还没有控费模块，请先新增模块，再在模块内建规则。</p>}
      {layers.shown}
    </aside>
  );
}
