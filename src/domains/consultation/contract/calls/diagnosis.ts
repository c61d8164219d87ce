import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { text } from '#kernel/contract/fields.ts';

/** A diagnosis as staff and doctors write it. In a file of its own: the page of participants loads it, and nothing of visit records. */
export const diagnosis = z.strictObject({
  icd10: field('ICD-10编码', z.string().check(z.maxLength(12))),
  name: text('诊断名称', 100, 1),
  main: field('主要诊断', z.boolean()),
});
