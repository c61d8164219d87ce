import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod/mini';
import { access, type AnswerOf, type CheckedInputOf, type CursorPage, type InputOf, type Page } from './call.ts';
import { exportOf } from './exportOf.ts';
import { importStarted } from './importing.ts';
import { declarePermissions } from './permission.ts';
import { declareService, nothing } from './service.ts';

const may = declarePermissions('probe', { 'note.view': { label: '查看便签', roles: '' } });
const notes = declareService('NoteService');
const said = { operation: 'queryNote', label: '便签', access: may['note.view'] } as const;
const row = z.strictObject({ name: z.string() });
const filter = { name: z.optional(z.string()), size: z._default(z.int(), 1) };
const keysOf = (schema: z.ZodMiniObject) => Object.keys(schema.shape);

const list = notes.list({ ...said, filter, output: row });
const cursor = notes.cursor({ ...said, filter, output: row });
const read = notes.read({ ...said, input: filter, output: row });
const act = notes.act({ ...said, input: { id: z.string() }, output: nothing });
const file = notes.file({ ...said, input: { id: z.string() }, output: nothing });

describe('a declared call', () => {
  it('takes nothing that it does not declare', () => {
    for (const { input } of [list, cursor, read]) expect(input.safeParse({ unknown: 1 }).success).toBe(false);
    expect(act.input.safeParse({ id: '1', unknown: 1 }).success).toBe(false);
    expect(file.input.safeParse({}).success).toBe(false);
    const revealed = notes.reveal({ ...said, input: { field: z.enum(['mobile']) } });
    expect(revealed.input.safeParse({ id: '1', field: 'idNo' }).success).toBe(false);
    expect(notes.imports(said).input.safeParse({ mode: 'VALID_ONLY' }).success).toBe(false);
    const bankFile = notes.revealFile({ ...said, input: {}, output: nothing });
    expect(bankFile.input.safeParse({ id: '1' }).success).toBe(false);
    expect(bankFile.input.safeParse({ id: '1', reason: '交银行代付' }).success).toBe(true);
  });

  it('has the name of its service and the host that this stands on', () => {
    expect(act).toMatchObject({
      host: 'admin',
      service: 'NoteService',
      name: 'NoteService/queryNote',
      path: 'admin/NoteService/queryNote',
    });
    const outside = declareService('NoteService', 'gateway').read({ ...said, input: {}, output: row, method: 'GET' });
    expect(outside).toMatchObject({ host: 'gateway', method: 'GET', path: 'gateway/NoteService/queryNote' });
    expect(act.method).toBe('POST');
  });

  it('is what it is said to be, and is logged by it', () => {
    expect(list).toMatchObject({ shape: 'list', kind: 'query', logged: null });
    expect(cursor).toMatchObject({ shape: 'cursor', kind: 'query', logged: null });
    expect(read).toMatchObject({ shape: 'data', kind: 'query', logged: null, secretOutput: false });
    expect(act).toMatchObject({ shape: 'data', kind: 'command', logged: 'WRITE', secretOutput: false });
    expect(file).toMatchObject({ shape: 'file', kind: 'command', logged: 'DOWNLOAD' });
    expect(notes.file({ ...said, kind: 'query', input: {}, output: nothing })).toMatchObject({ kind: 'query', logged: null });
    expect(notes.file({ ...said, log: 'EXPORT', input: {}, output: nothing })).toMatchObject({ kind: 'command', logged: 'EXPORT' });
    expect(notes.act({ ...said, log: 'AUTH', input: {}, output: nothing })).toMatchObject({ logged: 'AUTH', secretOutput: true });
    expect(notes.reveal({ ...said, input: {} })).toMatchObject({ kind: 'command', logged: 'REVEAL', secretOutput: true });
    expect(notes.revealFile({ ...said, input: {}, output: nothing })).toMatchObject({ shape: 'file', kind: 'command', logged: 'REVEAL' });
    expect(notes.imports(said)).toMatchObject({ kind: 'command', logged: 'IMPORT', output: importStarted });
  });

  it('takes a right as it is declared, or who may make it otherwise', () => {
    expect(read.access).toEqual({ kind: 'permission', code: 'probe.note.view' });
    expect(notes.read({ ...said, access: access.session, input: {}, output: row }).access).toEqual({ kind: 'session' });
    expect(exportOf(list, { operation: 'exportNote', label: '导出便签', access: may['note.view'] })).toMatchObject({
      access: { kind: 'permission', code: 'probe.note.view' },
      logged: 'EXPORT',
      shape: 'file',
    });
  });

  it('puts paging before the fields of a filter, and what names a record before the fields of a reveal', () => {
    expect(keysOf(list.input)).toEqual(['pageNo', 'pageSize', 'name', 'size']);
    expect(keysOf(cursor.input)).toEqual(['pageNo', 'pageSize', 'cursor', 'name', 'size']);
    expect(keysOf(notes.reveal({ ...said, input: { field: z.string() } }).input)).toEqual(['id', 'reason', 'field']);
  });

  it('leaves a schema as it stands, with what it checks between its fields', () => {
    const between = z.strictObject(filter).check(z.refine(({ name, size }) => name === undefined || size > 1, '不正确'));
    expect(notes.read({ ...said, input: between, output: row }).input).toBe(between);
    expect(notes.list({ ...said, filter: between, output: row }).input).toBe(between);
  });
});

it('tells the types of what is sent, checked and answered', () => {
  const checked: CheckedInputOf<typeof list> = list.input.parse({});
  expect(checked).toEqual({ pageNo: 1, pageSize: 10, size: 1 });
  expectTypeOf<InputOf<typeof read>>().toEqualTypeOf<{ name?: string | undefined; size?: number | undefined }>();
  expectTypeOf<CheckedInputOf<typeof read>>().toEqualTypeOf<{ name?: string | undefined; size: number }>();
  expectTypeOf<CheckedInputOf<typeof list>>().toEqualTypeOf<{
    pageNo: number;
    pageSize: number;
    name?: string | undefined;
    size: number;
  }>();
  expectTypeOf<AnswerOf<typeof read>>().toEqualTypeOf<{ name: string }>();
  expectTypeOf<AnswerOf<typeof list>>().toEqualTypeOf<Page<{ name: string }>>();
  expectTypeOf<AnswerOf<typeof cursor>>().toEqualTypeOf<CursorPage<{ name: string }>>();
  expectTypeOf(list.shape).toEqualTypeOf<'list'>();
});
