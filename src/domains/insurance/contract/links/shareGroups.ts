import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';

const code = z.string().check(z.regex(/^[A-Z0-9_]{1,24}$/, '共享组编码不正确'));

export const shareGroup = z.strictObject({ mainGroup: field('主产品共享组', code), otherGroup: field('附加产品共享组', code) });

/** Which group of the rider is the same purse as which of the main product. */
export const shareGroups = field('共享组映射', z.array(shareGroup).check(z.maxLength(20)));
export type ShareGroups = z.output<typeof shareGroups>;
