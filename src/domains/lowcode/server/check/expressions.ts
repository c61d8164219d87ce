import { createRequire } from 'node:module';
import { filterNames, functionNames } from '../../contract/grammar/vocabulary.ts';
import { isObject, nearest, type Json } from './facts.ts';

// The parser is the renderer's own, of the same release: what it reads here it reads there.
const formula: unknown = createRequire(import.meta.url)('amis-formula/lib/parser');

function parse(text: string): unknown {
  const reader = isObject(formula) ? formula['parse'] : undefined;
  if (typeof reader !== 'function') throw new Error('amis-formula has no parser');
  // Every word after a bar is taken for a filter, so that an unknown one is seen as what it would be.
  return reader(text, { evalMode: false, allowFilter: true, isFilter: () => true });
}

export const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** What the renderer would look for beyond the data. */
const OUTSIDE: ReadonlySet<string> = new Set(['window', 'document', 'globalThis', 'location', 'localStorage', 'sessionStorage', 'cookie']);
const WORD = /^[A-Za-z_]\w*$/;

const BINARY: ReadonlySet<string> = new Set([
  'add',
  'minus',
  'multi',
  'divide',
  'remainder',
  'power',
  'eq',
  'ne',
  'streq',
  'strneq',
  'gt',
  'ge',
  'lt',
  'le',
  'and',
  'or',
]);
const filters = new Set(filterNames);
const functions = new Set(functionNames);

/** Why an expression is refused, and by which rule. */
export interface ExpressionFault {
  code: 'V05' | 'V06';
  message: string;
  advice: string;
}
const fault = (code: 'V05' | 'V06', message: string, advice = ''): ExpressionFault => ({ code, message, advice });

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function first<T>(items: readonly T[], judge: (item: T) => ExpressionFault | null): ExpressionFault | null {
  for (const item of items) {
    const found = judge(item);
    if (found) return found;
  }
  return null;
}

function faultOfName(name: unknown): ExpressionFault | null {
  if (typeof name !== 'string') return fault('V05', '只能按固定的名称取值');
  if (FORBIDDEN_NAMES.has(name)) return fault('V05', `不能使用名称${name}`);
  if (OUTSIDE.has(name)) return fault('V05', `不能访问页面数据以外的${name}`);
  return WORD.test(name) ? null : fault('V05', `变量名不正确：${name.slice(0, 40)}`);
}

function faultOfKey(key: unknown): ExpressionFault | null {
  if (!isObject(key)) return fault('V05', '取值方式不支持');
  if (key['type'] === 'identifier') return faultOfName(key['name']);
  if (key['type'] === 'literal' && typeof key['value'] === 'number') return null;
  if (key['type'] === 'string' || key['type'] === 'literal') {
    const name = String(key['value']);
    return FORBIDDEN_NAMES.has(name) ? fault('V05', `不能使用名称${name}`) : null;
  }
  return fault('V05', '方括号中只能是数字或文字', '改为 ${对象.名称}');
}

function faultOfCall(node: Json): ExpressionFault | null {
  const name = String(node['identifier']);
  if (!functions.has(name)) {
    const like = nearest(name, functions);
    return fault('V06', `函数${name}不可使用`, like ? `是否为${like}` : '');
  }
  return first(listOf(node['args']), faultOf);
}

function faultOfFilter(node: Json): ExpressionFault | null {
  return (
    faultOf(node['input']) ??
    first(listOf(node['filters']), (one) => {
      const name = isObject(one) ? String(one['name']) : '';
      if (!filters.has(name)) {
        const like = nearest(name, filters);
        return fault('V06', `过滤器${name}不可使用`, like ? `是否为${like}` : '');
      }
      // Arguments are texts, or nodes of their own.
      return first(isObject(one) ? listOf(one['args']) : [], (arg) => (isObject(arg) ? faultOf(arg) : null));
    })
  );
}

/** @returns why this part of the parsed tree is refused */
function faultOf(node: unknown): ExpressionFault | null {
  if (node === null || node === undefined) return null;
  if (Array.isArray(node)) return first(node, faultOf);
  if (!isObject(node)) return null;
  const type = String(node['type']);
  if (BINARY.has(type)) return faultOf(node['left']) ?? faultOf(node['right']);
  switch (type) {
    case 'raw':
    case 'literal':
    case 'string':
    case 'template_raw':
      return null;
    case 'document':
    case 'script':
    case 'template':
      return faultOf(node['body']);
    case 'variable':
      return faultOfName(node['name']);
    case 'getter':
      return faultOf(node['host']) ?? faultOfKey(node['key']);
    case 'unary':
      return faultOf(node['value']);
    case 'conditional':
      return faultOf(node['test']) ?? faultOf(node['consequent']) ?? faultOf(node['alternate']);
    case 'array':
      return first(listOf(node['members']), faultOf);
    case 'object':
      return first(listOf(node['members']), (member) =>
        isObject(member) ? (faultOfKey(member['key']) ?? faultOf(member['value'])) : null,
      );
    case 'filter':
      return faultOfFilter(node);
    case 'func_call':
      return faultOfCall(node);
    case 'ns-variable':
      return fault('V05', `不能使用${String(node['namespace'])}:取值`, '只能使用页面数据中的名称');
    case 'anonymous_function':
      return fault('V05', '不能使用箭头函数');
    default:
      return fault('V05', `不支持的表达式：${type}`);
  }
}

const bodyOf = (tree: unknown): readonly unknown[] => (isObject(tree) ? listOf(tree['body']) : []);
const isScript = (node: unknown) => isObject(node) && node['type'] === 'script';

type Read = { tree: unknown; fault: null } | { tree: null; fault: ExpressionFault };

function read(text: string): Read {
  try {
    return { tree: parse(text), fault: null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const place = /in (\d+):(\d+)/.exec(message);
    return { tree: null, fault: fault('V05', `表达式写法不正确${place ? `（第${place[2]}个字符附近）` : ''}`) };
  }
}

/** Of a text with `${…}` in it. */
export function faultOfTemplate(text: string): ExpressionFault | null {
  if (!text.includes('$')) return null;
  const { tree, fault: unread } = read(text);
  return unread ?? faultOf(tree);
}

/** Of a condition, which must be one `${…}` and nothing else: any other text would be run as a program. */
export function faultOfCondition(text: string): ExpressionFault | null {
  const { tree, fault: unread } = text.includes('${') ? read(text) : { tree: null, fault: null };
  if (unread) return unread;
  const body = bodyOf(tree);
  if (body.length !== 1 || !isScript(body[0]) || !text.startsWith('${') || !text.endsWith('}'))
    return fault('V05', '条件必须是一个完整的${…}', `改为 \${${text.replaceAll(/^data\.|[${}]/g, '').slice(0, 60)}}`);
  return faultOf(tree);
}

/** Whether the text is exactly one `${…}`. */
export const isOneExpression = (text: string): boolean => faultOfCondition(text) === null;
