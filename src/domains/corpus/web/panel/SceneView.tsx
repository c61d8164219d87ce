import { Button, Tabs } from 'antd';
import { Activity, lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { useUnsaved } from '#kernel/web/tabs/page.tsx';
import { ConditionPanel } from '../conditions/ConditionPanel.tsx';
import { useDrafts } from '../conditions/draftStore.ts';
import { ContentPanel } from '../content/ContentPanel.tsx';
import type { DiseaseRow } from '../../contract/diseaseCalls.ts';
import { packageState } from '../../contract/dictionaries.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { useSceneTree, type AnyScene } from '../data.ts';
import { openDialog } from '../dialogs/store.ts';
import { ChatTag } from '../menu/marks.tsx';
import { openPlace, type SceneTab } from '../place.ts';
import { PolicyPanel } from '../policy/PolicyPanel.tsx';
import { useRemoveScene } from '../removal.ts';

const PreviewPanel = lazy(async () => ({ default: (await import('../previews/PreviewPanel.tsx')).PreviewPanel }));
const VersionsPanel = lazy(async () => ({ default: (await import('../versions/VersionsPanel.tsx')).VersionsPanel }));
const RunsPanel = lazy(async () => ({ default: (await import('../runs/RunsPanel.tsx')).RunsPanel }));
const StatPanel = lazy(async () => ({ default: (await import('../stats/StatPanel.tsx')).StatPanel }));
const waiting = <div className="kq-loading" role="progressbar" aria-label="加载中" />;

interface SceneViewProps {
  disease: DiseaseRow;
  scene: AnyScene;
  tab: SceneTab;
  onTab(tab: SceneTab): void;
}

const BOTH = [1, 2] as const;

/** One scene or child scene: header and the tabs of its draft. */
export function SceneView({ disease, scene, tab, onTab }: SceneViewProps) {
  const { data: tree } = useSceneTree(disease.id);
  const may = useMay();
  const { remove, busy } = useRemoveScene();
  const drafts = useDrafts(scene.scenePackageId);
  const [contentDirty, setContentDirty] = useState(false);
  const [policyDirty, setPolicyDirty] = useState(false);
  // a hidden tab's form cannot say so itself
  useUnsaved(contentDirty || policyDirty);
  const main = tree?.rows.find((row) => row.id === scene.id) ?? null;
  const label = (text: string, edited: boolean) => (
    <>
      {text}
      {edited && (
        <span className="kq-unsaved-mark" role="img" aria-label="有未保存的条件" title="有未保存的条件">
          ●
        </span>
      )}
    </>
  );
  const conditions = (expType: 1 | 2) => (
    <ConditionPanel scene={scene} expType={expType} types={BOTH} onFaulty={(faulty) => onTab(faulty === 1 ? 'launch' : 'stop')} />
  );
  return (
    <div className="kq-scene">
      <header className="kq-detail-head kq-corpus-head">
        <div>
          <h2 title={scene.name}>
            <span>{scene.name}</span>
            <ChatTag chatFlag={scene.chatFlag} />
            <Dict of={packageState} code={scene.state} />
          </h2>
          <p className="kq-muted">
            <button type="button" className="kq-link" onClick={() => void openPlace({ diseaseId: disease.id })}>
              {disease.diseaseName}
            </button>
            {scene.main && (
              <>
                {' / '}
                <button
                  type="button"
                  className="kq-link"
                  onClick={() => void openPlace({ diseaseId: disease.id, sceneId: scene.main?.id })}
                >
                  {scene.main.sceneName}
                </button>
              </>
            )}
          </p>
        </div>
        <Can permission={corpusPermissions['scene.edit']}>
          <div className="kq-detail-actions">
            {main && <Button onClick={() => openDialog({ kind: 'addScene', diseaseId: disease.id, main })}>新增子场景</Button>}
            <Button onClick={() => openDialog({ kind: 'name', scene, copy: false })}>重命名</Button>
            <Button onClick={() => openDialog({ kind: 'name', scene, copy: true })}>复制</Button>
            <Button danger disabled={busy} onClick={() => remove(scene)}>
              删除
            </Button>
          </div>
        </Can>
      </header>
      <Tabs
        size="small"
        className="kq-scene-tabs"
        activeKey={tab}
        onChange={(key) => onTab(key as SceneTab)}
        items={[
          { key: 'content', label: '语料内容' },
          { key: 'launch', label: label('启动条件', drafts[1] !== undefined) },
          { key: 'stop', label: label('停止条件', drafts[2] !== undefined) },
          { key: 'policy', label: '策略' },
          ...(may(corpusPermissions['run.view']) ? [{ key: 'preview', label: '试运行与模拟' }] : []),
          { key: 'versions', label: '版本' },
          ...(may(corpusPermissions['run.view']) ? [{ key: 'runs', label: '随访实例' }] : []),
          ...(may(corpusPermissions['stat.view']) ? [{ key: 'stats', label: '数据' }] : []),
        ]}
      />
      <Pane shown={tab === 'content'}>
        <ContentPanel scene={scene} onDirty={setContentDirty} />
      </Pane>
      <Pane shown={tab === 'launch'}>{conditions(1)}</Pane>
      <Pane shown={tab === 'stop'}>{conditions(2)}</Pane>
      <Pane shown={tab === 'policy'}>
        <PolicyPanel scene={scene} onDirty={setPolicyDirty} />
      </Pane>
      <Suspense fallback={waiting}>
        {tab === 'preview' && <PreviewPanel scene={scene} />}
        {tab === 'versions' && <VersionsPanel scene={scene} />}
        {tab === 'runs' && <RunsPanel scene={scene} />}
        {tab === 'stats' && <StatPanel scene={scene} />}
      </Suspense>
    </div>
  );
}

/** A tab's content: made when it is first shown, kept with its edits, at rest while it is hidden. */
function Pane({ shown, children }: { shown: boolean; children: ReactNode }) {
  const [made, setMade] = useState(shown);
  if (shown && !made) setMade(true);
  return made || shown ? <Activity mode={shown ? 'visible' : 'hidden'}>{children}</Activity> : null;
}
