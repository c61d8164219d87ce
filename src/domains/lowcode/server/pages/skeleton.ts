import { emptyOf, limitsOf } from '#kernel/contract/fieldRules.ts';
import { fieldFacts, shapeOf } from '#kernel/contract/field.ts';
import type { Dataset, DatasetAction, DatasetColumn, DatasetFilter } from '#kernel/server/datasets/dataset.ts';

type Node = Readonly<Record<string, unknown>>;

export const emptyPage = (title: string): Node => ({ type: 'page', title, body: [] });

const optionsOf = (dictionary: DatasetColumn['dictionary']) => (dictionary?.options ?? []).map(({ value, label }) => ({ value, label }));

const SHOWN_AS_TEXT = new Set(['moneyFen', 'bp', 'dict', 'date', 'datetime', 'tags', 'bool', 'progressBp']);

function columnNode(dataset: Dataset, column: DatasetColumn): Node {
  if (column.reveal)
    return {
      name: column.key,
      label: column.label,
      type: 'kq-reveal',
      dataset: dataset.code,
      column: column.key,
      width: column.width ?? 150,
    };
  return {
    name: SHOWN_AS_TEXT.has(column.type) ? `${column.key}Text` : column.key,
    label: column.label,
    ...(column.width !== undefined && { width: column.width }),
    ...(column.sortable && { sortable: true }),
    ...(column.type === 'moneyFen' && { align: 'right' }),
  };
}

function filterNode(filter: DatasetFilter): Node {
  const base = { name: filter.key, label: filter.label, ...(filter.required && { required: true }) };
  switch (filter.type) {
    case 'dict':
      return { ...base, type: 'select', clearable: true, options: optionsOf(filter.dictionary) };
    case 'dicts':
      return {
        ...base,
        type: 'select',
        multiple: true,
        clearable: true,
        joinValues: false,
        extractValue: true,
        options: optionsOf(filter.dictionary),
      };
    case 'bool':
      return {
        ...base,
        type: 'select',
        clearable: true,
        options: [
          { value: 'true', label: '是' },
          { value: 'false', label: '否' },
        ],
      };
    case 'dateRange':
    case 'datetimeRange':
      return { ...base, type: 'input-date-range', valueFormat: 'YYYY-MM-DD', clearable: true };
    case 'date':
      return { ...base, type: 'input-date', valueFormat: 'YYYY-MM-DD', clearable: true };
    case 'number':
      return { ...base, type: 'input-number' };
    case 'text':
      return { ...base, type: 'input-text', clearable: true };
  }
}

/** The field of an action's form, by its schema. */
function inputNode(name: string, schema: Parameters<typeof fieldFacts>[0]): Node {
  const facts = fieldFacts(schema);
  const { maxLength } = limitsOf(schema);
  const base = { name, label: facts?.label ?? name, ...(emptyOf(schema).required && { required: true }) };
  if (facts?.dictionary && facts.kind === 'dicts')
    return { ...base, type: 'checkboxes', joinValues: false, extractValue: true, options: optionsOf(facts.dictionary) };
  if (facts?.dictionary) return { ...base, type: 'select', options: optionsOf(facts.dictionary) };
  switch (facts?.kind) {
    case 'money':
      return { ...base, type: 'kq-money' };
    case 'number':
    case 'rate':
      return { ...base, type: 'input-number' };
    case 'flag':
      return { ...base, type: 'switch' };
    case 'day':
      return { ...base, type: 'input-date', valueFormat: 'YYYY-MM-DD' };
    default:
      return {
        ...base,
        type: maxLength !== undefined && maxLength > 200 ? 'textarea' : 'input-text',
        ...(maxLength !== undefined && { maxLength }),
      };
  }
}

/** What an action is told of the record besides its form. */
const addressed = (dataset: Dataset, action: DatasetAction): Node => {
  if (action.kind === 'BATCH') return { keys: '${ids}' };
  if (action.kind === 'TOOLBAR' || action.kind === 'CREATE') return {};
  return {
    key: `\${${dataset.keyField}}`,
    ...(dataset.versionField !== null && { version: `\${${dataset.versionField}}` }),
  };
};

