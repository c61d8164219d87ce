import * as z from 'zod/mini';
import type { AnswerOf, Call, InputOf, OutputOf } from '../../contract/call.ts';
import type { AnyDictionary } from '../../contract/dictionary.ts';
import type { SensitiveKind } from '../../contract/masking.ts';
import type { trailEntry } from '../../contract/trail.ts';

// A dataset binds what a page of definitions may name to declared calls. It is declared in the owner's code and passed to the mechanism of
// pages by the owner's module: neither knows the other.

export type ColumnType = 'text' | 'int' | 'moneyFen' | 'bp' | 'bool' | 'date' | 'datetime' | 'dict' | 'tags' | 'file' | 'progressBp';

/** A sensitive value in the clear, by a call of its own that is logged as a reveal. */
export interface Reveal {
  call: Call;
  input(key: string): unknown;
  answer(data: unknown): string;
}

export interface DatasetColumn {
  key: string;
  label: string;
  type: ColumnType;
  dictionary?: AnyDictionary;
  width?: number;
  sortable: boolean;
  mask?: SensitiveKind;
  reveal?: Reveal;
}

export type FilterType = 'text' | 'number' | 'dict' | 'dicts' | 'bool' | 'dateRange' | 'datetimeRange' | 'date';

export interface DatasetFilter {
  key: string;
  label: string;
  type: FilterType;
  dictionary?: AnyDictionary;
  /** Of a range: the fields of the call that its ends go to. */
  ends?: { from: string; to: string };
  /** The page must give it. */
  required?: boolean;
}

type DatasetTrail = readonly z.output<typeof trailEntry>[];

/** A record by its key, for actions that must know more than the page gives. */
interface DatasetRead {
  call: Call;
  input(key: string): unknown;
}

export interface DatasetDetail extends DatasetRead {
  /** Where the record is found in the answer. */
  record(data: unknown): unknown;
  /** Who did what with it; null: the answer does not hold it. */
  trail: ((data: unknown) => DatasetTrail) | null;
}

/** A file of rows, taken in by one of the owner's importers. */
export interface DatasetImport {
  /** Its right is the page's. */
  call: Call;
  importerCode: string;
}

export interface DatasetOptions {
  call: Call;
  label: string;
  input(keyword: string): unknown;
  rows(data: unknown): readonly { value: string; label: string }[];
}

export interface StatField {
  key: string;
  label: string;
  type: ColumnType;
}

export interface DatasetStat {
  call: Call;
  label: string;
  input(): unknown;
  dimensions: readonly StatField[];
  measures: readonly StatField[];
  rows(data: unknown): readonly Readonly<Record<string, unknown>>[];
}

type ActionKind = 'TOOLBAR' | 'ROW' | 'BATCH' | 'CREATE' | 'UPDATE';

/** What an action is given for one record. */
interface ActionAsk<Values = Readonly<Record<string, unknown>>, Read = unknown> {
  /** '' for an action that needs no record. */
  key: string;
  /** The version that the operator saw; 0 where the page gave none. */
  version: number;
  values: Values;
  opinion: string;
  /** What the action's `read` answered. */
  record: Read;
}

export interface DatasetAction {
  code: string;
  label: string;
  kind: ActionKind;
  call: Call;
  /** What the page's form gives, checked before the call's own schema. */
  form: z.ZodMiniObject;
  /** A record that must be read first, because the call takes more than the form gives. */
  read: DatasetRead | null;
  input(ask: ActionAsk): unknown;
  /** Rows on which it is offered; absent: all. The call judges for itself. */
  when: { column: string; values: readonly string[] } | null;
  /** Asked before it is done. */
  confirm: string;
  danger: boolean;
  opinion: boolean;
  /** The version goes as `If-Match`. */
  ifMatch: boolean;
  /** It answers `{url, fileName}`, which the browser saves. */
  download: boolean;
  /** Of a call that answers per record: why this one failed; null: it did not. */
  outcome: ((data: unknown) => string | null) | null;
}

