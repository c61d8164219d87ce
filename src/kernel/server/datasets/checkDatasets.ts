import type { Call } from '../../contract/call.ts';
import { shapeOf } from '../../contract/field.ts';
import { emptyOf } from '../../contract/fieldRules.ts';
import { labelOf } from '../../contract/labels.ts';
import type { Dataset, DatasetAction } from './dataset.ts';

const CODE = /^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)?$/;

const callsOf = (set: Dataset): readonly Call[] => [
  set.list,
  ...(set.detail ? [set.detail.call] : []),
  ...(set.export ? [set.export] : []),
  ...(set.import ? [set.import.call] : []),
  ...Object.values(set.options).map(({ call }) => call),
  ...Object.values(set.stats).map(({ call }) => call),
  ...set.columns.flatMap(({ reveal }) => (reveal ? [reveal.call] : [])),
  ...set.actions.flatMap(({ call, read }) => (read ? [call, read.call] : [call])),
];

function faultOfAction(set: Dataset, action: DatasetAction): string | null {
  if (action.call.kind !== 'command') return `action ${action.code} is bound to ${action.call.name}, which changes nothing`;
  if (action.read && action.read.call.kind !== 'query') return `action ${action.code} reads by ${action.read.call.name}, which is no query`;
  if (action.when && !set.columns.some(({ key }) => key === action.when?.column) && !(action.when.column in shapeOf(set.list.output)))
    return `action ${action.code} depends on ${action.when.column}, which the list does not answer`;
  const nameless = Object.entries(shapeOf(action.form)).find(([, schema]) => labelOf(schema) === undefined);
  if (nameless) return `field ${nameless[0]} of action ${action.code} has no label`;
  return null;
}

/** Keys that the bound call demands and that an action bound without a reading function could not give are found by its types. */
export function datasetFault(set: Dataset, callNames: ReadonlySet<string>): string | null {
  if (!CODE.test(set.code)) return 'its code must be one or two words of letters and digits';
  const unknown = callsOf(set).find(({ name }) => !callNames.has(name));
  if (unknown) return `it is bound to ${unknown.name}, which nobody implements`;
  const codes = set.actions.map(({ code }) => code);
  const double = codes.find((code, at) => codes.indexOf(code) !== at);
  if (double) return `action ${double} is declared twice`;
  const missing = [set.keyField, set.versionField].find((key) => key !== null && !(key in shapeOf(set.list.output)));
  if (missing) return `the list answers no ${missing}`;
  const writing = [set.list, ...Object.values(set.options).map(({ call }) => call), ...Object.values(set.stats).map(({ call }) => call)];
  const notRead = writing.find(({ kind }) => kind !== 'query');
  if (notRead) return `${notRead.name} does not read`;
  const filtered = new Set(set.filters.flatMap(({ key, ends }) => (ends ? [ends.from, ends.to] : [key])));
  const demanded = Object.entries(shapeOf(set.list.input)).find(
    ([key, schema]) => emptyOf(schema).required && !filtered.has(key) && !(key in set.fixed),
  );
  if (demanded) return `${set.list.name} demands ${demanded[0]}, which no filter gives`;
  for (const action of set.actions) {
    const fault = faultOfAction(set, action);
    if (fault) return fault;
  }
  return null;
}

/** @throws at start, naming the dataset */
export function checkDatasets(datasets: readonly Dataset[], callNames: ReadonlySet<string>): void {
  for (const set of datasets) {
    const fault = datasetFault(set, callNames);
    if (fault) throw new Error(`dataset ${set.code}: ${fault}`);
  }
}
