import { Button, Segmented, Select, Tabs } from 'antd';
import { Suspense, useMemo, useState } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { exportMaterialList, type MaterialRow, queryMaterialList } from '../../contract/materials/calls.ts';
import { reviewActions, reviewMachine } from '../../contract/materials/review.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { useMenuDiseases } from '../data.ts';
import { AuditQueue } from './AuditQueue.tsx';
import { FolderTree } from './FolderTree.tsx';
import { MaterialDrawer, MaterialForm, StoredMaterialForm } from './lazyDialogs.ts';
import { MaterialGrid } from './MaterialGrid.tsx';
import { useMaterialActions } from './useMaterialActions.tsx';
import './materials.css';

function DiseasePick({ value, onChange }: PickerProps<string>) {
  const { data } = useMenuDiseases();
  return (
    <Select
      allowClear
      placeholder="请选择病种"
      showSearch={{ optionFilterProp: 'label' }}
      value={value ?? null}
      options={(data?.rows ?? []).map(({ id, diseaseName }) => ({ value: id, label: diseaseName }))}
      onChange={(next: string | null) => onChange?.(next)}
    />
  );
}

/** List of materials; the folder stands beside it. */
const materialList = resource(queryMaterialList, {
  routeKey: 'corpus:material',
  empty: '没有符合条件的素材，请调整筛选条件或点击“新增素材”',
  filters: ['keyword', 'type', 'state', { kind: 'picker', name: 'diseaseId', picker: DiseasePick }, 'tag'],
  columns: [
    'title',
    'materialType',
    'summary',
    'folderName',
    'diseaseNames',
    'tags',
    'usageCount',
    'state',
    'editState',
    'updatedAt',
    'materialNo',
    'updatedByName',
  ],
});

const address = {
  folder: param.optional(),
  materialId: param.optional(),
  part: param.oneOf(['all', 'audit'] as const),
  shape: param.oneOf(['list', 'grid'] as const),
};

/** 素材库: folders, materials as list or cards, and what waits for one's audit. */
export default function MaterialLibrary() {
  const [{ folder, materialId, part, shape }, setAddress] = useAddress(address);
  const holds = useMay();
  const layers = useLayers();
  const [usage, setUsage] = useState(false);
  const materialActions = useMaterialActions();
  const fixed = useMemo(() => (folder === undefined ? {} : { folderId: folder }), [folder]);
  const add = () =>
    layers.open((close) => (
      <MaterialForm material={null} folderId={folder} onClose={close} onSaved={(id) => setAddress({ materialId: id })} />
    ));
  const edit = (id: string) => layers.open((close) => <StoredMaterialForm id={id} onClose={close} />);
  const open = (row: MaterialRow) => {
    setUsage(false);
    setAddress({ materialId: row.id });
  };
  const actions: readonly RowAction<MaterialRow>[] = [
    { label: '详情', act: open },
    {
      label: '编辑',
      permission: may['material.edit'],
      when: (row) => row.editState !== 'AUDITING',
      act: (row) => edit(row.id),
    },
    ...reviewActions.map((action): RowAction<MaterialRow> => ({
      label: reviewMachine.transitions[action].label,
      danger: reviewMachine.transitions[action].danger ?? false,
      when: (row) => row.allowedActions.includes(action),
      act: (row) => materialActions.take(row, action),
    })),
    {
      label: '引用',
      when: (row) => row.usageCount > 0,
      act: (row) => {
        setUsage(true);
        setAddress({ materialId: row.id });
      },
    },
    {
      label: '删除',
      permission: may['material.edit'],
      danger: true,
      when: (row) => row.state === 'DRAFT',
      act: (row) => materialActions.remove(row),
    },
  ];
  const library = (
    <div className="kq-mat-page">
      <FolderTree chosen={folder} onChoose={(next) => setAddress({ folder: next })} />
      <div className="kq-mat-main">
        <ResourceList
          of={materialList}
          fixed={fixed}
          actions={actions}
          actionWidth={200}
          toolbar={(list) => (
            <>
              <Can permission={may['material.edit']}>
                <Button type="primary" onClick={add}>
                  新增素材
                </Button>
              </Can>
              <ExportButton call={exportMaterialList} view={list} permission={may['corpus.export']} />
              <Segmented
                value={shape}
                options={[
                  { value: 'list', label: '列表' },
                  { value: 'grid', label: '网格' },
                ]}
                onChange={(next: 'list' | 'grid') => setAddress({ shape: next })}
              />
            </>
          )}
          instead={shape === 'grid' ? (list) => <MaterialGrid filters={list.filters} onOpen={open} /> : undefined}
        />
      </div>
    </div>
  );
  return (
    <>
      {holds(may['material.audit']) ? (
        <Tabs
          size="small"
          activeKey={part}
          onChange={(key) => setAddress({ part: key === 'audit' ? 'audit' : 'all' })}
          destroyOnHidden
          items={[
            { key: 'all', label: '全部素材', children: library },
            { key: 'audit', label: '待我审核', children: <AuditQueue /> },
          ]}
        />
      ) : (
        library
      )}
      {layers.shown}
      <Suspense fallback={null}>
        {materialId !== undefined && (
          <MaterialDrawer
            key={materialId}
            id={materialId}
            tab={usage ? 'usage' : undefined}
            onEdit={() => edit(materialId)}
            onClose={() => setAddress({ materialId: undefined })}
          />
        )}
      </Suspense>
    </>
  );
}
