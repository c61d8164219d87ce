import { MoreOutlined } from '@ant-design/icons';
import { useDrafts } from '../conditions/draftStore.ts';
import type { AnyScene } from '../data.ts';
import { openDialog } from '../dialogs/store.ts';
import { ChatTag, StateDot } from './marks.tsx';
import type { MenuNode } from './tree.ts';

interface MenuLineProps {
  node: MenuNode;
  selected: boolean;
  /** The one line that Tab reaches. */
  reachable: boolean;
  /** What stands below an open disease. */
  below: 'none' | 'loading' | 'failed' | 'empty' | 'scenes';
  mayEdit: boolean;
  onFocus(): void;
  onChoose(): void;
  onToggle(): void;
  onRetry(): void;
}

/** A disease, a scene or a child scene of the left menu. */
export function MenuLine({ node, selected, reachable, below, mayEdit, onFocus, onChoose, onToggle, onRetry }: MenuLineProps) {
  const { name, level, foldable } =
    node.kind === 'disease'
      ? { name: node.disease.diseaseName, level: 1, foldable: true }
      : { name: node.scene.name, level: node.level, foldable: node.hasChildren };
  return (
    <>
      <div
        role="treeitem"
        aria-level={level}
        aria-selected={selected}
        {...(foldable && { 'aria-expanded': node.open })}
        tabIndex={reachable ? 0 : -1}
        data-key={node.key}
        className={`kq-tree-line kq-tree-level-${level}${selected ? ' kq-on' : ''}`}
        onFocus={onFocus}
        onClick={onChoose}
      >
        {foldable ? (
          <i
            className="kq-tree-fold"
            aria-hidden
            onClick={(event) => {
              event.stopPropagation();
              onToggle();
            }}
          />
        ) : (
          <i className="kq-tree-leaf" aria-hidden />
        )}
        <span className="kq-tree-name" title={name}>
          {name}
        </span>
        {node.kind === 'disease' ? (
          node.disease.runningCount > 0 && (
            <span className="kq-running" title={`${node.disease.runningCount}个场景运行中`}>
              {node.disease.runningCount}
            </span>
          )
        ) : (
          <SceneMarks scene={node.scene} />
        )}
      </div>
      {node.kind === 'disease' && below !== 'none' && (
        <div className="kq-tree-group" role="presentation">
          <span>场景</span>
          {mayEdit && (
            <button
              type="button"
              className="kq-link"
              onClick={() => openDialog({ kind: 'addScene', diseaseId: node.disease.id, main: null })}
            >
              新增场景
            </button>
          )}
        </div>
      )}
      {below === 'loading' && <div className="kq-loading" role="progressbar" aria-label="场景加载中" />}
      {below === 'empty' && <p className="kq-corpus-none">暂无场景</p>}
      {below === 'failed' && (
        <p className="kq-corpus-none">
          场景加载失败{' '}
          <button type="button" className="kq-link" onClick={onRetry}>
            重新加载
          </button>
        </p>
      )}
    </>
  );
}

function SceneMarks({ scene }: { scene: AnyScene }) {
  const unsaved = Object.keys(useDrafts(scene.scenePackageId)).length > 0;
  return (
    <>
      {unsaved && (
        <span className="kq-unsaved-mark" role="img" aria-label="有未保存的条件" title="有未保存的条件">
          ●
        </span>
      )}
      <StateDot state={scene.state} />
      <ChatTag chatFlag={scene.chatFlag} />
      <button
        type="button"
        className="kq-tree-more"
        aria-label={`${scene.name}更多操作`}
        title="更多操作"
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation();
          openDialog({ kind: 'more', scene });
        }}
      >
        <MoreOutlined />
      </button>
    </>
  );
}
