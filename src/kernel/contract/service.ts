import * as z from 'zod/mini';
import { access, call, type Authorisation, type CallSpec, type Host } from './call.ts';
import { id, idOut, paging, text } from './fields.ts';
import { importFields, importStarted } from './importing.ts';

type Fields = Readonly<Record<string, z.ZodMiniType>>;
interface Right {
  code: string;
}
const accessOf = (right: Right | Authorisation): Authorisation => ('kind' in right ? right : access.permission(right));

/** What few calls say besides. */
type More<K extends 'method' | 'message' | 'idempotency' | 'secrets' | 'secretOutput' | 'log' | 'ratePerMinute'> = Partial<
  Pick<CallSpec<z.ZodMiniType, z.ZodMiniType, 'data'>, K>
>;

type ActMore<F extends Fields> = More<'message' | 'idempotency' | 'secrets' | 'secretOutput' | 'log' | 'ratePerMinute'> & {
  /** What holds between its fields (`between.ts`). */
  rules?: readonly z.core.$ZodCheck<z.output<z.ZodMiniObject<F, z.core.$strict>>>[];
};

/** The calls of one service, by their kinds. */
export const declareService = (service: string, host: Host = 'admin') => ({
  list: <F extends Fields, O extends z.ZodMiniType>(
    operation: string,
    label: string,
    right: Right,
    filter: F,
    output: O,
    more: More<'secrets'> = {},
  ) =>
    call({
      host,
      service,
      operation,
      label,
      shape: 'list',
      kind: 'query',
      access: access.permission(right),
      input: z.strictObject({ ...paging, ...filter }),
      output,
      ...more,
    }),
  read: <F extends Fields, O extends z.ZodMiniType>(
    operation: string,
    label: string,
    right: Right | Authorisation,
    input: F,
    output: O,
    method: 'GET' | 'POST' = 'POST',
    more: More<'secrets' | 'ratePerMinute'> = {},
  ) =>
    call({
      host,
      service,
      operation,
      label,
      method,
      shape: 'data',
      kind: 'query',
      access: accessOf(right),
      input: z.strictObject(input),
      output,
      ...more,
    }),
  act: <F extends Fields, O extends z.ZodMiniType>(
    operation: string,
    label: string,
    right: Right | Authorisation,
    input: F,
    output: O,
    { rules = [], ...more }: ActMore<F> = {},
  ) =>
    call({
      host,
      service,
      operation,
      label,
      shape: 'data',
      kind: 'command',
      access: accessOf(right),
      input: z.strictObject(input).check(...rules),
      output,
      ...more,
    }),
  /** Bytes for the browser to save; that they were taken is logged. */
  file: <F extends Fields>(operation: string, label: string, right: Right, input: F, more: More<'method' | 'log'> = {}) =>
    call({
      host,
      service,
      operation,
      label,
      log: 'DOWNLOAD',
      shape: 'file',
      kind: 'command',
      access: access.permission(right),
      input: z.strictObject(input),
      output: z.strictObject({}),
      ...more,
    }),
  /** Full value of one sensitive field; the act is logged. */
  reveal: <F extends Fields>(operation: string, label: string, right: Right, input: F) =>
    call({
      host,
      service,
      operation,
      label,
      shape: 'data',
      kind: 'command',
      log: 'REVEAL',
      access: access.permission(right),
      input: z.strictObject({ id, reason: z.optional(text('查看原因', 200)), ...input }),
      output: z.strictObject({ value: z.nullable(z.string()) }),
    }),
  imports: (operation: string, label: string, right: Right) =>
    call({
      host,
      service,
      operation,
      label,
      shape: 'data',
      kind: 'command',
      log: 'IMPORT',
      access: access.permission(right),
      input: z.strictObject(importFields),
      output: importStarted,
    }),
});

/** What an act on a record answers. */
export const acted = <S extends z.ZodMiniType>(state: S) =>
  z.strictObject({ id: idOut, state, version: z.int(), allowedActions: z.array(z.string()) });

/** A field that may be left out, or emptied with null. */
export const maybe = <T extends z.ZodMiniType>(field: T) => z.optional(z.nullable(field));

export const nothing = z.strictObject({});
export const DELETED = { message: '删除成功!' } as const;
export const ADDED = { message: '新增成功!' } as const;
/** A copy is an addition. */
export const COPIED = { message: '添加成功!' } as const;
export const CHANGED = { message: '修改成功!' } as const;

/** What became of each row of a mass operation. */
export const rowOutcomes = z.array(z.strictObject({ id: idOut, name: z.string(), ok: z.boolean(), message: z.string() }));

export const optionOut = z.strictObject({ value: z.string(), label: z.string(), extra: z.record(z.string(), z.unknown()) });
