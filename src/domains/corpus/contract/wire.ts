import * as z from 'zod/mini';
import { smallCode } from '#kernel/contract/fields.ts';
import type { ChatFlag } from './dictionaries.ts';

/** The refusal of the field itself, rather than that of the union around it. */
const lastMessage = (branches: readonly (readonly { message?: string }[])[] | undefined) => branches?.at(-1)?.[0]?.message;

/** A field that may be missing, null or empty text on the wire; all three mean "none". */
export const blankOr = <T extends z.ZodMiniType>(schema: T) =>
  z.pipe(
    z.optional(z.nullable(z.union([z.literal(''), schema], { error: (issue) => lastMessage(issue.errors) }))),
    z.transform((value): z.output<T> | null => (value === '' || value === undefined || value === null ? null : (value as z.output<T>))),
  );

/** Trimmed text whose emptiness and length the domain refuses with its own codes. */
export const looseText = z.pipe(
  z.optional(z.nullable(z.string('请输入文本').check(z.trim()))),
  z.transform((value) => value ?? ''),
);

/** A checkbox: a boolean, or the specification's 0 and 1. */
export const box = z.pipe(
  z.optional(z.nullable(z.union([z.boolean(), z.enum(['true', 'false', '0', '1', '']), z.literal([0, 1])]))),
  z.transform((value) => value === true || value === 'true' || value === '1' || value === 1),
);

export const chatFlagIn = blankOr(smallCode('聊天标识', [0, 1, 2] as const));
export const chatFlagOut = z.literal([0, 1, 2]);
export const expTypeIn = smallCode('条件类型', [1, 2] as const);

/** Both boxes = 2, group only = 0, single only = 1; null when neither is ticked. */
export const chatFlagOf = (groupChat: boolean, singleChat: boolean): ChatFlag | null =>
  groupChat ? (singleChat ? 2 : 0) : singleChat ? 1 : null;

export const boxesOf = (chatFlag: ChatFlag) => ({ groupChat: chatFlag !== 1, singleChat: chatFlag !== 0 });
