import { Input, Tree } from 'antd';
import { useMemo, useState } from 'react';
import type { TreeDataNode, TreeProps } from 'antd';
import type { CategoryNode } from '../../contract/calls/categories.ts';

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
  onRename(id: string | null): void;
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

/** The tree of the page, loaded after it; names are changed in place. */
export function CategoryTree({ roots, total, unfolded, editable, movable, chosen, onChoose, renaming, onRename, onRenamed, onDrop }: CategoryTreeProps) {
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
          <Input size="small" autoFocus defaultValue={branch.node.name} maxLength={30} onFocus={(event) => event.target.select()} onBlur={(event) => onRenamed(branch.node, event.target.value)}
            onKeyDown={(event) => { event.stopPropagation(); if (event.key === 'Enter') event.currentTarget.blur(); if (event.key === 'Escape') onRename(null); }} />
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
