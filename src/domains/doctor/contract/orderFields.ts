import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { paging, text } from '#kernel/contract/fields.ts';

type Fields = Readonly<Record<string, z.ZodMiniType>>;
interface Right {
  code: string;
}

/** A text search field: empty counts as absent. */
export const sought = (label: string, max = 40) => z.optional(text(label, max));

/** List and its sums over the same filters. */
export const listOf = <F extends Fields, O extends z.ZodMiniType>(
  service: string,
  operation: string,
  label: string,
  right: Right,
  filters: F,
  row: O,
) =>
  call({
    host: 'admin',
    service,
    operation,
    label,
    kind: 'query',
    shape: 'list',
    access: access.permission(right),
    input: z.strictObject({ ...paging, ...filters }),
    output: row,
  });
export const readOf = <F extends Fields, O extends z.ZodMiniType>(
  service: string,
  operation: string,
  label: string,
  right: Right,
  input: F,
  output: O,
) =>
  call({
    host: 'admin',
    service,
    operation,
    label,
    kind: 'query',
    shape: 'data',
    access: access.permission(right),
    input: z.strictObject(input),
    output,
  });
