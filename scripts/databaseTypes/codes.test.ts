import { describe, expect, it } from 'vitest';
import { codesOf } from './codes.ts';

describe('the codes that a CHECK constraint lists', () => {
  it.each([
    ['several texts', `CHECK ((state = ANY (ARRAY['ENABLED'::text, 'DISABLED'::text])))`, 'state', [`'ENABLED'`, `'DISABLED'`]],
    ['one text', `CHECK ((source = 'CODE'::text))`, 'source', [`'CODE'`]],
    ['numbers', 'CHECK ((gender = ANY (ARRAY[0, 1, 2])))', 'gender', ['0', '1', '2']],
    ['one number', 'CHECK ((id = 1))', 'id', ['1']],
    ['a quoted column', `CHECK (("position" = ANY (ARRAY['HOME'::text, 'SEARCH'::text])))`, 'position', [`'HOME'`, `'SEARCH'`]],
    ['signs and quotes', `CHECK ((c = ANY (ARRAY['>='::text, 'a, ''b'' AND (c)'::text])))`, 'c', [`'>='`, String.raw`'a, \'b\' AND (c)'`]],
    ['an array', `CHECK ((roles <@ ARRAY['MAH'::text, 'MAKER'::text]))`, 'roles', [`'MAH'`, `'MAKER'`]],
    [
      'an array beside its length',
      'CHECK ((((cardinality(days) >= 1) AND (cardinality(days) <= 7)) AND (days <@ ARRAY[1, 2, 3])))',
      'days',
      ['1', '2', '3'],
    ],
    [
      'a column beside a rule about others',
      'CHECK (((depth = ANY (ARRAY[1, 2])) AND ((depth = 1) = (parent_id IS NULL))))',
      'depth',
      ['1', '2'],
    ],
    ['two lists of one column', `CHECK (((c = ANY (ARRAY[1, 2, 3])) AND (c = ANY (ARRAY[2, 3, 4]))))`, 'c', ['2', '3']],
  ])('reads %s', (_what, definition, column, codes) => {
    expect([...codesOf(definition)]).toEqual([[column, codes]]);
  });

  it('reads the lists of two columns', () => {
    expect([...codesOf(`CHECK (((a = 'X'::text) AND (b = ANY (ARRAY['Y'::text, 'Z'::text]))))`)]).toEqual([
      ['a', [`'X'`]],
      ['b', [`'Y'`, `'Z'`]],
    ]);
  });

  it.each([
    ['an alternative', `CHECK (((state = ANY (ARRAY['DRAFT'::text, 'VOID'::text])) OR (strength IS NOT NULL)))`],
    ['an alternative of two conditions', `CHECK (((x IS NULL) OR ((a = 'X'::text) AND (b = 'Y'::text))))`],
    ['alternatives in brackets', `CHECK (((a = 'X'::text) OR (b = 'Y'::text)))`],
    ['a condition of another column', `CHECK (((state = 'MERGED'::text) = (merged_into_id IS NOT NULL)))`],
    ['a list that is excluded', `CHECK (((state <> ALL (ARRAY['LEAVE'::text, 'DISABLED'::text])) OR (duty = 'OFF'::text)))`],
    ['a denied list', `CHECK ((NOT ((state = 'A'::text) AND (kind = 'B'::text))))`],
    ['a denied array', `CHECK ((NOT (store_tags @> ARRAY['CHAIN'::text, 'SINGLE'::text])))`],
    ['a value within an array', `CHECK (('CHAIN'::text = ANY (store_tags)))`],
    ['an array that must hold codes', `CHECK ((roles @> ARRAY['MAH'::text]))`],
    ['an expression', `CHECK (("left"(kind, 1) = 'A'::text))`],
    ['a count', 'CHECK ((num_nonnulls(a, b) = ANY (ARRAY[0, 2])))'],
    ['a range', 'CHECK (((level >= 1) AND (level <= 3)))'],
    ['a pattern', String.raw`CHECK ((adcode ~ '^\d{6}$'::text))`],
    ['another column', 'CHECK ((left_id = right_id))'],
    ['rows from before the constraint', `CHECK ((state = ANY (ARRAY['A'::text, 'B'::text]))) NOT VALID`],
  ])('says nothing about %s', (_what, definition) => {
    expect([...codesOf(definition)]).toEqual([]);
  });
});
