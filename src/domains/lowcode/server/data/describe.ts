import { emptyOf, limitsOf } from '#kernel/contract/fieldRules.ts';
import { fieldFacts, shapeOf } from '#kernel/contract/field.ts';
import type { AnyDictionary } from '#kernel/contract/dictionary.ts';
import type { Dataset, DatasetAction } from '#kernel/server/datasets/dataset.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import type { DatasetDetail } from '../../contract/calls/datasets.ts';

type Facts = Pick<DatasetDetail, 'code' | 'label' | 'keyField' | 'versionField' | 'columns' | 'filters' | 'actions' | 'stats'> & {
  exportCall: string | null;
  importerCode: string | null;
};

const options = (dictionary: AnyDictionary | undefined) => (dictionary?.options ?? []).map(({ value, label }) => ({ value, label }));

export const describeAction = (action: DatasetAction): DatasetDetail['actions'][number] => ({
  code: action.code,
  label: action.label,
  kind: action.kind,
  call: action.call.name,
  permission: permissionCodesOf(action.call).join('、') || 'session',
  confirm: action.confirm,
  danger: action.danger,
  opinion: action.opinion,
  inputs: Object.entries(shapeOf(action.form)).map(([key, schema]) => {
    const facts = fieldFacts(schema);
    return {
      key,
      label: facts?.label ?? key,
      type: facts?.kind ?? 'text',
      required: emptyOf(schema).required,
      max: limitsOf(schema).maxLength ?? limitsOf(schema).most ?? null,
      options: options(facts?.dictionary),
    };
  }),
});

/** A dataset as pages and their editor know it; what the user may not do is left out. */
export function describe(dataset: Dataset, may: (permission: string) => boolean): Facts {
  const allowed = (codes: readonly string[]) => codes.every(may);
  return {
    code: dataset.code,
    label: dataset.label,
    keyField: dataset.keyField,
    versionField: dataset.versionField,
    columns: dataset.columns.map(({ key, label, type, sortable, mask, reveal, dictionary }) => ({
      key,
      label,
      type,
      sortable,
      sensitive: mask !== undefined || reveal !== undefined,
      reveals: reveal !== undefined && allowed(permissionCodesOf(reveal.call)),
      options: options(dictionary),
    })),
    filters: dataset.filters.map(({ key, label, type, required, dictionary }) => ({
      key,
      label,
      type,
      required: required ?? false,
      options: options(dictionary),
    })),
    actions: dataset.actions.filter(({ call }) => allowed(permissionCodesOf(call))).map(describeAction),
    stats: Object.entries(dataset.stats).map(([name, { label, dimensions, measures }]) => ({
      name,
      label,
      dimensions: dimensions.map(({ key, label: own }) => ({ key, label: own })),
      measures: measures.map(({ key, label: own }) => ({ key, label: own })),
    })),
    exportCall: dataset.export && allowed(permissionCodesOf(dataset.export)) ? dataset.export.name : null,
    importerCode: dataset.import && allowed(permissionCodesOf(dataset.import.call)) ? dataset.import.importerCode : null,
  };
}

/** The call behind an operation of a dataset; null where there is none. */
export function callOf(dataset: Dataset, operation: string) {
  const [kind = '', name = ''] = operation.split('.');
  switch (kind) {
    case 'list':
      return dataset.list;
    case 'detail':
      return dataset.detail?.call ?? null;
    case 'export':
      return dataset.export;
    case 'import':
      return dataset.import?.call ?? null;
    case 'options':
      return dataset.options[name]?.call ?? null;
    case 'stat':
      return dataset.stats[name]?.call ?? null;
    case 'action':
      return dataset.actions.find(({ code }) => code === name)?.call ?? null;
    case 'reveal':
      return dataset.columns.find(({ key }) => key === name)?.reveal?.call ?? null;
    default:
      return null;
  }
}

/** Whether somebody with these rights may do it. */
export const mayDo = (dataset: Dataset | undefined, operation: string, may: (permission: string) => boolean): boolean => {
  const call = dataset && callOf(dataset, operation);
  return call ? permissionCodesOf(call).every(may) : false;
};
