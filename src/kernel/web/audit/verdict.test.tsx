import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { provideToasts } from '../feedback/toast.ts';
import { actionKeys, ActionButtons, decisionActions } from './ActionButtons.tsx';
import { useVerdict, type Decision } from './verdict.ts';

type V = 'approve' | 'reject';
const options: Decision<V>['options'] = [
  { value: 'approve', label: '通过', keys: 'A' },
  { value: 'reject', label: '驳回', keys: 'R', danger: true },
];

let said: unknown[];
let sent: V[];
beforeEach(() => {
  said = [];
  sent = [];
  provideToasts((_kind, content) => void said.push(content));
});

/** A desk as it is first painted; answers what its acts would do. */
function desk(chosen: V | null): { html: string; decision: Decision<V> } {
  let decision: Decision<V> | null = null;
  function Desk() {
    const verdict = useVerdict<V>('1');
    decision = { verdict: { ...verdict, chosen: chosen ?? verdict.chosen }, options, submit: (value) => void sent.push(value) };
    return <ActionButtons actions={decisionActions(decision)} />;
  }
  const html = renderToStaticMarkup(<Desk />);
  return { html, decision: decision! };
}
const press = (decision: Decision<V>, keys: string) =>
  actionKeys(decisionActions(decision), decision)
    .find((shortcut) => shortcut.keys === keys)!
    .act();

describe('the verdict of an audit', () => {
  it('is not chosen when a case is opened, and nothing is sent without one', () => {
    const { html, decision } = desk(null);
    expect([...html.matchAll(/aria-pressed="(\w+)"/g)].map(([, pressed]) => pressed)).toEqual(['false', 'false']);
    for (const keys of ['Ctrl+Enter', 'S']) press(decision, keys);
    expect(sent).toEqual([]);
    expect(said).toEqual(['请先选择审核结论：A 通过、R 驳回', '请先选择审核结论：A 通过、R 驳回']);
  });

  it('is sent as it was chosen', () => {
    const { html, decision } = desk('reject');
    expect(html).toContain('提交：驳回');
    press(decision, 'Ctrl+Enter');
    expect(sent).toEqual(['reject']);
  });
});

it('is the only way to decide by Ctrl+Enter: no other page gives these keys to a verdict of its own', () => {
  const root = path.join(import.meta.dirname, '../../..');
  const own = globSync('{domains,kernel}/**/*.tsx', { cwd: root })
    .filter((file) => !file.endsWith('.test.tsx'))
    .filter((file) => /keys: '(Ctrl|Control)\+Enter'/.test(readFileSync(path.join(root, file), 'utf8')));
  // The editors of definitions and of control rules publish or hand in by them what stands there; their questions come before.
  // The query table asks its question.
  expect(own.sort()).toEqual([
    'domains/insurance/web/controls/ControlRules.tsx',
    'domains/lowcode/web/editor/Editor.tsx',
    'domains/policy/web/query/Desk.tsx',
    'kernel/web/audit/ActionButtons.tsx',
    'kernel/web/form/FormFrame.tsx',
  ]);
});
