import type { Dataset } from '#kernel/server/datasets/dataset.ts';
import { components, keysOfComponent } from '../../contract/grammar/components.ts';
import { actionTypes, eventActions, forbiddenKeys } from '../../contract/grammar/vocabulary.ts';
import { variablesOf } from '../../contract/conditions.ts';
import { wordOf } from '../../contract/words.ts';
import { fieldKeys, type Keys, type Kind } from '../../contract/grammar/kinds.ts';
import { checkAddress, checkLink, type Address } from './addresses.ts';
import { faultOfCondition, isOneExpression } from './expressions.ts';
import { isObject, nearest, step, type CheckFacts, type Findings, type Json } from './facts.ts';
import { checkColumnName, checkFilterName, checkGiven, checkInputName } from './names.ts';
import { checkClass, checkString, checkStyle, checkText } from './texts.ts';
import { warnOfButton, warnOfCrud, warnOfInterval } from './usability.ts';

/** In whose data a component stands. */
interface Scope {
  rows: Dataset | null;
  /** The action that the form around it sends to. */
  sends: Address | null;
  /** The list whose filters the form around it gives. */
  filters: Dataset | null;
  /** Fields are of the form around it, not of one of their own rows. */
  collects: Set<string> | null;
}
type Place = 'plain' | 'column' | 'field';

