import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { severities } from './dictionaries.ts';

/** Bytes of a definition. */
export const DEFINITION_BYTES = 512 * 1024;
export const DEFINITION_NODES = 5_000;
export const DEFINITION_DEPTH = 40;
export const DEFINITION_DATASETS = 20;
export const STRING_LENGTH = 4_000;

/** A definition travels as the text that its author wrote: the order of keys and the layout are his. */
export const definitionText = field(
  '页面定义',
  z.string('请填写页面定义').check(z.minLength(2, '请填写页面定义'), z.maxLength(DEFINITION_BYTES, '页面定义超出限制：512 KB')),
);

/** What is wrong with a definition, and where. */
export const problem = z.strictObject({
  /** `V01` to `V12`. */
  code: z.string(),
  severity: severities.schema,
  /** JSON pointer, RFC 6901. */
  pointer: z.string(),
  message: z.string(),
  /** What to do about it. */
  advice: z.string(),
});
export type Problem = z.output<typeof problem>;

/** What a version really names of datasets. */
export const manifest = z.array(z.strictObject({ datasetCode: z.string(), operations: z.array(z.string()) }));
export type Manifest = z.output<typeof manifest>;

export const TOKEN_FORM = /^[A-Za-z][A-Za-z0-9]{2,39}$/;
