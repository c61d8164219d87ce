import { Input, Tree } from 'antd';
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
  onChoose(id: string | null): void;
  renaming: string | null;
  onRename(id: string | null): void;
  onRenamed(target: CategoryNode, name: string): void;
  onDrop: NonNullable<TreeProps<Branch>['onDrop']>;
}

/** The tree of the page, loaded after it; names are changed in place. */
export function CategoryTree({ roots, total, unfolded, editable, movable, chosen, onChoose, renaming, onRename, onRenamed, onDrop }: CategoryTreeProps) {
  return (
    <Tree<Branch>
      treeData={roots}
      blockNode
      showLine
      defaultExpandAll={unfolded}
      draggable={movable ? { icon: false } : false}
      onDrop={onDrop}
      selectedKeys={chosen ? [chosen] : []}
      onSelect={(keys) => onChoose(keys.length > 0 ? String(keys[0]) : null)}
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
