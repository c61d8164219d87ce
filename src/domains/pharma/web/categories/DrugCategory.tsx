import { Button, Form, Input, Segmented, Select } from 'antd';
import type { TreeProps } from 'antd';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { ask, confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import {
  addDrugCategory,
  delDrugCategory,
  mergeDrugCategory,
  modifyDrugCategory,
  moveDrugCategory,
  queryDrugCategoryTree,
  type CategoryNode,
} from '../../contract/calls/categories.ts';
import { moveMedicineCategory, queryMedicineList } from '../../contract/calls/medicines.ts';
import { categoryKinds, categoryStates } from '../../contract/dictionaries.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { OptionSelect } from '../shared/OptionSelect.tsx';
import type { Branch } from './CategoryTree.tsx';
import '../pharma.css';

const refreshes = [queryDrugCategoryTree];
const NEW_NAME = '新分类';

const medicinesOf = resource(queryMedicineList, {
  routeKey: 'drugCategory:medicines',
  empty: '该分类下暂无药品',
  columns: [
    { key: 'medicineNo', width: 170, to: (row) => ({ path: '/medicineManagementTable', search: { medicineId: row.id } }) },
    { key: 'genericName', width: 190 },
    { key: 'strength', width: 100 },
    { key: 'categoryName', width: 120 },
    'state',
  ],
});

const CategoryTree = lazy(async () => ({ default: (await import('./CategoryTree.tsx')).CategoryTree }));

function treeOf(nodes: readonly CategoryNode[], keyword: string): { roots: Branch[]; total: Map<string, number> } {
  const branches = new Map<string, Branch>(nodes.map((node) => [node.id, { key: node.id, node, children: [] }]));
  const total = new Map(nodes.map((node) => [node.id, node.medicineCount]));
  const roots: Branch[] = [];
  for (const branch of branches.values())
    (branch.node.parentId === null ? roots : branches.get(branch.node.parentId)!.children).push(branch);
  for (const node of nodes.toReversed())
    if (node.parentId !== null) total.set(node.parentId, total.get(node.parentId)! + total.get(node.id)!);
  const keep = (list: Branch[]): Branch[] =>
    list
      .map((branch) => ({ ...branch, children: keep(branch.children) }))
      .filter((branch) => branch.children.length > 0 || branch.node.name.includes(keyword));
  return { roots: keyword ? keep(roots) : roots, total };
}

/** /drugCategory 药品分类: Enter adds a sibling, Tab a child, F2 renames, Delete removes. */
export default function DrugCategory() {
  const [kind, setKind] = useState<(typeof categoryKinds.codes)[number]>('THERAPY');
  const [keyword, setKeyword] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const { data: nodes = [], loading, error, refetch } = useData(queryDrugCategoryTree, { kind });
  const editable = useMay()(may['category.edit']);
  const { roots, total } = useMemo(() => treeOf(nodes, keyword.trim()), [nodes, keyword]);
  const add = useCommand(addDrugCategory, {
    success: SERVER_MESSAGE,
    refreshes,
    blockMs: 300,
    onSuccess: ({ data }) => {
      setChosen(data.id);
      setRenaming(data.id);
    },
  });
  const rename = useCommand(modifyDrugCategory, { success: '修改成功!', refreshes, blockMs: 300 });
  const move = useCommand(moveDrugCategory, { success: SERVER_MESSAGE, refreshes, blockMs: 300 });
  const remove = useCommand(delDrugCategory, { success: '删除成功!', refreshes, blockMs: 300, onSuccess: () => setChosen(null) });
  const node = nodes.find((candidate) => candidate.id === chosen) ?? null;

  /** A name that no sibling has yet. */
  const freeName = (parentId: string | null) => {
    const taken = new Set(nodes.filter((sibling) => sibling.parentId === parentId).map((sibling) => sibling.name));
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? NEW_NAME : `${NEW_NAME}${number}`;
      if (!taken.has(name)) return name;
    }
  };
  const addUnder = (parentId: string | null, index?: number) =>
    void add.run({ kind, parentId, name: freeName(parentId), ...(index !== undefined && { index }) });
  const drop = async (target: CategoryNode) => {
    if (await confirmDelete(`分类“${target.name}”`)) await remove.run({ id: target.id, version: target.version });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!editable || !node || renaming !== null) return;
    if (event.key === 'Enter') addUnder(node.parentId, node.sort);
    else if (event.key === 'Tab' && !event.shiftKey) addUnder(node.id);
    else if (event.key === 'F2') setRenaming(node.id);
    else if (event.key === 'Delete') void drop(node);
    else return;
    // The tree has keys of its own.
    event.preventDefault();
    event.stopPropagation();
  };
  const onDrop: NonNullable<TreeProps<Branch>['onDrop']> = ({ dragNode, node: over, dropToGap, dropPosition }) => {
    const target = over.node;
    const parentId = dropToGap ? target.parentId : target.id;
    const siblings = nodes.filter((sibling) => sibling.parentId === parentId && sibling.id !== dragNode.node.id);
    const place = dropToGap ? siblings.findIndex((sibling) => sibling.id === target.id) : 0;
    const before = dropToGap && dropPosition < Number(over.pos.split('-').at(-1));
    void move.run({ id: dragNode.node.id, version: dragNode.node.version, parentId, index: dropToGap ? (before ? place : place + 1) : 0 });
  };
  const box = useRef<HTMLDivElement>(null);
  const finishRename = (target: CategoryNode, name: string) => {
    setRenaming(null);
    // The keys go on from here.
    requestAnimationFrame(() => box.current?.focus({ preventScroll: true }));
    const wanted = name.trim();
    if (wanted && wanted !== target.name) void rename.run({ id: target.id, version: target.version, name: wanted, icon: target.icon });
  };

  return (
    <div className="ph-tree">
      <section>
        <div className="kq-row">
          <Segmented
            size="small"
            value={kind}
            onChange={(next) => {
              setKind(next);
              setChosen(null);
            }}
            options={categoryKinds.options.map(({ value, label }) => ({ value, label }))}
          />
          {editable && (
            <Button size="small" type="primary" disabled={add.flying} onClick={() => addUnder(null)}>
              新增一级分类
            </Button>
          )}
        </div>
        <Input.Search
          allowClear
          placeholder="搜索分类"
          value={keyword}
          onChange={(event) => setKeyword(event.target.value)}
          style={{ margin: '8px 0' }}
        />
        {editable && <p className="kq-muted">拖动排序或移动；Enter 加同级，Tab 加下级，F2 改名，Delete 删除</p>}
        <div ref={box} tabIndex={-1} style={{ outline: 'none' }} onKeyDownCapture={onKeyDown}>
          {error ? (
            <TableFailure error={error} onRetry={() => void refetch()} />
          ) : (
            roots.length === 0 && <div className="kq-empty">{loading ? '加载中…' : keyword ? '没有符合的分类' : '暂无分类'}</div>
          )}
          <Suspense fallback={roots.length > 0 && <div className="kq-empty">加载中…</div>}>
            <CategoryTree
              key={kind}
              roots={roots}
              total={total}
              unfolded={keyword !== ''}
              editable={editable}
              movable={editable && keyword === ''}
              chosen={chosen}
              onChoose={setChosen}
              renaming={renaming}
              onRename={setRenaming}
              onRenamed={finishRename}
              onDrop={onDrop}
            />
          </Suspense>
        </div>
      </section>
      <section>
        {node ? (
          <NodePanel
            key={`${node.id}:${node.version}`}
            node={node}
            nodes={nodes}
            editable={editable}
            onAddChild={() => addUnder(node.id)}
            onRemove={() => void drop(node)}
          />
        ) : (
          <div className="kq-empty">请在左侧选择一个分类</div>
        )}
      </section>
    </div>
  );
}

