import type { Dataset } from '#kernel/server/datasets/dataset.ts';
import { emptyOf } from '#kernel/contract/fieldRules.ts';
import { shapeOf } from '#kernel/contract/field.ts';
import type { Address } from './addresses.ts';
import { nearest, step, type Findings } from './facts.ts';

// V10: what a definition calls columns, filters and inputs must be what the dataset calls them.

/** Names that rows of a dataset carry. */
export const rowNames = (dataset: Dataset): ReadonlySet<string> =>
  new Set([
    ...dataset.columns.flatMap(({ key, reveal }) => [key, `${key}Text`, ...(reveal ? [`${key}Reveal`] : [])]),
    dataset.keyField,
    ...(dataset.versionField === null ? [] : [dataset.versionField]),
    'allowedActions',
  ]);

export function checkColumnName(found: Findings, dataset: Dataset, pointer: string, column: { name: string; sortable: boolean }): void {
  const { name, sortable } = column;
  if (!rowNames(dataset).has(name)) {
    const like = nearest(name, rowNames(dataset));
    found.refuse('V10', step(pointer, 'name'), `数据集${dataset.label}没有列${name}`, like ? `是否为${like}` : '');
    return;
  }
  const key = name.replace(/Text$/, '');
  if (sortable && !dataset.sorts.includes(name) && !dataset.sorts.includes(key))
    found.refuse('V10', step(pointer, 'sortable'), `数据集${dataset.label}不支持按${name}排序`);
  const own = dataset.columns.find((one) => one.key === name);
  if (own?.type === 'moneyFen') found.warn(step(pointer, 'name'), `${own.label}以分显示`, `改为${name}Text`);
}

const ALWAYS = ['key', 'keys', 'version', 'opinion'];

export function checkInputName(found: Findings, address: Address, pointer: string, name: string): void {
  const { action } = address;
  if (!action || ALWAYS.includes(name)) return;
  const inputs = Object.keys(shapeOf(action.form));
  if (inputs.includes(name)) return;
  const like = nearest(name, inputs);
  found.refuse('V10', step(pointer, 'name'), `操作${action.label}没有输入项${name}`, like ? `是否为${like}` : '');
}

export function checkFilterName(found: Findings, dataset: Dataset, pointer: string, name: string): void {
  const keys = dataset.filters.map(({ key }) => key);
  if (keys.includes(name)) return;
  const like = nearest(name, keys);
  found.refuse('V10', step(pointer, 'name'), `数据集${dataset.label}没有筛选条件${name}`, like ? `是否为${like}` : '');
}

/** Which inputs of an action nobody gives; `given` are the names of its form's fields. */
export function checkGiven(found: Findings, address: Address, pointer: string, given: ReadonlySet<string>): void {
  const { action, data } = address;
  if (!action) return;
  const has = (name: string) => given.has(name) || Object.hasOwn(data, name);
  const missing = Object.entries(shapeOf(action.form)).find(([name, schema]) => emptyOf(schema).required && !has(name));
  if (missing) return found.refuse('V10', pointer, `操作${action.label}缺少必填的输入项${missing[0]}`);
  if ((action.kind === 'ROW' || action.kind === 'UPDATE') && !has('key'))
    return found.refuse('V10', pointer, `操作${action.label}须指定记录`, '在data中填写 "key": "${id}"');
  if (action.kind === 'BATCH' && !has('keys'))
    return found.refuse('V10', pointer, `操作${action.label}须指定所选记录`, '在data中填写 "keys": "${ids}"');
  if (action.opinion && !has('opinion')) found.refuse('V10', pointer, `操作${action.label}须填写意见`, '增加名称为opinion的表单项');
}