/** A button that does an action: at once, or by a dialog with its form. */
export function actionNode(dataset: Dataset, action: DatasetAction): Node {
  const inputs = Object.entries(shapeOf(action.form));
  const url = `/ds/${dataset.code}/action.${action.code}`;
  const isRow = action.kind === 'ROW' || action.kind === 'UPDATE';
  const visible = isRow ? { visibleOn: `\${ARRAYINCLUDES(allowedActions, '${action.code}')}` } : {};
  const look = {
    label: action.label,
    ...(isRow ? { level: action.danger ? 'link text-danger' : 'link' } : { level: action.danger ? 'danger' : 'primary' }),
  };
  const data = addressed(dataset, action);
  if (inputs.length === 0 && !action.opinion)
    return {
      type: 'button',
      ...look,
      ...visible,
      actionType: 'ajax',
      ...(action.confirm !== '' && { confirmText: action.confirm }),
      api: { url, data },
    };
  const opinion = action.opinion ? [{ type: 'textarea', name: 'opinion', label: '意见', required: true, maxLength: 500 }] : [];
  const values = Object.fromEntries(
    [...inputs.map(([name]) => name), ...(action.opinion ? ['opinion'] : [])].map((name) => [name, `\${${name}}`]),
  );
  return {
    type: 'button',
    ...look,
    ...visible,
    actionType: 'dialog',
    dialog: {
      title: action.label,
      body: {
        type: 'form',
        mode: 'horizontal',
        api: { url, data: { ...data, ...values } },
        body: [...inputs.map(([name, schema]) => inputNode(name, schema)), ...opinion],
      },
    },
  };
}

/** A complete list page over a dataset: filters, columns, export, and with `forms` what may be done with its rows. */
export function skeletonOf(dataset: Dataset, { title, forms }: { title: string; forms: boolean }): Node {
  return { type: 'page', title, body: [crudOf(dataset, forms)] };
}

export function crudOf(dataset: Dataset, forms: boolean): Node {
  const of = (...kinds: readonly DatasetAction['kind'][]) => (forms ? dataset.actions.filter(({ kind }) => kinds.includes(kind)) : []);
  const rowActions = of('ROW', 'UPDATE').map((action) => actionNode(dataset, action));
  const batch = of('BATCH').map((action) => actionNode(dataset, action));
  const toolbar = of('TOOLBAR', 'CREATE').map((action) => actionNode(dataset, action));
  return {
    type: 'crud',
    name: 'list',
    api: `/ds/${dataset.code}/list`,
    perPage: 20,
    primaryField: dataset.keyField,
    placeholder: '没有符合条件的记录',
    ...(dataset.filters.length > 0 && {
      filter: { title: '', mode: 'horizontal', body: groupsOf(dataset.filters.map(filterNode)), actions: filterButtons },
    }),
    headerToolbar: [
      ...toolbar,
      ...(batch.length > 0 ? ['bulkActions'] : []),
      ...(forms && dataset.import ? [{ type: 'kq-import', dataset: dataset.code, label: '导入', reload: 'list' }] : []),
      ...(dataset.export ? [{ type: 'kq-export', dataset: dataset.code, label: '导出' }] : []),
    ],
    footerToolbar: ['statistics', 'switch-per-page', 'pagination'],
    ...(batch.length > 0 && { bulkActions: batch }),
    columns: [
      ...dataset.columns.map((column) => columnNode(dataset, column)),
      ...(rowActions.length > 0 ? [{ type: 'operation', label: '操作', fixed: 'right', buttons: rowActions }] : []),
    ],
  };
}

/** Four search fields to a line. */
function groupsOf(nodes: readonly Node[]): readonly Node[] {
  return Array.from({ length: Math.ceil(nodes.length / 4) }, (_, at) => ({ type: 'group', body: nodes.slice(at * 4, at * 4 + 4) }));
}

const filterButtons = [
  { type: 'submit', label: '查询', level: 'primary' },
  { type: 'reset', label: '重置' },
];
