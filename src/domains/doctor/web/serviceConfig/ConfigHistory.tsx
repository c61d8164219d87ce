import { Modal, Select } from 'antd';
import { useState } from 'react';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import type { ServiceConfigRow } from '../../contract/calls/config.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { configMachine } from '../../contract/states.ts';
import { DiffTable, linesOf } from './configDiff.tsx';
import type { LoadedConfig } from './loadedConfig.ts';

const columns: readonly Column<ServiceConfigRow>[] = [
  { key: 'versionNo', title: '版本', width: 80, value: (row) => `V${row.versionNo}` },
  {
    key: 'state',
    title: '状态',
    kind: 'custom',
    width: 100,
    render: (row) =>
      row.waiting ? <span className="kq-dict kq-dict-warning">待生效</span> : <Dict of={configMachine.dictionary} code={row.state} />,
  },
  { key: 'effectiveFrom', title: '生效时间', kind: 'time' },
  { key: 'publishedByName', title: '发布人', width: 120 },
  { key: 'publishedAt', title: '发布时间', kind: 'time' },
  { key: 'note', title: '说明', width: 260 },
];

/** Published versions: compare two, or start a draft from one. */
export function ConfigHistory({ config, onUse }: { config: LoadedConfig; onUse(row: ServiceConfigRow): void }) {
  const [compared, setCompared] = useState<{ left: string; right: string } | null>(null);
  const all = config.draft ? [config.draft, ...config.history] : config.history;
  const rowOf = (id: string | undefined) => all.find((row) => row.id === id);
  const options = all.map((row) => ({ value: row.id, label: `V${row.versionNo}${row.publishedAt === null ? '（草稿）' : ''}` }));
  const nameOf = (fileId: string) => config.agreements.find((file) => file.fileId === fileId)?.fileName ?? fileId;
  const [left, right] = [rowOf(compared?.left), rowOf(compared?.right)];
  return (
    <>
      <DataTable
        columns={columns}
        rows={config.history}
        height="auto"
        empty="尚未发布过版本"
        actions={[
          {
            label: '对比',
            when: () => all.length > 1,
            act: (row) =>
              setCompared({
                left: row.id,
                right: (config.active && config.active.id !== row.id ? config.active : (all.find((other) => other.id !== row.id) ?? row))
                  .id,
              }),
          },
          { label: '以此版本为草稿', permission: may['config.edit'], act: onUse },
        ]}
      />
      <Modal open={compared !== null} title="版本对比" width={720} footer={null} onCancel={() => setCompared(null)} destroyOnHidden>
        {compared && left && right && (
          <>
            <div className="kq-row" style={{ marginBottom: 12 }}>
              <Select
                style={{ width: 160 }}
                aria-label="对比的版本"
                value={compared.left}
                options={options}
                onChange={(id) => setCompared({ ...compared, left: id })}
              />
              <span>对比</span>
              <Select
                style={{ width: 160 }}
                aria-label="被对比的版本"
                value={compared.right}
                options={options}
                onChange={(id) => setCompared({ ...compared, right: id })}
              />
            </div>
            <DiffTable lines={linesOf(left.content, right.content)} heads={[`V${left.versionNo}`, `V${right.versionNo}`]} nameOf={nameOf} />
          </>
        )}
      </Modal>
    </>
  );
}