/** Host components that show or ask for no dataset's data. */
const DATALESS: ReadonlySet<string> = new Set(['kq-condition', 'kq-money', 'kq-preview', 'kq-region', 'kq-file', 'kq-scan']);
const NAME = /^[A-Za-z_$][\w.$]*$/;
const SIGN = /^[\w-]{1,40}( [\w-]{1,40}){0,3}$/;
const WORD = /^[\w\-. #%:/,()]{0,80}$/;
const TOOLBAR: ReadonlySet<string> = new Set([
  'bulkActions',
  'bulk-actions',
  'pagination',
  'statistics',
  'reload',
  'columns-toggler',
  'filter-toggler',
  'switch-per-page',
  'load-more',
  'tpl',
]);
const isAddressText = (text: string) => !isOneExpression(text);

/** Walks a definition along the grammar; whatever is not listed is refused with its place. */
export class Walk {
  private readonly found: Findings;
  private readonly facts: CheckFacts;

  constructor(found: Findings, facts: CheckFacts) {
    this.found = found;
    this.facts = facts;
  }

  page(definition: unknown): void {
    if (!isObject(definition) || definition['type'] !== 'page') {
      this.found.refuse('V02', '', '页面定义须为type是page的对象');
      return;
    }
    this.component('', definition, { rows: null, sends: null, filters: null, collects: null }, 'plain');
  }

  private component(pointer: string, node: unknown, scope: Scope, place: Place, fallback?: string): void {
    if (!isObject(node)) return this.found.refuse('V02', pointer, '此处须为组件');
    const type = node['type'] ?? fallback;
    const keys = typeof type === 'string' ? keysOfComponent(type, place === 'column' ? 'column' : 'plain') : null;
    if (typeof type !== 'string' || !keys) {
      const like = typeof type === 'string' ? nearest(type, Object.keys(components)) : null;
      const what = type === undefined ? '缺少组件类型type' : `组件${wordOf(type).slice(0, 40)}不可使用`;
      return this.found.refuse('V02', type === undefined ? pointer : step(pointer, 'type'), what, like ? `是否为${like}` : '');
    }
    if (type === 'tpl' && typeof node['tpl'] !== 'string')
      return this.found.refuse('V07', pointer, 'tpl组件须填写tpl', '只显示一个值时使用plain');
    const inner = this.scopeOf(type, node, scope, place);
    // Shown values may stand in forms too, with what fields have.
    const all = place === 'field' ? { ...fieldKeys, ...keys } : keys;
    this.keys(pointer, node, all, inner);
    this.named(pointer, type, node, scope, place);
    this.closed(pointer, type, node, inner);
  }

  /** The keys of an object, each by its kind. */
  private keys(pointer: string, node: Json, keys: Keys, scope: Scope): void {
    for (const [key, value] of Object.entries(node)) {
      const at = step(pointer, key);
      if (forbiddenKeys.has(key)) this.found.refuse('V03', at, `属性${key}不可使用`);
      else if (!Object.hasOwn(keys, key)) {
        const like = nearest(key, Object.keys(keys));
        this.found.refuse('V03', at, `没有属性${key}`, like ? `是否为${like}` : '');
      } else this.value(at, value, keys[key]!, scope);
    }
  }

  /** What the component's data are, for what stands in it. */
  private scopeOf(type: string, node: Json, scope: Scope, place: Place): Scope {
    const peek = (key: string) => this.peek(node[key]);
    switch (type) {
      case 'crud': {
        const dataset = peek('api')?.dataset ?? null;
        return { rows: dataset, sends: null, filters: null, collects: null };
      }
      case 'service':
      case 'page':
        return { rows: node['api'] || node['initApi'] ? null : scope.rows, sends: scope.sends, filters: null, collects: scope.collects };
      case 'table':
      case 'cards':
      case 'list':
      case 'each':
        return { ...scope, rows: null };
      case 'form':
      case 'wizard':
        return place === 'column'
          ? { ...scope, sends: null, collects: null }
          : { rows: null, sends: peek('api'), filters: scope.filters, collects: new Set() };
      case 'combo':
      case 'input-table':
        return { rows: null, sends: null, filters: null, collects: null };
      default:
        return scope;
    }
  }

  /** What an address leads to, without a word about its faults: those are told where its key is read. */
  private peek(value: unknown): Address | null {
    const url = isObject(value) ? value['url'] : value;
    if (typeof url !== 'string') return null;
    const [, code = '', operation = ''] = /^\/ds\/([\w.]+)\/([\w.]+)$/.exec(url) ?? [];
    const dataset = this.facts.datasets.get(code);
    if (!dataset) return null;
    const action = dataset.actions.find((one) => `action.${one.code}` === operation) ?? null;
    return { dataset, operation, action, data: isObject(value) && isObject(value['data']) ? value['data'] : {} };
  }

  /** The name that a component has in the data around it. */
  private named(pointer: string, type: string, node: Json, scope: Scope, place: Place): void {
    const name = node['name'];
    if (typeof name !== 'string' || !NAME.test(name)) return;
    if (place === 'column' && scope.rows && type !== 'operation')
      checkColumnName(this.found, scope.rows, pointer, { name, sortable: node['sortable'] === true });
    if (!components[type]?.field) return;
    scope.collects?.add(name);
    if (scope.sends) checkInputName(this.found, scope.sends, pointer, name);
    else if (scope.filters) checkFilterName(this.found, scope.filters, pointer, name);
  }

  /** What is known only once all of the component was seen. */
  private closed(pointer: string, type: string, node: Json, inner: Scope): void {
    if (type === 'form' && inner.sends) checkGiven(this.found, inner.sends, step(pointer, 'api'), inner.collects ?? new Set());
    if (node['actionType'] === 'ajax') {
      const address = this.peek(node['api']);
      if (address) {
        checkGiven(this.found, address, step(pointer, 'api'), new Set());
        warnOfButton(this.found, pointer, node, address);
      }
    }
    if (type === 'crud') warnOfCrud(this.found, pointer, node, inner.rows);
    if (node['interval'] !== undefined) warnOfInterval(this.found, pointer, node['interval']);
    if (type === 'crud' && inner.rows && typeof node['orderBy'] === 'string' && !inner.rows.sorts.includes(node['orderBy']))
      this.found.refuse('V10', step(pointer, 'orderBy'), `数据集${inner.rows.label}不支持按${node['orderBy']}排序`);
    if (type.startsWith('kq-')) this.host(pointer, type, node, inner);
  }

  /** A window over the record of a row, named by a column of the rows, or one that is of no record; its domain declares which. */
  private window(pointer: string, node: Json, { rows }: Scope): void {
    const [name, record] = [wordOf(node['window']), wordOf(node['record'])];
    const declared = this.facts.windows.get(name);
    if (!declared) {
      const like = nearest(name, this.facts.windows.keys());
      const at = node['window'] === undefined ? pointer : step(pointer, 'window');
      return this.found.refuse('V10', at, name === '' ? '请填写窗口window' : `没有窗口${name}`, like ? `是否为${like}` : '');
    }
    if (declared.alone) {
      if (node['record'] !== undefined) this.found.refuse('V10', step(pointer, 'record'), `窗口${declared.label}不针对记录，请去掉record`);
      return;
    }
    if (record === '') return this.found.refuse('V10', pointer, '请填写记录编号所在的列record');
    if (rows && record !== rows.keyField && !rows.columns.some(({ key }) => key === record))
      this.found.refuse('V10', step(pointer, 'record'), `数据集${rows.label}没有列${record}`);
  }

  private host(pointer: string, type: string, node: Json, scope: Scope): void {
    if (type === 'kq-window') return this.window(pointer, node, scope);
    const code = node['dataset'];
    const dataset = typeof code === 'string' ? this.facts.datasets.get(code) : undefined;
    if (type === 'kq-file' && typeof node['purpose'] !== 'string') return this.found.refuse('V10', pointer, '请填写文件用途purpose');
    if (type === 'kq-condition') {
      const read = variablesOf(node['variables']);
      const place = read.fault === null ? [] : read.path;
      if (read.fault !== null)
        return this.found.refuse(
          'V10',
          ['variables', ...place].reduce<string>((at, key) => step(at, String(key)), pointer),
          read.fault,
        );
    }
    if (DATALESS.has(type)) return;
    if (typeof code !== 'string') return this.found.refuse('V10', pointer, '请填写数据集dataset');
    if (!dataset) return;
    if (type === 'kq-export') {
      if (!dataset.export) return this.found.refuse('V10', step(pointer, 'dataset'), `数据集${dataset.label}不能导出`);
      this.found.uses(code, 'export');
    }
    if (type === 'kq-import') {
      if (!dataset.import) return this.found.refuse('V10', step(pointer, 'dataset'), `数据集${dataset.label}不能导入`);
      this.found.uses(code, 'import');
    }
    if (type === 'kq-timeline') {
      if (!dataset.detail?.trail) return this.found.refuse('V10', step(pointer, 'dataset'), `数据集${dataset.label}没有审核轨迹`);
      this.found.uses(code, 'detail');
    }
    if (type === 'kq-picker') {
      const name = wordOf(node['options']);
      if (!Object.hasOwn(dataset.options, name))
        return this.found.refuse('V10', step(pointer, 'options'), `数据集${dataset.label}没有选项${name}`);
      this.found.uses(code, `options.${name}`);
    }
    if (type === 'kq-chart') {
      const name = wordOf(node['stat']);
      if (!Object.hasOwn(dataset.stats, name))
        return this.found.refuse('V10', step(pointer, 'stat'), `数据集${dataset.label}没有统计${name}`);
      this.found.uses(code, `stat.${name}`);
    }
    if (type === 'kq-reveal') {
      const key = wordOf(node['column']);
      if (!dataset.columns.some((column) => column.key === key && column.reveal))
        return this.found.refuse('V10', step(pointer, 'column'), `数据集${dataset.label}的列${key}不能查看明文`);
      this.found.uses(code, `reveal.${key}`);
    }
  }

  private readonly walkers = {
    data: (pointer: string, value: unknown) => this.data(pointer, value),
    condition: (pointer: string, value: unknown) => this.condition(pointer, value),
  };

  private value(pointer: string, value: unknown, kind: Kind, scope: Scope): void {
    const { found } = this;
    if (typeof kind === 'object') return this.objects(pointer, value, kind, scope);
    switch (kind) {
      case 'text':
        return checkText(found, pointer, value);
      case 'markup':
        return checkText(found, pointer, value, true);
      case 'name':
        return this.word(pointer, value, NAME, '名称只能包含字母、数字、下划线和点');
      case 'names':
        return this.names(pointer, value);
      case 'condition':
        return this.condition(pointer, value);
      case 'flag':
        if (typeof value !== 'boolean') found.refuse('V03', pointer, '此处须为true或false');
        return;
      case 'number':
        if (typeof value !== 'number') found.refuse('V03', pointer, '此处须为数字');
        return;
      case 'word':
        return typeof value === 'number' || typeof value === 'boolean' ? undefined : this.word(pointer, value, WORD, '此处须为固定的词');
      case 'sign':
        return this.word(pointer, value, SIGN, '此处须为图标或级别的名称');
      case 'words':
        return Array.isArray(value)
          ? value.forEach((one, at) => this.value(step(pointer, at), one, 'word', scope))
          : this.value(pointer, value, 'word', scope);
      case 'scalar':
        return value === null ? undefined : checkText(found, pointer, value);
      case 'class':
        return checkClass(found, pointer, value);
      case 'style':
        return checkStyle(found, pointer, value);
      case 'body':
        return this.body(pointer, value, scope);
      case 'component':
        return this.component(pointer, value, { ...scope, filters: scope.rows }, 'plain', 'form');
      case 'buttons':
        return this.list(pointer, value, (at, one) => this.component(at, one, scope, 'plain', 'button'));
      case 'columns':
        return this.list(pointer, value, (at, one) => this.component(at, one, scope, 'column', 'plain'));
      case 'fields':
        return this.fields(pointer, value, scope);
      case 'toolbar':
        return this.toolbar(pointer, value, scope);
      case 'read':
      case 'write':
        return void checkAddress(found, this.facts, pointer, value, kind, this.walkers);
      case 'source':
        return this.source(pointer, value);
      case 'options':
        return this.options(pointer, value);
      case 'map':
        return this.map(pointer, value);
      case 'data':
        return this.data(pointer, value);
      case 'events':
        return this.events(pointer, value, scope);
      case 'dialog':
        return this.dialog(pointer, value);
      case 'link':
        return checkLink(found, this.facts, pointer, value);
      case 'actionType':
        return this.listed(pointer, value, actionTypes);
      case 'dataset':
        if (typeof value !== 'string' || !this.facts.datasets.has(value))
          found.refuse('V04', pointer, `没有数据集${String(value).slice(0, 60)}`);
        return;
      case 'stat':
      case 'column':
        return this.word(pointer, value, NAME, '名称不正确');
    }
  }

  private objects(pointer: string, value: unknown, kind: Exclude<Kind, string>, scope: Scope): void {
    if ('object' in kind) {
      if (isObject(value)) this.keys(pointer, value, { className: 'class', ...kind.object }, scope);
      else this.found.refuse('V03', pointer, '此处须为对象');
      return;
    }
    this.list(pointer, value, (at, one) => {
      if (isObject(one)) this.keys(at, one, kind.items, scope);
      else this.found.refuse('V03', at, '此处须为对象');
    });
  }

  private list(pointer: string, value: unknown, each: (pointer: string, one: unknown) => void): void {
    if (!Array.isArray(value)) return this.found.refuse('V03', pointer, '此处须为列表');
    value.forEach((one: unknown, at) => each(step(pointer, at), one));
  }

  private body(pointer: string, value: unknown, scope: Scope): void {
    if (typeof value === 'string') return checkText(this.found, pointer, value);
    if (!Array.isArray(value)) return this.component(pointer, value, scope, 'plain');
    value.forEach((one: unknown, at) => this.body(step(pointer, at), one, scope));
  }

  private fields(pointer: string, value: unknown, scope: Scope): void {
    if (!Array.isArray(value)) return this.component(pointer, value, scope, 'field');
    value.forEach((one: unknown, at) => this.fields(step(pointer, at), one, scope));
  }

  private toolbar(pointer: string, value: unknown, scope: Scope): void {
    if (typeof value === 'string') {
      if (!TOOLBAR.has(value)) this.found.refuse('V03', pointer, `工具栏没有${value.slice(0, 40)}`);
      return;
    }
    if (Array.isArray(value)) return value.forEach((one: unknown, at) => this.toolbar(step(pointer, at), one, scope));
    if (isObject(value) && typeof value['type'] === 'string' && TOOLBAR.has(value['type']) && value['type'] !== 'tpl')
      return this.keys(
        pointer,
        value,
        { type: 'word', align: 'word', className: 'class', layout: 'words', perPageAvailable: 'words', draggable: 'flag' },
        scope,
      );
    this.component(pointer, value, scope, 'plain');
  }

  private condition(pointer: string, value: unknown): void {
    if (typeof value === 'boolean') return;
    if (typeof value !== 'string') return this.found.refuse('V05', pointer, '条件须为true、false或一个${…}');
    if (!checkString(this.found, pointer, value)) return;
    const fault = faultOfCondition(value);
    if (fault) this.found.refuse(fault.code, pointer, fault.message, fault.advice);
  }

  private word(pointer: string, value: unknown, form: RegExp, message: string): void {
    if (typeof value !== 'string') return this.found.refuse('V03', pointer, message);
    if (checkString(this.found, pointer, value) && !form.test(value)) this.found.refuse('V03', pointer, message);
  }

  private names(pointer: string, value: unknown): void {
    if (Array.isArray(value)) return value.forEach((one: unknown, at) => this.word(step(pointer, at), one, NAME, '名称不正确'));
    this.word(pointer, value, /^[A-Za-z_$][\w.$, ]*$/, '名称不正确');
  }

  private listed(pointer: string, value: unknown, among: readonly string[]): void {
    if (typeof value === 'string' && among.includes(value)) return;
    const like = typeof value === 'string' ? nearest(value, among) : null;
    this.found.refuse('V08', pointer, `动作${String(value).slice(0, 40)}不可使用`, like ? `是否为${like}` : '');
  }

  private source(pointer: string, value: unknown): void {
    if (typeof value === 'string' && !isAddressText(value)) return;
    if (typeof value === 'string' && value.startsWith('$')) return this.condition(pointer, value);
    checkAddress(this.found, this.facts, pointer, value, 'read', this.walkers);
  }

  private options(pointer: string, value: unknown): void {
    if (typeof value === 'string') return checkText(this.found, pointer, value);
    this.list(pointer, value, (at, one) => {
      if (!isObject(one)) return checkText(this.found, at, one);
      for (const [key, inner] of Object.entries(one)) {
        const here = step(at, key);
        if (key === 'children') this.options(here, inner);
        else if (key === 'label' || key === 'value' || key === 'tag') checkText(this.found, here, inner);
        else if (key === 'disabled' || key === 'disabledOn' || key === 'visibleOn') this.condition(here, inner);
        else this.found.refuse('V03', here, `选项没有属性${key}`);
      }
    });
  }

  private map(pointer: string, value: unknown): void {
    if (typeof value === 'string') return checkText(this.found, pointer, value);
    if (Array.isArray(value)) return value.forEach((one: unknown, at) => checkText(this.found, step(pointer, at), one));
    if (!isObject(value)) return this.found.refuse('V03', pointer, '此处须为对象');
    for (const [key, one] of Object.entries(value)) checkText(this.found, step(pointer, key), one);
  }

  private data(pointer: string, value: unknown, depth = 0): void {
    if (value === null) return;
    if (!Array.isArray(value) && !isObject(value)) return checkText(this.found, pointer, value);
    if (depth > 6) return this.found.refuse('V03', pointer, '数据嵌套过深');
    for (const [key, one] of Object.entries(value)) {
      const at = step(pointer, key);
      if (forbiddenKeys.has(key)) this.found.refuse('V03', at, `属性${key}不可使用`);
      else if (key === '&' ? one !== '$$' : !/^[\w$.-]{1,60}$/.test(key)) this.found.refuse('V03', at, `名称${key.slice(0, 40)}不正确`);
      else if (key !== '&') this.data(at, one, depth + 1);
    }
  }

  private dialog(pointer: string, value: unknown): void {
    // Data of what opened it is there, but it is no row of a table any more.
    const outside: Scope = { rows: null, sends: null, filters: null, collects: null };
    this.component(pointer, value, outside, 'plain', pointer.endsWith('/drawer') ? 'drawer' : 'dialog');
  }

  private events(pointer: string, value: unknown, scope: Scope): void {
    if (!isObject(value)) return this.found.refuse('V03', pointer, '此处须为对象');
    for (const [event, one] of Object.entries(value)) {
      const at = step(pointer, event);
      if (!/^[a-zA-Z]{2,40}$/.test(event) || !isObject(one)) this.found.refuse('V08', at, '事件不正确');
      else {
        const { actions, ...rest } = one;
        this.keys(at, rest, { weight: 'number' }, scope);
        this.list(step(at, 'actions'), actions ?? [], (inner, action) => this.eventAction(inner, action, scope));
      }
    }
  }

  private eventAction(pointer: string, action: unknown, scope: Scope): void {
    if (!isObject(action)) return this.found.refuse('V08', pointer, '动作须为对象');
    this.listed(step(pointer, 'actionType'), action['actionType'], eventActions);
    const { actionType: _type, ...rest } = action;
    this.keys(
      pointer,
      rest,
      {
        componentId: 'name',
        componentName: 'name',
        args: 'data',
        data: 'data',
        api: 'write',
        dialog: 'dialog',
        drawer: 'dialog',
        expression: 'condition',
        preventDefault: 'condition',
        stopPropagation: 'condition',
        outputVar: 'name',
        dataMergeMode: 'word',
      },
      scope,
    );
    const address = action['actionType'] === 'ajax' ? this.peek(action['api']) : null;
    if (address) checkGiven(this.found, address, step(pointer, 'api'), new Set());
  }
}
