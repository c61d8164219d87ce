import type { Dataset, DatasetAction } from '#kernel/server/datasets/dataset.ts';
import { isObject, nearest, step, type CheckFacts, type Findings, type Json } from './facts.ts';
import { checkString } from './texts.ts';

const ADDRESS = /^\/ds\/([a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)?)\/([A-Za-z]+(?:\.[A-Za-z]\w*)?)$/;
const API_KEYS: ReadonlySet<string> = new Set(['url', 'data', 'sendOn', 'cache']);

/** What a data address leads to. */
export interface Address {
  dataset: Dataset;
  operation: string;
  /** Of `action.x`. */
  action: DatasetAction | null;
  /** What is sent besides what the place itself sends. */
  data: Json;
}

/** Whether the dataset declares the operation. */
export function declares(dataset: Dataset, operation: string): boolean {
  const [kind = '', name = ''] = operation.split('.');
  switch (kind) {
    case 'list':
      return name === '';
    case 'detail':
      return name === '' && dataset.detail !== null;
    case 'export':
      return name === '' && dataset.export !== null;
    case 'import':
      return name === '' && dataset.import !== null;
    case 'options':
      return Object.hasOwn(dataset.options, name);
    case 'stat':
      return Object.hasOwn(dataset.stats, name);
    case 'action':
      return dataset.actions.some(({ code }) => code === name);
    case 'reveal':
      return dataset.columns.some(({ key, reveal }) => key === name && reveal !== undefined);
    default:
      return false;
  }
}

export const writes = (operation: string) => operation.startsWith('action.');

/**
 * Reads an address: a text, or an object with what else is sent. It is the only way to data, and holds no expression.
 * @param walkers checks of the object's other keys, which the grammar knows
 */
export function checkAddress(
  found: Findings,
  facts: CheckFacts,
  pointer: string,
  value: unknown,
  place: 'read' | 'write',
  walkers: { data(pointer: string, value: unknown): void; condition(pointer: string, value: unknown): void },
): Address | null {
  const at = isObject(value) ? step(pointer, 'url') : pointer;
  const url = isObject(value) ? value['url'] : value;
  if (isObject(value)) {
    for (const [key, one] of Object.entries(value)) {
      const inner = step(pointer, key);
      if (!API_KEYS.has(key)) found.refuse('V03', inner, `数据地址没有属性${key}`, '只能使用url、data、sendOn、cache');
      else if (key === 'data') walkers.data(inner, one);
      else if (key === 'sendOn') walkers.condition(inner, one);
      else if (key === 'cache' && typeof one !== 'number') found.refuse('V03', inner, 'cache须为毫秒数');
    }
  }
  if (typeof url !== 'string') {
    found.refuse('V04', at, '数据地址须为文字', '格式为 /ds/数据集/操作');
    return null;
  }
  if (!checkString(found, at, url)) return null;
  const [, code, operation] = ADDRESS.exec(url) ?? [];
  if (code === undefined || operation === undefined) {
    found.refuse('V04', at, '只能使用数据地址 /ds/数据集/操作', '不能填写网址、接口地址、请求方式或表达式');
    return null;
  }
  const dataset = facts.datasets.get(code);
  if (!dataset) {
    const like = nearest(code, facts.datasets.keys());
    found.refuse('V04', at, `没有数据集${code}`, like ? `是否为${like}` : '在数据集目录中查看');
    return null;
  }
  if (!declares(dataset, operation)) {
    found.refuse('V04', at, `数据集${dataset.label}没有操作${operation}`, '在数据集目录中查看可用的操作');
    return null;
  }
  const fits = place === 'write' ? writes(operation) : /^(list|detail|options\.|stat\.)/.test(operation);
  if (!fits) {
    found.refuse('V04', at, place === 'write' ? '此处只能执行操作action.*' : '此处只能查询数据', '');
    return null;
  }
  found.uses(code, operation);
  return {
    dataset,
    operation,
    action: dataset.actions.find((one) => `action.${one.code}` === operation) ?? null,
    data: isObject(value) && isObject(value['data']) ? value['data'] : {},
  };
}

/** An internal page with the parameters that it is opened with: `/hospitalList?id=${id}`. */
export function checkLink(found: Findings, facts: CheckFacts, pointer: string, value: unknown): void {
  if (typeof value !== 'string') return found.refuse('V09', pointer, '链接须为文字');
  if (!checkString(found, pointer, value)) return;
  const [, routeKey = '', query = ''] = /^\/([A-Za-z]\w*)(?:\?(.*))?$/.exec(value) ?? [];
  if (!facts.routes.has(routeKey)) return found.refuse('V09', pointer, '只能链接到系统内的页面', '格式为 /页面?参数=${列}');
  const pairs = query === '' ? [] : query.split('&');
  if (pairs.some((pair) => !/^\w+=(?:\$\{[A-Za-z_][\w.]*\}|[\w-]*)$/.test(pair)))
    found.refuse('V09', pointer, '链接的参数须为 名称=${列}', '');
}
