import { PlusOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import { useMemo } from 'react';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { NOTHING, showRate } from '#kernel/web/kit/values.tsx';
import { querySceneFigures, type SceneFigures } from '../../contract/figureCalls.ts';
import type { DiseaseRow } from '../../contract/diseaseCalls.ts';
import { packageState } from '../../contract/dictionaries.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import type { SceneRow } from '../../contract/sceneCalls.ts';
import { asChild, asScene, useSceneTree, type AnyScene } from '../data.ts';
import { openDialog } from '../dialogs/store.ts';
import { ChatTag } from '../menu/marks.tsx';
import { openPlace } from '../place.ts';
import { useRemoveDisease, useRemoveScene } from '../removal.ts';

interface Line extends AnyScene {
  updatedAt: string;
  /** Absent until they are there. */
  figures: SceneFigures | undefined;
}

const linesOf = (tree: readonly SceneRow[], figures: readonly SceneFigures[]): Line[] => {
  const of = new Map(figures.map((one) => [one.scenePackageId, one]));
  return tree.flatMap((main) => [
    { ...asScene(main), updatedAt: main.updatedAt, figures: of.get(main.scenePackageId) },
    ...main.dataDetail.map((child) => ({ ...asChild(child, main), updatedAt: child.updatedAt, figures: of.get(child.scenePackageId) })),
  ]);
};

const open = (row: Line) => void openPlace({ diseaseId: row.diseaseId, sceneId: row.id });

const columns: readonly Column<Line>[] = [
  {
    key: 'name',
    title: '场景名称',
    width: 320,
    kind: 'custom',
    render: (row) => (
      <button
        type="button"
        className={row.main ? 'kq-link kq-scene-name kq-child-name' : 'kq-link kq-scene-name'}
        title={row.name}
        onClick={() => open(row)}
      >
        {row.name}
      </button>
    ),
  },
  { key: 'chatFlag', title: '标签', width: 90, kind: 'custom', render: (row) => <ChatTag chatFlag={row.chatFlag} /> },
  { key: 'state', title: '状态', kind: 'dict', dictionary: packageState },
  {
    key: 'version',
    title: '版本',
    width: 130,
    kind: 'custom',
    render: ({ figures }) =>
      figures?.publishedSeq == null ? (
        NOTHING
      ) : (
        <>
          {`V${figures.publishedSeq}`} {figures.isDirty && <Tag color="orange">未发布修改</Tag>}
        </>
      ),
  },
  { key: 'liveRuns', title: '进行中人数', width: 100, align: 'right', value: ({ figures }) => figures?.liveRuns ?? NOTHING },
  { key: 'sent7', title: '近7天发送', width: 100, align: 'right', value: ({ figures }) => figures?.sent ?? NOTHING },
  { key: 'read7', title: '近7天阅读率', width: 110, align: 'right', value: ({ figures }) => showRate(figures?.readBp ?? null) },
  { key: 'converted7', title: '近7天转化率', width: 110, align: 'right', value: ({ figures }) => showRate(figures?.convertedBp ?? null) },
  { key: 'updatedAt', title: '更新时间', kind: 'time' },
];

/** One disease: its scenes and child scenes. */
export function DiseaseScenes({ disease }: { disease: DiseaseRow }) {
  const { data: tree, error, refetch } = useSceneTree(disease.id);
  const figures = useData(querySceneFigures, { diseaseId: disease.id }, { quiet: true, fresh: 5_000 });
  const rows = useMemo(() => tree && linesOf(tree.rows, figures.data ?? []), [tree, figures.data]);
  const { remove: removeDisease, busy } = useRemoveDisease();
  const { remove } = useRemoveScene();
  const actions = useMemo(() => {
    const permission = corpusPermissions['scene.edit'];
    return [
      { label: '重命名', permission, act: (scene: Line) => openDialog({ kind: 'name', scene, copy: false }) },
      { label: '复制', permission, act: (scene: Line) => openDialog({ kind: 'name', scene, copy: true }) },
      { label: '删除', permission, danger: true, act: (scene: Line) => remove(scene) },
    ];
  }, [remove]);
  return (
    <div className="kq-list">
      <header className="kq-detail-head kq-corpus-head">
        <div>
          <h2 title={disease.diseaseName}>{disease.diseaseName}</h2>
          <p className="kq-muted">
            编码 {disease.diseaseCode} · ICD-10前缀 {disease.icd10Prefixes.join('、')}
          </p>
        </div>
        <div className="kq-detail-actions">
          <Can permission={corpusPermissions['scene.edit']}>
            <Button
              type="primary"
              icon={<PlusOutlined />}
              onClick={() => openDialog({ kind: 'addScene', diseaseId: disease.id, main: null })}
            >
              新增场景
            </Button>
          </Can>
          <Can permission={corpusPermissions['disease.edit']}>
            <Button onClick={() => openDialog({ kind: 'addDisease' })}>新增病种</Button>
            <Button danger disabled={busy} onClick={() => removeDisease(disease)}>
              删除病种
            </Button>
          </Can>
        </div>
      </header>
      <DataTable
        columns={columns}
        rows={rows}
        error={error}
        onRetry={() => void refetch()}
        empty="该病种还没有场景，点击“新增场景”创建"
        actions={actions}
        actionWidth={150}
        settingKey="corpus.scene"
      />
    </div>
  );
}
