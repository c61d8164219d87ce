import { expect, test } from 'vitest';
import { dictionary } from '../../contract/dictionary.ts';
import { stateMachine } from '../../contract/stateMachine.ts';
import type { Column } from '../kit/columns.ts';
import { isJobAtWork } from './jobs.ts';

const codes = dictionary('probe.codes', { MAKING: { label: '制卡中', job: true }, DONE: '已完成' });
const machine = stateMachine('probe', { RUNNING: { label: '生成中', job: true }, READY: { label: '可下载' } }, {});

test('a list is followed as long as one of its rows is in a job’s state, and no longer', () => {
  const columns: Column<{ code: string; state: string }>[] = [
    { key: 'code', title: '状态', kind: 'dict', dictionary: codes },
    { key: 'state', title: '进度', kind: 'dict', dictionary: machine.dictionary },
  ];
  const row = (code: string, state: string) => ({ code, state });
  expect(isJobAtWork(columns, [])).toBe(false);
  expect(isJobAtWork(columns, [row('DONE', 'READY')])).toBe(false);
  expect(isJobAtWork(columns, [row('DONE', 'READY'), row('MAKING', 'READY')])).toBe(true);
  expect(isJobAtWork(columns, [row('DONE', 'RUNNING')])).toBe(true);
  // The same code means a job's state in its own dictionary alone.
  expect(isJobAtWork(columns, [row('RUNNING', 'MAKING')])).toBe(false);
});
