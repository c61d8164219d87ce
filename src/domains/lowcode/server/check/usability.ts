import type { Dataset } from '#kernel/server/datasets/dataset.ts';
import type { Address } from './addresses.ts';
import { step, type Findings, type Json } from './facts.ts';

// V12: what works and serves nobody well. It does not keep a page from being published.

const SHORTEST_INTERVAL = 3_000;

export function warnOfInterval(found: Findings, pointer: string, value: unknown): void {
  if (typeof value === 'number' && value < SHORTEST_INTERVAL)
    found.warn(step(pointer, 'interval'), '自动刷新间隔过短', '运行时按3000毫秒执行');
}

export function warnOfButton(found: Findings, pointer: string, node: Json, { action }: Address): void {
  if (action?.danger && node['confirmText'] === undefined) found.warn(pointer, `操作${action.label}没有确认提示`, '填写confirmText');
}

export function warnOfCrud(found: Findings, pointer: string, node: Json, dataset: Dataset | null): void {
  if (node['placeholder'] === undefined) found.warn(pointer, '列表没有数据时没有提示文字', '填写placeholder');
  if (dataset && node['bulkActions'] !== undefined && node['primaryField'] !== dataset.keyField)
    found.warn(pointer, '批量操作须按记录编号选择', `填写 "primaryField": "${dataset.keyField}"`);
}
