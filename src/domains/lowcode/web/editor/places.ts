import { ensureSyntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);
const valuesIn = (node: SyntaxNode): SyntaxNode[] => {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (VALUES.has(child.name)) found.push(child);
  return found;
};

/** What a property is called, without its quotes. */
export const nameOf = (state: EditorState, property: SyntaxNode): string => {
  const name = property.getChild('PropertyName');
  return name ? state.sliceDoc(name.from + 1, name.to - 1) : '';
};

function below(state: EditorState, node: SyntaxNode, key: string): SyntaxNode | null {
  if (node.name === 'Array') return valuesIn(node)[Number(key)] ?? null;
  return node.getChildren('Property').find((property) => nameOf(state, property) === key) ?? null;
}

/** Where a JSON pointer leads in the text; the nearest place above it that is there. */
export function placeOf(state: EditorState, pointer: string): { from: number; to: number } {
  const tree = ensureSyntaxTree(state, state.doc.length, 500);
  let here = tree ? (valuesIn(tree.topNode)[0] ?? null) : null;
  if (!here) return { from: 0, to: 0 };
  for (const part of pointer.split('/').slice(1)) {
    const inner: SyntaxNode = here.name === 'Property' ? (valuesIn(here)[0] ?? here) : here;
    const next = below(state, inner, part.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (!next) break;
    here = next;
  }
  const line = state.doc.lineAt(here.from);
  return { from: here.from, to: Math.min(here.to, line.to) };
}
