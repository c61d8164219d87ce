import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  defaultHighlightStyle,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type EditorState as State } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { components, keysOfComponent } from '../../contract/grammar/components.ts';
import { helpOfKey, helpOfType } from '../../contract/grammar/help.ts';
import type { Problem } from '../../contract/definition.ts';
import { nameOf, placeOf } from './places.ts';

/** What is offered of a dataset. */
interface KnownDataset {
  code: string;
  label: string;
  columns: readonly { key: string; label: string }[];
  filters: readonly { key: string; label: string }[];
  actions: readonly { code: string; label: string }[];
}

/** The field in which a definition is written. */
export interface CodeField {
  text(): string;
  setText(text: string): void;
  show(problems: readonly Problem[]): void;
  /** Datasets whose names are offered while one types. */
  know(datasets: readonly KnownDataset[]): void;
  /** Moves the cursor to what a JSON pointer names. */
  goTo(pointer: string): void;
  /** Puts a part in at the cursor. */
  insert(text: string): void;
  close(): void;
}

const PHRASES = {
  Find: '查找',
  Replace: '替换',
  next: '下一个',
  previous: '上一个',
  all: '全部',
  'match case': '区分大小写',
  'by word': '整词',
  regexp: '正则',
  replace: '替换',
  'replace all': '全部替换',
  close: '关闭',
  'No diagnostics': '没有问题',
  Diagnostics: '问题',
};

const unquoted = (state: State, node: SyntaxNode) => state.sliceDoc(node.from + 1, node.to - 1);

/** The property in whose name or value a place stands. */
const propertyAt = (node: SyntaxNode): SyntaxNode | null =>
  node.name === 'Property' ? node : node.parent?.name === 'Property' ? node.parent : null;

/** Type of the component that a property belongs to. */
function typeAround(state: State, property: SyntaxNode | null, node: SyntaxNode): string {
  const around = property?.parent ?? node.parent;
  const value = around?.getChildren('Property').find((one) => nameOf(state, one) === 'type')?.lastChild;
  return value ? unquoted(state, value) : 'page';
}

type Choice = { label: string; detail?: string; type: string };
const ADDRESS_KEYS: ReadonlySet<string> = new Set(['api', 'initApi', 'source', 'url']);

/** Values that the datasets give for a key. */
function valuesOf(key: string, datasets: readonly KnownDataset[]): readonly Choice[] {
  if (key === 'dataset') return datasets.map(({ code, label }) => ({ label: code, detail: label, type: 'variable' }));
  if (ADDRESS_KEYS.has(key))
    return datasets.flatMap(({ code, label, actions }) => [
      { label: `/ds/${code}/list`, detail: `${label}列表`, type: 'function' },
      ...actions.map((action) => ({ label: `/ds/${code}/action.${action.code}`, detail: `${label}${action.label}`, type: 'function' })),
    ]);
  if (key !== 'name' && key !== 'column') return [];
  const named = datasets.flatMap(({ label, columns, filters }) =>
    [...columns, ...filters].map((one) => ({ label: one.key, detail: `${one.label}（${label}）`, type: 'property' })),
  );
  return [...new Map(named.map((one) => [one.label, one])).values()];
}

/** Components at the value of `type`, names of datasets at theirs, keys of the component around the cursor elsewhere. */
const completer =
  (datasets: () => readonly KnownDataset[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/"[\w\-./]*/);
    if (!word) return null;
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    const property = propertyAt(node);
    const from = word.from + 1;
    const isValue = property !== null && node.name === 'String';
    const key = isValue ? nameOf(context.state, property) : '';
    if (key === 'type')
      return { from, options: Object.entries(components).map(([label, { label: detail }]) => ({ label, detail, type: 'class' })) };
    if (isValue) return { from, options: [...valuesOf(key, datasets())], validFor: /^[\w\-./]*$/ };
    const keys = keysOfComponent(typeAround(context.state, property, node), 'column') ?? {};
    return { from, options: Object.keys(keys).map((label) => ({ label, type: 'property' })) };
  };

/** What a word means, where the pointer rests on it. */
const help = hoverTooltip((view, pos) => {
  const node = syntaxTree(view.state).resolveInner(pos, 0);
  const property = propertyAt(node);
  if (!property) return null;
  const name = nameOf(view.state, property);
  const isName = node.name === 'PropertyName';
  const text = isName
    ? helpOfKey(typeAround(view.state, property, node), name)
    : name === 'type' && node.name === 'String'
      ? helpOfType(unquoted(view.state, node))
      : null;
  if (text === null) return null;
  return {
    pos: node.from,
    end: node.to,
    above: true,
    create: () => ({ dom: Object.assign(document.createElement('div'), { className: 'lc-help', textContent: text }) }),
  };
});

export function openCodeField(parent: HTMLElement, text: string, onChange: (text: string) => void): CodeField {
  let known: readonly KnownDataset[] = [];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        lintGutter(),
        json(),
        syntaxHighlighting(defaultHighlightStyle),
        autocompletion({ override: [completer(() => known)] }),
        help,
        EditorState.phrases.of(PHRASES),
        EditorView.contentAttributes.of({ 'aria-label': '页面定义', spellcheck: 'false' }),
        keymap.of([
          ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
          ...searchKeymap,
          ...historyKeymap,
          ...foldKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    show: (problems) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map(({ pointer, message, severity, code }) => ({
            ...placeOf(view.state, pointer),
            severity: severity === 'E' ? 'error' : 'warning',
            message: `${code} ${message}`,
          })),
        ),
      ),
    know(datasets) {
      known = datasets;
    },
    goTo(pointer) {
      const { from } = placeOf(view.state, pointer);
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    insert(part) {
      const { from, to } = view.state.selection.main;
      view.dispatch({ changes: { from, to, insert: part }, selection: { anchor: from + part.length } });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
