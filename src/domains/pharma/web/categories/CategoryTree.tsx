import { Tree } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { InputRef, TreeDataNode, TreeProps } from 'antd';
import type { CategoryNode } from '../../contract/calls/categories.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

export interface Branch extends TreeDataNode {
  key: string;
  node: CategoryNode;
  children: Branch[];
}

interface CategoryTreeProps {
  roots: Branch[];
  /** Medicines of a category with everything below it. */
  total: ReadonlyMap<string, number>;
  unfolded: boolean;
  editable: boolean;
  movable: boolean;
  chosen: string | null;
  onChoose(id: string): void;
  renaming: string | null;
  onRename(id: string): void;
  onRenamed(target: CategoryNode, name: string): void;
  onDrop: NonNullable<TreeProps<Branch>['onDrop']>;
}

const keysOf = (branches: readonly Branch[]): string[] => branches.flatMap((branch) => [branch.key, ...keysOf(branch.children)]);

/** Branches above a node, or null where it is not. */
function parentsOf(branches: readonly Branch[], id: string): string[] | null {
  for (const branch of branches) {
    if (branch.key === id) return [];
    const below = parentsOf(branch.children, id);
    if (below) return [branch.key, ...below];
  }
  return null;
}

/** The name of a category while it is changed: Enter or leaving takes it, Escape does not. */
function NameField({ name, onDone }: { name: string; onDone(name: string): void }) {
  const field = useRef<InputRef>(null);
  const cancelled = useRef(false);
  // Not by `autoFocus`: the tree scrolls to what is focused, which it can do only after it has been drawn.
  useEffect(() => field.current?.focus({ cursor: 'all' }), []);
  return (
    <TextInput
      ref={field}
      size="small"
      aria-label="分类名称"
      defaultValue={name}
      most={30}
      onBlur={(event) => onDone(cancelled.current ? name : event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        // Enter that chooses a word of an input method is no end.
        if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return;
        cancelled.current = event.key === 'Escape';
        event.currentTarget.blur();
      }}
    />
  );
}

/** The tree of the page, loaded after it; names are changed in place. */
export function CategoryTree({
  roots,
  total,
  unfolded,
  editable,
  movable,
  chosen,
  onChoose,
  renaming,
  onRename,
  onRenamed,
  onDrop,
}: CategoryTreeProps) {
  const [unfoldedByHand, setUnfolded] = useState<readonly string[]>([]);
  // What is chosen is seen: a new child would otherwise stay folded away under its parent.
  const expandedKeys = useMemo(
    () => (unfolded ? keysOf(roots) : [...new Set([...unfoldedByHand, ...(chosen ? (parentsOf(roots, chosen) ?? []) : [])])]),
    [unfolded, unfoldedByHand, roots, chosen],
  );
  return (
    <Tree<Branch>
      treeData={roots}
      blockNode
      showLine
      expandedKeys={expandedKeys}
      onExpand={(keys) => setUnfolded(keys.map(String))}
      draggable={movable ? { icon: false } : false}
      onDrop={onDrop}
      selectedKeys={chosen ? [chosen] : []}
      onSelect={(keys) => keys.length > 0 && onChoose(String(keys[0]))}
      titleRender={(branch) =>
        renaming === branch.key ? (
          <NameField name={branch.node.name} onDone={(name) => onRenamed(branch.node, name)} />
        ) : (
          <span onDoubleClick={() => editable && onRename(branch.key)}>
            {branch.node.name} <span className="kq-muted">{total.get(branch.key)}</span>
            {branch.node.state === 'DISABLED' && <span className="kq-muted">（停用）</span>}
          </span>
        )
      }
    />
  );
}
