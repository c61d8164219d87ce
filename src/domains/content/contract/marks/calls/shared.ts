import * as z from 'zod/mini';
import { idOut, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { groupKinds, markColors, objectTypes, selectModes } from '../dictionaries.ts';
import { markStates, tagGroupStates } from '../states.ts';

export const mark = z.strictObject({
  id: idOut,
  groupId: idOut,
  markCode: z.string(),
  markName: z.string(),
  /** Initials of the name, by which the page finds it. */
  pinyin: z.string(),
  color: markColors.schema,
  description: z.string(),
  defaultDays: z.nullable(z.int()),
  sortNo: z.int(),
  state: markStates.dictionary.schema,
  objectCount: z.int(),
  version: z.int(),
});
export type Mark = z.output<typeof mark>;

export const tagGroup = z.strictObject({
  id: idOut,
  groupName: z.string(),
  objectType: objectTypes.schema,
  kind: groupKinds.schema,
  selectMode: selectModes.schema,
  color: markColors.schema,
  sensitive: z.boolean(),
  manualAllowed: z.boolean(),
  maxPerObject: z.nullable(z.int()),
  sortNo: z.int(),
  state: tagGroupStates.dictionary.schema,
  version: z.int(),
  marks: z.array(mark),
});
export type TagGroup = z.output<typeof tagGroup>;

export const color = field('颜色', z._default(markColors.schema, 'default'));
/** A whole number from 1, or none. */
export const countOrNone = (label: string, most: number) =>
  field(
    label,
    z._default(
      z.nullable(z.int(`${label}须为整数`).check(z.minimum(1, `${label}至少为1`), z.maximum(most, `${label}最多为${most}`))),
      null,
    ),
  );
export const groupName = text('标签组名称', 16, 1);
export const markName = text('标签名称', 12, 1);