export interface Dataset {
  code: string;
  label: string;
  /** What the record is called in the operation log: `institution.hospital`. */
  targetType: string;
  keyField: string;
  versionField: string | null;
  /** Pages of code on which the same rows are seen. */
  routeKeys: readonly string[];
  list: Call;
  /** Filters that the server sets, whatever the page says. */
  fixed: Readonly<Record<string, unknown>>;
  columns: readonly DatasetColumn[];
  filters: readonly DatasetFilter[];
  sorts: readonly string[];
  defaultSort: string | null;
  maxPageSize: number;
  detail: DatasetDetail | null;
  export: Call | null;
  import: DatasetImport | null;
  options: Readonly<Record<string, DatasetOptions>>;
  stats: Readonly<Record<string, DatasetStat>>;
  actions: readonly DatasetAction[];
}

/** A page whose first definition ships with a domain's code; its title, trail and right are its route's. */
export interface BuiltinPage {
  /** Path of its route without the slash. */
  token: string;
  description: string;
  definition: Readonly<Record<string, unknown>>;
}

interface ReadSpec<D extends Call> {
  call: D;
  input(key: string): InputOf<D>;
}

/** The dataset's detail: where the answer holds more than the record, where the record and its timeline stand in it. */
export interface DetailSpec<D extends Call> extends ReadSpec<D> {
  record?(data: AnswerOf<D>): unknown;
  trail?(data: AnswerOf<D>): DatasetTrail;
}

interface ActionSpec<A extends Call, F extends z.core.$ZodLooseShape, D extends Call> {
  code: string;
  label: string;
  kind: ActionKind;
  call: A;
  form: F;
  read?: ReadSpec<D>;
  input(ask: ActionAsk<z.output<z.ZodMiniObject<F>>, AnswerOf<D>>): InputOf<A>;
  when?: { column: string; values: readonly string[] };
  confirm?: string;
  danger?: boolean;
  opinion?: boolean;
  ifMatch?: boolean;
  download?: boolean;
  outcome?(data: AnswerOf<A>): string | null;
}

/** Declares what a page may do with records: the call, what its form gives, how the call's input is made of it. */
export function datasetAction<A extends Call, F extends z.core.$ZodLooseShape, D extends Call = Call>(
  spec: ActionSpec<A, F, D>,
): DatasetAction {
  const { outcome } = spec;
  return {
    code: spec.code,
    label: spec.label,
    kind: spec.kind,
    call: spec.call,
    form: z.strictObject(spec.form),
    read: spec.read ?? null,
    // A registry of actions of many calls: what its form and its read answered goes back to the same action alone.
    input: (ask) => spec.input(ask as ActionAsk<z.output<z.ZodMiniObject<F>>, AnswerOf<D>>),
    when: spec.when ?? null,
    confirm: spec.confirm ?? '',
    danger: spec.danger ?? false,
    opinion: spec.opinion ?? false,
    ifMatch: spec.ifMatch ?? false,
    download: spec.download ?? false,
    outcome: outcome ? (data) => outcome(data as AnswerOf<A>) : null,
  };
}

/** Options of a page's selects, of a declared call. */
export const datasetOptions = <C extends Call>(spec: {
  call: C;
  label: string;
  input(keyword: string): InputOf<C>;
  rows(data: AnswerOf<C>): readonly { value: string; label: string }[];
}): DatasetOptions => ({ ...spec, rows: (data) => spec.rows(data as AnswerOf<C>) });

/** Numbers of a page's charts, of a declared call. */
export const datasetStat = <C extends Call>(spec: {
  call: C;
  label: string;
  input(): InputOf<C>;
  dimensions: readonly StatField[];
  measures: readonly StatField[];
  rows(data: AnswerOf<C>): readonly Readonly<Record<string, unknown>>[];
}): DatasetStat => ({ ...spec, rows: (data) => spec.rows(data as AnswerOf<C>) });

/** A sensitive column's value in the clear. */
export const revealBy = <C extends Call>(spec: { call: C; input(key: string): InputOf<C>; answer(data: OutputOf<C>): string }): Reveal => ({
  ...spec,
  answer: (data) => spec.answer(data as OutputOf<C>),
});
