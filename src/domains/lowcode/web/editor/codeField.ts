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
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { components, keysOfComponent } from '../../contract/grammar/components.ts';
import type { Problem } from '../../contract/definition.ts';
import { nameOf, placeOf } from './places.ts';

/** The field in which a definition is written. */
export interface CodeField {
  text(): string;
  setText(text: string): void;
  show(problems: readonly Problem[]): void;
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

/** Components at the value of `type`, keys of the component around the cursor elsewhere. */
function complete(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/"[\w-]*/);
  if (!word) return null;
  const node = syntaxTree(context.state).resolveInner(context.pos, -1);
  const property = node.name === 'Property' ? node : node.parent?.name === 'Property' ? node.parent : null;
  const from = word.from + 1;
  if (property && node.name === 'String' && nameOf(context.state, property) === 'type')
    return { from, options: Object.entries(components).map(([label, { label: detail }]) => ({ label, detail, type: 'class' })) };
  if (node.name === 'String') return null;
  const around = property?.parent ?? node.parent;
  const typed = around?.getChildren('Property').find((one) => nameOf(context.state, one) === 'type');
  const value = typed?.lastChild;
  const type = value ? context.state.sliceDoc(value.from + 1, value.to - 1) : 'page';
  const keys = keysOfComponent(type, 'column') ?? {};
  return { from, options: Object.keys(keys).map((label) => ({ label, type: 'property' })) };
}

export function openCodeField(parent: HTMLElement, text: string, onChange: (text: string) => void): CodeField {
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
        autocompletion({ override: [complete] }),
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
