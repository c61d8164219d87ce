import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { several, text } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { books } from '../books.ts';

export const service = declareService('LedgerService');

export const accountNo = text('账户编号', 20, 1);
export const book = field('账簿', books.schema);

/** What a page shows of a book: all of it, some accounts, or those of one owner. */
export const scope = {
  book,
  accountNos: field('账户', z.optional(several(text('账户编号', 20, 1), 50))),
  ownerType: z.optional(text('户主类型', 40)),
  ownerId: z.optional(text('户主', 64)),
};

/** Page of the document that caused something; null: none shows it. */
export const link = z.nullable(z.strictObject({ path: z.string(), search: z.record(z.string(), z.string()) }));

/** The account beside a row of another thing. */
export const accountOut = {
  accountNo: field('账户编号', z.string(), { width: 140 }),
  accountTypeLabel: field('科目', z.string(), { width: 130 }),
  ownerName: field('户名', z.string(), { width: 160 }),
};
