import type * as z from 'zod/mini';
import type { AnswerOf, Call, InputOf, OutputOf } from '../../contract/call.ts';
import { factsOf, fieldFacts, shapeOf, type FieldFacts, type FieldKind } from '../../contract/field.ts';
import { labelOf } from '../../contract/labels.ts';
import { sortKeysOf } from '../../contract/sorting.ts';
import type {
  ColumnType,
  Dataset,
  DatasetAction,
  DatasetColumn,
  DatasetDetail,
  DatasetFilter,
  DatasetImport,
  DatasetOptions,
  DatasetStat,
  DetailSpec,
  FilterType,
  Reveal,
} from './dataset.ts';

type ListCall = Call & { shape: 'list' | 'cursor' };
type Own<T> = Extract<keyof T, string>;

interface ColumnSpec<Key extends string> {
  key: Key;
  label?: string;
  type?: ColumnType;
  width?: number;
  reveal?: Reveal;
}

interface RangeSpec<Key extends string> {
  key: string;
  label: string;
  from: Key;
  to: Key;
}

interface DatasetSpec<L extends ListCall, D extends Call> {
  code: string;
  label: string;
  targetType: string;
  list: L;
  key: Own<OutputOf<L>>;
  version?: Own<OutputOf<L>>;
  routeKeys: readonly string[];
  columns: readonly (Own<OutputOf<L>> | ColumnSpec<Own<OutputOf<L>>>)[];
  filters: readonly (Own<InputOf<L>> | RangeSpec<Own<InputOf<L>>> | { key: Own<InputOf<L>>; required: true })[];
  fixed?: Partial<InputOf<L>>;
  sorts?: readonly string[];
  defaultSort?: string;
  detail?: DetailSpec<D>;
  export?: Call;
  import?: DatasetImport;
  options?: Readonly<Record<string, DatasetOptions>>;
  stats?: Readonly<Record<string, DatasetStat>>;
  actions?: readonly DatasetAction[];
}

const COLUMN_TYPES: Readonly<Record<FieldKind, ColumnType>> = {
  text: 'text',
  number: 'int',
  money: 'moneyFen',
  rate: 'bp',
  day: 'date',
  month: 'text',
  time: 'datetime',
  flag: 'bool',
  image: 'file',
  dict: 'dict',
  dicts: 'tags',
};

const FILTER_TYPES: Readonly<Record<FieldKind, FilterType>> = {
  text: 'text',
  number: 'number',
  money: 'number',
  rate: 'number',
  day: 'date',
  month: 'text',
  time: 'date',
  flag: 'bool',
  image: 'text',
  dict: 'dict',
  dicts: 'dicts',
};

const isInstant = (facts: FieldFacts | undefined) => facts?.kind === 'time';

function columnOf(row: z.ZodMiniType, sorts: readonly string[], spec: ColumnSpec<string>): DatasetColumn {
  const schema = shapeOf(row)[spec.key];
  if (!schema) throw new Error(`the list answers no ${spec.key}`);
  const facts = fieldFacts(schema);
  const label = spec.label ?? facts?.label;
  if (label === undefined) throw new Error(`column ${spec.key} has no label`);
  const width = spec.width ?? facts?.width;
  return {
    key: spec.key,
    label,
    type: spec.type ?? COLUMN_TYPES[facts?.kind ?? 'text'],
    sortable: sorts.includes(spec.key),
    ...(facts?.dictionary && { dictionary: facts.dictionary }),
    ...(width !== undefined && { width }),
    ...(facts?.mask && { mask: facts.mask }),
    ...(spec.reveal && { reveal: spec.reveal }),
  };
}

function filterOf(input: z.ZodMiniType, spec: string | RangeSpec<string> | { key: string; required: true }): DatasetFilter {
  if (typeof spec === 'object' && 'from' in spec) {
    const facts = shapeOf(input)[spec.from] && factsOf(input, spec.from);
    factsOf(input, spec.to);
    return {
      key: spec.key,
      label: spec.label,
      type: isInstant(facts) ? 'datetimeRange' : 'dateRange',
      ends: { from: spec.from, to: spec.to },
    };
  }
  const key = typeof spec === 'string' ? spec : spec.key;
  const schema = shapeOf(input)[key];
  const label = schema && labelOf(schema);
  if (!schema || label === undefined) throw new Error(`the list takes no filter ${key}`);
  const facts = fieldFacts(schema);
  return {
    key,
    label,
    type: facts ? FILTER_TYPES[facts.kind] : 'text',
    ...(facts?.dictionary && { dictionary: facts.dictionary }),
    ...(typeof spec === 'object' && { required: true }),
  };
}

/** Of details of many calls: what a call answered goes to the reading of that call alone. */
function detailOf<D extends Call>({ call, input, record, trail }: DetailSpec<D>): DatasetDetail {
  return {
    call,
    input,
    record: (data) => (record ? record(data as AnswerOf<D>) : data),
    trail: trail ? (data) => trail(data as AnswerOf<D>) : null,
  };
}

/**
 * Declares a dataset over a list call. Labels, kinds, dictionaries, widths and masks are those of the call's fields.
 * @throws naming the dataset, where it names a column or filter that the call has not
 */
export function dataset<L extends ListCall, D extends Call = Call>(spec: DatasetSpec<L, D>): Dataset {
  try {
    const known = [...sortKeysOf(spec.list.input)];
    const sorts = spec.sorts ?? known;
    const unknown = sorts.find((key) => !known.includes(key));
    if (unknown !== undefined) throw new Error(`the list does not sort by ${unknown}`);
    return {
      code: spec.code,
      label: spec.label,
      targetType: spec.targetType,
      keyField: spec.key,
      versionField: spec.version ?? null,
      routeKeys: spec.routeKeys,
      list: spec.list,
      fixed: (spec.fixed ?? {}) as Readonly<Record<string, unknown>>,
      columns: spec.columns.map((column) => columnOf(spec.list.output, sorts, typeof column === 'string' ? { key: column } : column)),
      filters: spec.filters.map((filter) => filterOf(spec.list.input, filter)),
      sorts,
      defaultSort: spec.defaultSort ?? null,
      maxPageSize: 100,
      detail: spec.detail ? detailOf(spec.detail) : null,
      export: spec.export ?? null,
      import: spec.import ?? null,
      options: spec.options ?? {},
      stats: spec.stats ?? {},
      actions: spec.actions ?? [],
    };
  } catch (error) {
    throw new Error(`dataset ${spec.code}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
