import { PlusOutlined } from '@ant-design/icons';
import { useRouterState } from '@tanstack/react-router';
import { Button, Input, type InputRef } from 'antd';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import type { DiseaseRow } from '../../contract/diseaseCalls.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { useSceneTree, useMenuDiseases } from '../data.ts';
import { openDialog } from '../dialogs/store.ts';
import { corpusViews, openOverview, openPlace, openView, viewLabels } from '../place.ts';
import { MenuLine } from './MenuLine.tsx';
import { menuNodes, neighbour, parentKey, type MenuNode } from './tree.ts';
import '../corpus.css';

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const WELCOME = '/welcomeMessage';
const TASKS = '/taskManagement';

/** Left corpus menu: diseases as an accordion, in each the group 场景 with the tree of scenes and child scenes. */
export default function CorpusMenu() {
  const address = useRouterState({ select: (state) => state.location.search as Record<string, unknown> });
  const path = useRouterState({ select: (state) => state.location.pathname });
  const diseaseId = text(address['diseaseId']);
  const sceneId = text(address['sceneId']);
  const view = text(address['view']);
  const [openDisease, setOpenDisease] = useState<string | null>(diseaseId);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState('');
  const [focused, setFocused] = useState<string | null>(null);
  const field = useRef<InputRef>(null);
  const lines = useRef<HTMLDivElement>(null);
  const may = useMay();
  const { data: diseases, error, refetch } = useMenuDiseases();
  const { data: tree, error: treeError, refetch: refetchTree } = useSceneTree(openDisease ?? undefined);
  useEffect(() => {
    if (diseaseId !== null) setOpenDisease(diseaseId);
  }, [diseaseId]);
  const nodes = useMemo(
    () => menuNodes({ diseases: diseases?.rows ?? [], openDisease, scenes: tree?.rows, folded, search }),
    [diseases, openDisease, tree, folded, search],
  );
  const current = view !== null ? `v${view}` : sceneId !== null ? `s${sceneId}` : diseaseId !== null ? `d${diseaseId}` : null;
  const reachable = nodes.some((node) => node.key === focused)
    ? focused
    : nodes.some((node) => node.key === current)
      ? current
      : (nodes[0]?.key ?? null);

  const move = (key: string | null) => {
    if (key === null) return;
    setFocused(key);
    lines.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
  };
  const fold = (key: string, isFolded: boolean) =>
    setFolded((now) => {
      const next = new Set(now);
      if (isFolded) next.add(key);
      else next.delete(key);
      return next;
    });
  const toggleDisease = (disease: DiseaseRow) => setOpenDisease(openDisease === disease.id ? null : disease.id);
  const choose = (node: MenuNode) => {
    setFocused(node.key);
    if (node.kind === 'scene') void openPlace({ diseaseId: node.scene.diseaseId, sceneId: node.scene.id });
    else if (node.disease.id === diseaseId && sceneId === null) toggleDisease(node.disease);
    else {
      setOpenDisease(node.disease.id);
      void openPlace({ diseaseId: node.disease.id });
    }
  };
  const opening = (node: MenuNode) => {
    if (node.kind === 'disease' && !node.open) setOpenDisease(node.disease.id);
    else if (node.kind === 'scene' && node.hasChildren && !node.open) fold(node.scene.id, false);
    else move(neighbour(nodes, node.key, 1));
  };
  const closing = (node: MenuNode) => {
    if (node.kind === 'disease' && node.open) setOpenDisease(null);
    else if (node.kind === 'scene' && node.open) fold(node.scene.id, true);
    else move(parentKey(nodes, node.key));
  };
  const hear = (event: KeyboardEvent) => {
    const node = nodes.find((one) => one.key === reachable);
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(neighbour(nodes, reachable, 1)),
      ArrowUp: () => move(neighbour(nodes, reachable, -1)),
      ArrowRight: () => node && opening(node),
      ArrowLeft: () => node && closing(node),
      Enter: () => node && choose(node),
      F2: () =>
        node?.kind === 'scene' && may(corpusPermissions['scene.edit']) && openDialog({ kind: 'name', scene: node.scene, copy: false }),
    };
    const act = actions[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  useKeys([{ keys: '/', label: '在病种树中搜索', act: () => field.current?.focus({ cursor: 'all' }) }]);

  return (
    <nav className="kq-left-menu kq-corpus-menu" aria-label="语料库">
      <Input
        ref={field}
        allowClear
        size="small"
        placeholder="搜索病种或场景（/）"
        aria-label="搜索病种或场景"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            move(neighbour(nodes, null, 1));
          }
          if (event.key === 'Escape') setSearch('');
        }}
      />
      <div className="kq-corpus-menu-head">
        <button
          type="button"
          className={current === null && path !== TASKS && path !== WELCOME ? 'kq-left-link kq-on' : 'kq-left-link'}
          onClick={() => void openOverview()}
        >
          全部病种
        </button>
        {may(corpusPermissions['disease.edit']) && (
          <Button
            type="text"
            size="small"
            icon={<PlusOutlined />}
            aria-label="新增病种"
            title="新增病种"
            onClick={() => openDialog({ kind: 'addDisease' })}
          />
        )}
      </div>
      {diseases && diseases.rows.length === 0 && <p className="kq-corpus-none">暂无病种</p>}
      {!diseases && error && (
        <p className="kq-corpus-none">
          病种加载失败{' '}
          <button type="button" className="kq-link" onClick={() => void refetch()}>
            重新加载
          </button>
        </p>
      )}
      {diseases && diseases.rows.length > 0 && nodes.length === 0 && (
        <p className="kq-corpus-none">没有匹配的病种或场景；场景只在已展开的病种中查找</p>
      )}
      <div ref={lines} role="tree" aria-label="病种与场景" onKeyDown={hear}>
        {nodes.map((node) => (
          <MenuLine
            key={node.key}
            node={node}
            selected={node.key === current}
            reachable={node.key === reachable}
            below={
              node.kind !== 'disease' || !node.open
                ? 'none'
                : tree
                  ? tree.rows.length > 0
                    ? 'scenes'
                    : 'empty'
                  : treeError
                    ? 'failed'
                    : 'loading'
            }
            mayEdit={may(corpusPermissions['scene.edit'])}
            onFocus={() => setFocused(node.key)}
            onChoose={() => choose(node)}
            onRetry={() => void refetchTree()}
            onToggle={() => (node.open ? closing(node) : opening(node))}
          />
        ))}
      </div>
      <div className="kq-corpus-foot">
        {corpusViews
          .filter((name) => name !== 'scene')
          .map((name) => (
            <button
              key={name}
              type="button"
              className={view === name ? 'kq-left-link kq-on' : 'kq-left-link'}
              onClick={() => void openView(name)}
            >
              {viewLabels[name]}
            </button>
          ))}
        {may(corpusPermissions['corpus.view']) && (
          <PageLink to={WELCOME} className={path === WELCOME ? 'kq-left-link kq-on' : 'kq-left-link'}>
            欢迎语管理
          </PageLink>
        )}
        {may(corpusPermissions['task.view']) && (
          <PageLink to={TASKS} className={path === TASKS ? 'kq-left-link kq-on' : 'kq-left-link'}>
            随访任务管理
          </PageLink>
        )}
      </div>
    </nav>
  );
}
