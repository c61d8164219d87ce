import * as z from 'zod/mini';
import { field, fieldFacts, ofKind } from './field.ts';
import { MOBILE, mobileForm, nameForm, withoutMarks } from './plainText.ts';
import { instantOf, isInstantWithinCalendar, isWithinCalendar } from './time.ts';

/** Largest `bigint` of PostgreSQL; of two texts of 19 digits the greater number sorts later. */
const LARGEST_ID = '9223372036854775807';

/** Row id: `bigint` in the database, a decimal string on the wire, input too (a number is taken and converted to text). */
export const id = field(
  '编号',
  z.pipe(
    z.union([z.string(), z.number()]),
    z.pipe(
      z.transform((value: string | number) => String(value)),
      z.string().check(
        z.regex(/^[1-9]\d{0,18}$/),
        z.refine((value) => value.length < LARGEST_ID.length || value <= LARGEST_ID),
      ),
    ),
  ),
);

/** Output form of an id. */
export const idOut = z.string();

/** What an answer may lack. */
export const textOrNull = z.nullable(z.string());
export const intOrNull = z.nullable(z.int());
export const numberOrNull = z.nullable(z.number());

const formed = (label: string, max: number, min: number, form: (text: string) => string) =>
  field(
    label,
    z
      .string(`请输入${label}`)
      .check(
        z.overwrite(form),
        z.minLength(min, min <= 1 ? `请输入${label}` : `${label}至少${min}个字符`),
        z.maxLength(max, `${label}最多${max}个字符`),
      ),
  );

/** Trimmed text of `min` to `max` characters, without marks that nobody sees; `label` names the field in the refusals. */
export const text = (label: string, max: number, min = 0) => formed(label, max, min, (typed) => withoutMarks(typed).trim());

/** `text` of a filter that finds what was typed whole alone: the empty field says so. */
export const wholeText = (label: string, max: number) => field(label, text(label, max), { example: `完整${label}` });

/** A person's name in the one form in which all of them are kept, searched and compared. */
export const personName = (label: string, max: number, min = 0) => formed(label, max, min, nameForm);

/** A mobile number, however it was pasted; `message` says what is wrong with another text. */
export const mobileText = (message: string, missing = message) =>
  z.string(missing).check(z.overwrite(mobileForm), z.regex(MOBILE, message));

/** `text` where it may stay empty. */
export const optionalText = (label: string, max: number) => z._default(text(label, max), '');

/** Text of a form of its own that may be left empty: then it is null. */
export const emptyToNull = (schema: z.ZodMiniType<string, string>) =>
  z._default(
    z.pipe(
      z.nullable(z.string()),
      z.pipe(
        z.transform((value: string | null) => (value?.trim() ? value : null)),
        z.nullable(schema),
      ),
    ),
    null,
  );

/** The specification's small codes: number or decimal string in, number inside and out. */
export const smallCode = <const T extends readonly number[]>(label: string, values: T) =>
  field(
    label,
    z.pipe(
      z.union([z.number(), z.string()], `${label}不正确`),
      z.pipe(
        z.transform((value: string | number) => (typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value))),
        z.literal<T[number][]>([...values], `${label}不正确`),
      ),
    ),
  );

/** Whole numbers of a column of type `integer` (four bytes); `told` is said of what is no whole number. */
export const int4 = (told?: string) =>
  z.int32(told === undefined ? {} : { error: ({ code }) => (code === 'invalid_type' ? told : undefined) });
/** What a fault outside of the calendar is told by; the sentence names the field. */
const ofCalendar = { params: { calendar: true } };

/**
 * Instant on the wire: ISO 8601 in any offset, within the product's calendar; inside it is UTC with milliseconds, as the server's rows
 * carry it.
 */
export const instant = ofKind(
  'time',
  z.iso.datetime({ offset: true, abort: true }).check(
    z.refine(isInstantWithinCalendar, ofCalendar),
    z.overwrite((value) => (Number.isNaN(Date.parse(value)) ? value : instantOf(Date.parse(value)))),
  ),
);
/** Output form of an instant. */
export const instantOut = ofKind('time', z.string());
/** Calendar day in Asia/Shanghai, `YYYY-MM-DD`, within the product's calendar; `told` is said of what is no day. */
export const dayOr = (told?: string) =>
  ofKind('day', z.iso.date({ abort: true, ...(told !== undefined && { error: told }) }).check(z.refine(isWithinCalendar, ofCalendar)));
export const day = dayOr();
/** Month of the calendar, `YYYY-MM`. */
/** A calendar month, `YYYY-MM`. */
export const monthOr = (told: string) => ofKind('month', z.string(told).check(z.regex(/^(19|2[01])\d{2}-(0[1-9]|1[0-2])$/, told)));
/** Output form of a day. */
export const dayOut = ofKind('day', z.string());

/** What a form may leave out: then it is null. */
export const optionalId = z._default(z.nullable(id), null);
export const optionalDay = z._default(z.nullable(day), null);

/** Money in fen (分), an integer; shown as yuan with two decimals. */
export const fen = ofKind('money', z.int());
/** Output form of an amount that may grow beyond what a number holds: a decimal text of fen. */
export const fenOut = ofKind('money', z.string());
/** Output form of a rate in basis points. */
export const rateOut = ofKind('rate', z.int());

/** Optimistic lock: the version that the caller saw. */
export const version = field('版本号', int4('缺少版本号').check(z.minimum(1, '版本号不正确')));

/** Reason that a transition or a dangerous act asks for. */
export const opinion = text('意见', 500, 2);

const pageNumber = (fallback: number, max: number, label: string) =>
  field(
    label,
    z._default(
      z.pipe(
        z.union([z.number(), z.string()]),
        z.pipe(
          z.transform((value: string | number) => Number(value)),
          z.int(`${label}须为整数`).check(z.minimum(1, `${label}从1开始`), z.maximum(max, `${label}最大为${max}`)),
        ),
      ),
      fallback,
    ),
  );

/** `pageNo` from 1, `pageSize` 10 by default and 999 at most; spread into the input of a list call. */
export const paging = {
  pageNo: pageNumber(1, 100_000, '页码'),
  pageSize: pageNumber(10, 999, '每页条数'),
};

/** Keyset paging of lists that grow without bound; `cursor` is what the last page answered. */
export const cursorPaging = { ...paging, cursor: field('翻页位置', z.optional(z.string().check(z.maxLength(500)))) };

/** Yes/no filter or switch that also arrives as text in a query string. */
export const flag = z.pipe(
  z.union([z.boolean(), z.enum(['true', 'false'])]),
  z.transform((value) => value === true || value === 'true'),
);

/** One or several values of a filter, under the label of one: the query string of a GET carries a single one as plain text. */
export const several = <T extends z.ZodMiniType>(item: T, max = 100) => {
  const values = z.pipe(
    z.union([z.array(item).check(z.maxLength(max, `最多选择${max}项`)), item]),
    z.transform((value) => (Array.isArray(value) ? value : [value]) as z.output<T>[]),
  );
  const facts = fieldFacts(item);
  return facts ? field(facts.label, values) : values;
};
