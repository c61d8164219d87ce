import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shapeOf } from '#kernel/contract/field.ts';
import { numberIn } from '#kernel/contract/numberPlace.ts';
import { webModules } from '../web/modules.ts';
import { numberPlaces as places } from '../web/numbers.ts';

// A business number that is typed or pasted into Ctrl+K leads to its record: each that the product draws has its list, or stands here.

/** Numbers of records that are a part of another's page, or whose list is not searched by them. */
const WITHOUT: Readonly<Record<string, string>> = {
  BG: 'a change waits in its audit, and is shown by its store',
  CM: 'a scene code is shown by its scene',
  CX: 'product lines are found by their name',
  DC: 'exports are found by name and time in the downloads',
  FO: 'a part is searched on a page of definitions, and shown by its order',
  GX: 'a privacy request is shown by its patient',
  HB: 'merges are shown by the records that were merged',
  HD: 'a hold is found by the order that it was made for',
  HF: 'a replay is shown by its product version',
  JC: 'an inspection is shown by its patient',
  JJ: 'hand-overs are found by their person',
  KH: 'a hand-over of contacts is shown by its members',
  KT: 'an opening that waits is found by its doctor',
  LJ: 'a booking by hand is searched in the ledger, a part of several pages',
  LS: 'chains are found by their name',
  MA: 'a change of a medicine waits in its audit, found by keyword there',
  MS: 'prints of doctors’ cards are shown by their doctor',
  PD: 'an endorsement is shown by its policy',
  PS: 'a run of bills is found by its month',
  SC: 'materials are found by keyword in the library, a part of the corpus',
  TK: 'a refund of a contract is shown by its payment',
  TZ: 'notices are read in the bell',
  WJ: 'files are an administrator’s, found in the downloads',
  YA: 'an application stands in one of three queues, by who works on it',
  YZ: 'assistants are found by their name',
  ZT: 'a refund is shown by its order',
  ZY: 'a hand-over of doctors is shown by their assistants',
  ZZ: 'an application stands in one of several queues, by its state',
};

const drawn = new Set(
  globSync('src/domains/*/server/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/nextNumbers?\([^,()]+, '([A-Z]{2})'/g)].map(([, prefix]) => prefix ?? ''),
  ),
);

it('every number that is drawn leads to a list, or says why it does not', () => {
  expect(drawn.size).toBeGreaterThan(40);
  const known = new Set([...places.map(({ prefix }) => prefix), ...Object.keys(WITHOUT)]);
  expect([...drawn].filter((prefix) => !known.has(prefix))).toEqual([]);
  expect(places.filter(({ prefix }) => prefix in WITHOUT).map(({ prefix }) => prefix)).toEqual([]);
});

it('a place of numbers is a list page, whose list takes the number', () => {
  const lists = new Set(webModules.flatMap(({ pages }) => pages.flatMap(({ route }) => (route.kind === 'list' ? [route.path] : []))));
  expect(places.filter(({ path }) => !lists.has(path)).map(({ path }) => path)).toEqual([]);
  expect(places.filter(({ list, by }) => !(by in (shapeOf(list.input) ?? {}))).map(({ what }) => what)).toEqual([]);
});

it('a number is known as it is typed or pasted', () => {
  expect([' bd20261129000001 ', 'ＢＤ２０２６１１２９', 'RW00000012'].map(numberIn)).toEqual([
    'BD20261129000001',
    'BD20261129',
    'RW00000012',
  ]);
  expect(['BD', '保单', '20261129', 'BDX20261129', 'yhgl'].map(numberIn)).toEqual([null, null, null, null, null]);
});
