import * as z from 'zod/mini';
import { access, type Authorisation, type Call, type CallSpec, type Host, type Shape } from './call.ts';
import { cursorPaging, id, idOut, paging, text } from './fields.ts';
import { importFields, importStarted } from './importing.ts';

type Fields = Readonly<Record<string, z.ZodMiniType>>;
/** Plain fields, of which a strict object is made; or a schema that stands as it is: it checks between its fields, or is another call's. */
type Taken = Fields | z.ZodMiniType;
/** A right, or who else may make a call. */
export type Access = { code: string } | Authorisation;
type Known = 'host' | 'service' | 'shape' | 'kind' | 'input' | 'output' | 'access';
/** What a call says of itself; the rest is known by its service and by what it is. */
interface About extends Omit<CallSpec<z.ZodMiniType, z.ZodMiniType, Shape>, Known> {
  access: Access;
}
type Said<O extends z.ZodMiniType> = About & { output: O };

const ofReveal = { id, reason: z.optional(text('查看原因', 200)) };
const ofRevealedFile = { id, reason: text('下载原因', 200) };
const revealed = z.strictObject({ value: z.nullable(z.string()) });

type ObjectOf<F extends Fields> = z.ZodMiniObject<{ -readonly [Key in keyof F]: F[Key] }, z.core.$strict>;
type CallOf<T extends Taken, First extends Fields, O extends z.ZodMiniType, S extends Shape> = T extends z.ZodMiniType
  ? Call<T, O, S>
  : T extends Fields
    ? Call<ObjectOf<First & T>, O, S>
    : never;
const isSchema = (taken: Taken): taken is z.ZodMiniType => '_zod' in taken;

/**
 * The one way to declare a call, by its service and by what it is. Server route, typed client, OpenAPI, permission catalogue and log labels
 * all come from it.
 */
export function declareService(service: string, host: Host = 'admin') {
  function declare<T extends Taken, O extends z.ZodMiniType, S extends Shape, First extends Fields = Record<never, never>>(
    shape: S,
    kind: Call['kind'],
    said: Said<O>,
    taken: T,
    first?: First,
  ): CallOf<T, First, O, S>;
  function declare(shape: Shape, kind: Call['kind'], { access: may, ...said }: Said<z.ZodMiniType>, taken: Taken, first?: Fields): Call {
    const name = `${service}/${said.operation}`;
    const logged = said.log ?? (kind === 'command' ? 'WRITE' : null);
    return {
      method: 'POST',
      ...said,
      host,
      service,
      shape,
      kind,
      input: isSchema(taken) ? taken : z.strictObject({ ...first, ...taken }),
      access: 'kind' in may ? may : access.permission(may),
      logged,
      secretOutput: said.secretOutput === true || logged === 'REVEAL' || logged === 'AUTH',
      name,
      path: `${host}/${name}`,
    };
  }
  return {
    /** Rows of a page and their number. `paging` stands before the fields of the filter; a schema brings its own. */
    list: <F extends Taken, O extends z.ZodMiniType>({ filter, ...said }: Said<O> & { filter: F }) =>
      declare('list', 'query', said, filter, paging),
    /** The same for what grows without bound. */
    cursor: <F extends Taken, O extends z.ZodMiniType>({ filter, ...said }: Said<O> & { filter: F }) =>
      declare('cursor', 'query', said, filter, cursorPaging),
    read: <I extends Taken, O extends z.ZodMiniType>({ input, ...said }: Said<O> & { input: I }) => declare('data', 'query', said, input),
    act: <I extends Taken, O extends z.ZodMiniType>({ input, ...said }: Said<O> & { input: I }) => declare('data', 'command', said, input),
    /** Bytes for the browser to save; that they were taken is logged, unless everybody is given the same (`query`). */
    file: <I extends Taken, O extends z.ZodMiniType>({ input, kind = 'command', ...said }: Said<O> & { input: I; kind?: Call['kind'] }) =>
      declare('file', kind, { log: kind === 'command' ? 'DOWNLOAD' : undefined, ...said }, input),
    /** Full value of one sensitive field; the act is logged. `input`: what names the field, beside the record's id. */
    reveal: <I extends Fields>({ input, ...said }: About & { input: I }) =>
      declare('data', 'command', { log: 'REVEAL', output: revealed, ...said }, input, ofReveal),
    /** A file that has sensitive values in clear (a bank's): whoever takes it says why, and each time is logged as a reveal. */
    revealFile: <I extends Fields, O extends z.ZodMiniType>({ input, ...said }: Said<O> & { input: I }) =>
      declare('file', 'command', { log: 'REVEAL', ...said }, input, ofRevealedFile),
    /** Starts the check of a table; answers its task. */
    imports: (said: About) => declare('data', 'command', { log: 'IMPORT', output: importStarted, ...said }, importFields),
  };
}

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
