import type { CategoryNode } from '../../contract/calls/categories.ts';

export type Drop = 'before' | 'after' | 'into';
interface Place {
  parentId: string | null;
  /** Among the new siblings without the moved node. */
  index: number;
}

/** Each root followed by what is below it. */
export function treeOrder(nodes: readonly CategoryNode[]): CategoryNode[] {
  const below = Map.groupBy(nodes, ({ parentId }) => parentId ?? '');
  return (below.get('') ?? []).flatMap((root) => [root, ...(below.get(root.id) ?? [])]);
}

const siblings = (rows: readonly CategoryNode[], parentId: string | null, except: string) =>
  rows.filter((row) => row.parentId === parentId && row.id !== except);
const hasChildren = (rows: readonly CategoryNode[], id: string) => rows.some((row) => row.parentId === id);

/** Where a dropped node lands; null where it cannot. */
export function placeOf(rows: readonly CategoryNode[], dragged: CategoryNode, target: CategoryNode, drop: Drop): Place | null {
  if (dragged.id === target.id) return null;
  const parentId = drop === 'into' ? target.id : target.parentId;
  if (parentId === dragged.id || (parentId !== null && hasChildren(rows, dragged.id))) return null;
  const others = siblings(rows, parentId, dragged.id);
  if (drop === 'into') return { parentId, index: others.length };
  const at = others.findIndex(({ id }) => id === target.id);
  return { parentId, index: drop === 'before' ? at : at + 1 };
}

/** The place one step away by Alt and an arrow; null at the ends. */
export function stepOf(rows: readonly CategoryNode[], node: CategoryNode, key: string): Place | null {
  const all = rows.filter((row) => row.parentId === node.parentId);
  const at = all.indexOf(node);
  if (key === 'ArrowUp') return at > 0 ? { parentId: node.parentId, index: at - 1 } : null;
  if (key === 'ArrowDown') return at < all.length - 1 ? { parentId: node.parentId, index: at + 1 } : null;
  if (key === 'ArrowRight') {
    const before = all[at - 1];
    if (node.depth !== 1 || !before || hasChildren(rows, node.id)) return null;
    return { parentId: before.id, index: siblings(rows, before.id, node.id).length };
  }
  if (node.parentId === null) return null;
  const roots = siblings(rows, null, node.id);
  return { parentId: null, index: roots.findIndex(({ id }) => id === node.parentId) + 1 };
}