interface PanelProps {
  node: CategoryNode;
  nodes: readonly CategoryNode[];
  editable: boolean;
  onAddChild(): void;
  onRemove(): void;
}

/** Form of a node and its medicines. */
function NodePanel({ node, nodes, editable, onAddChild, onRemove }: PanelProps) {
  const [form] = Form.useForm<{ name: string; state: (typeof categoryStates.codes)[number] }>();
  const save = useCommand(modifyDrugCategory, { success: '修改成功!', refreshes });
  const merge = useCommand(mergeDrugCategory, { success: SERVER_MESSAGE, refreshes });
  const moveMedicines = useCommand(moveMedicineCategory, { refreshes: [queryDrugCategoryTree, queryMedicineList] });
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const [into, setInto] = useState<string | null>(null);
  const moveTo = async (rows: readonly { id: string }[]) => {
    if (!target) {
      toastError('请先在表格上方选择目标分类');
      return false;
    }
    const answer = await moveMedicines.run({ medicineIds: rows.map((row) => row.id), categoryId: target });
    if (answer) setOutcomes(answer.data.map(({ name, ok, message }) => ({ name, ok, message })));
    return Boolean(answer);
  };
  const holds = useMay();
  const fixed = useMemo(() => ({ categoryId: node.id }), [node.id]);
  const mergeable = nodes
    .filter((other) => other.id !== node.id && other.depth === node.depth)
    .map((other) => ({ value: other.id, label: other.name }));
  const mergeInto = async () => {
    const target = mergeable.find(({ value }) => value === into);
    if (!target) return;
    const sure = await ask({
      title: '合并分类',
      content: '合并后本分类将消失，药品和下级归入目标分类，是否继续?',
      facts: [
        { label: '本分类', value: node.name },
        { label: '药品', value: `${node.medicineCount}个` },
        { label: '目标分类', value: target.label },
      ],
      danger: true,
    });
    if (sure) await merge.run({ id: node.id, version: node.version, targetId: target.value });
  };
  return (
    <div className="ph-tabbed">
      <h3>
        {node.name}{' '}
        <span className="kq-muted">
          {node.code} · 第{node.depth}级
        </span>
      </h3>
      <Form
        form={form}
        layout="inline"
        disabled={!editable}
        initialValues={{ name: node.name, state: node.state }}
        onFinish={({ name, state }) => void save.run({ id: node.id, version: node.version, name, state, icon: node.icon })}
      >
        <Field of={modifyDrugCategory} name="name" label="名称" />
        <Field of={modifyDrugCategory} name="state">
          <Select
            placeholder="请选择"
            style={{ width: 90 }}
            options={categoryStates.options.map(({ value, label }) => ({ value, label }))}
          />
        </Field>
        {editable && (
          <>
            <Button htmlType="submit" type="primary" disabled={save.busy}>
              保存
            </Button>
            <Button disabled={node.depth >= 4} onClick={onAddChild}>
              新增下级
            </Button>
            <Button danger onClick={onRemove}>
              删除
            </Button>
          </>
        )}
      </Form>
      {editable && (
        <div className="kq-row" style={{ margin: '12px 0' }}>
          <span>合并到</span>
          <Select<string>
            style={{ width: 180 }}
            showSearch={{ optionFilterProp: 'label' }}
            value={into}
            options={mergeable}
            placeholder="同级分类"
            onChange={setInto}
          />
          <Button disabled={!into || merge.busy} onClick={() => void mergeInto()}>
            合并
          </Button>
        </div>
      )}
      <ResourceList
        of={medicinesOf}
        fixed={fixed}
        {...(holds(may['medicine.edit']) && {
          batch: [{ label: '移动到…', nameOf: (row: { genericName: string }) => row.genericName, all: moveTo }],
          above: (
            <div className="kq-row">
              <span>移动目标</span>
              <div style={{ width: 320 }}>
                <OptionSelect kind="CATEGORY" value={target} onChange={setTarget} placeholder="选择末级分类后，勾选药品移动" />
              </div>
            </div>
          ),
        })}
      />
      {outcomes && (
        <BatchResult title="移动药品" outcomes={outcomes} total={outcomes.length} running={false} onClose={() => setOutcomes(null)} />
      )}
    </div>
  );
}
