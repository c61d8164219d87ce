import { LockOutlined } from '@ant-design/icons';
import { Button, Checkbox, Select, Space } from 'antd';
import { useEffect, useState } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { MovableList, moved } from '#kernel/web/kit/MovableList.tsx';
import { delColumnPreset, queryColumnPreset, queryExportColumns, saveColumnPreset } from '../../contract/calls/exports.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { ExportOptions, firstChoice, isChosen } from './ExportOptions.tsx';
import '../files.css';

interface Choice {
  columns: string[];
  format: 'XLSX' | 'CSV';
  plain?: boolean;
  plainReason?: string;
}

interface ColumnChoiceProps {
  source: string;
  /** `（12行）`, empty where the list does not count. */
  found: string;
  onClose(): void;
  onExport(choice: Choice): Promise<void>;
}

/** Columns, their order, the format, and unmasked values for who may take them out. */
export function ColumnChoice({ source, found, onClose, onExport }: ColumnChoiceProps) {
  const { data: facts, loading } = useData(queryExportColumns, { source });
  const presets = useData(queryColumnPreset, { source });
  const [order, setOrder] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [choice, setChoice] = useState(firstChoice);
  const [presetName, setPresetName] = useState('');
  const save = useCommand(saveColumnPreset, { refreshes: [queryColumnPreset], success: '保存成功!', blockMs: 500 });
  const remove = useCommand(delColumnPreset, { refreshes: [queryColumnPreset], success: '删除成功!', blockMs: 500 });
  const offered = facts?.columns.map(({ key }) => key).join(' ');
  // By what is offered, not by the answer: one that comes a second time takes nothing back that was ticked off meanwhile.
  useEffect(() => {
    if (offered === undefined) return;
    const all = offered.split(' ');
    setOrder(all);
    setChosen(new Set(all));
  }, [offered]);
  const columns = new Map(facts?.columns.map((column) => [column.key, column]));
  const keys = order.filter((key) => chosen.has(key));
  const apply = (name: string) => {
    const preset = presets.data?.find((entry) => entry.name === name);
    if (!preset) return;
    const known = preset.columns.filter((key) => columns.has(key));
    setOrder([...known, ...order.filter((key) => !known.includes(key))]);
    setChosen(new Set(known));
    setPresetName(name);
  };
  const submit = async () => {
    if (keys.length === 0) {
      toastError('请至少选择一列');
      return;
    }
    const { format, plain, reason } = choice;
    if (isChosen(choice)) await onExport({ columns: keys, format, ...(plain ? { plain: true, plainReason: reason.trim() } : {}) });
  };
  const tick = (key: string, ticked: boolean) =>
    setChosen((last) => new Set(ticked ? [...last, key] : [...last].filter((other) => other !== key)));
  return (
    <ExportDialog title="选择导出列" width={560} found={found} onClose={onClose} onExport={submit}>
      <Space wrap className="kq-export-presets">
        <Select
          placeholder="常用方案"
          style={{ width: 160 }}
          value={presetName && presets.data?.some(({ name }) => name === presetName) ? presetName : null}
          options={(presets.data ?? []).map(({ name }) => ({ value: name, label: name }))}
          onChange={apply}
          notFoundContent="暂无方案"
        />
        <TextInput
          placeholder="方案名称"
          most={20}
          style={{ width: 140 }}
          value={presetName}
          onChange={({ target }) => setPresetName(target.value)}
        />
        <Button
          disabled={!presetName.trim() || keys.length === 0 || save.busy}
          onClick={() => void save.run({ source, name: presetName.trim(), columns: keys })}
        >
          保存方案
        </Button>
        <Button
          danger
          disabled={!presets.data?.some(({ name }) => name === presetName) || remove.busy}
          onClick={async () => {
            if ((await confirmDelete(`列方案“${presetName}”`)) && (await remove.run({ source, name: presetName }))) setPresetName('');
          }}
        >
          删除方案
        </Button>
      </Space>
      <div className="kq-export-all">
        <Checkbox
          checked={keys.length === order.length && order.length > 0}
          indeterminate={keys.length > 0 && keys.length < order.length}
          onChange={({ target }) => setChosen(new Set(target.checked ? order : []))}
        >
          全选
        </Checkbox>
        <span className="kq-muted">已选{keys.length}列</span>
      </div>
      <div className="kq-export-columns" aria-busy={loading}>
        <MovableList
          items={order.map((key) => ({ key, label: columns.get(key)?.label ?? key }))}
          onMove={(from, to) => setOrder(moved(order, from, to))}
        >
          {(index) => {
            const key = order[index] ?? '';
            const column = columns.get(key);
            return (
              <Checkbox checked={chosen.has(key)} onChange={({ target }) => tick(key, target.checked)}>
                {column?.label} {column?.sensitive && <LockOutlined title="敏感列，默认脱敏" />}
              </Checkbox>
            );
          }}
        </MovableList>
      </div>
      <ExportOptions
        value={choice}
        onChange={setChoice}
        mayPlain={(facts?.mayPlain && facts.columns.some(({ sensitive }) => sensitive)) ?? false}
      />
    </ExportDialog>
  );
}
