import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { NOTHING } from '#kernel/web/kit/values.tsx';

// Where there is nothing to show every page shows the same: — (`NOTHING`), never a hyphen, two, or a word of its own.

const root = path.join(import.meta.dirname, '../..');
/** What stands in the place of an absent value: behind ??, || or the colon of a choice, or alone in an element. */
const STAND_IN = /(?:\?\?|\|\||\? [^:?\n]{1,60} :) '([-–—－]{1,2}|N\/A)'|>([-–—－]{1,2}|N\/A)</g;
/** Nobody sees it. */
const UNSEEN = new Set(['src/domains/corpus/web/questionnaires/fill/main.tsx']);

it('shows nothing in one way on every page', () => {
  const files = globSync('src/{domains/*,kernel}/web/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test.'));
  let found = 0;
  const others = files.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(STAND_IN)].flatMap((match) => {
      found += 1;
      return (match[1] ?? match[2]) === NOTHING || UNSEEN.has(file) ? [] : [`${file}: ${match[0]}`];
    }),
  );
  expect(found).toBeGreaterThan(30);
  expect(others).toEqual([]);
});

it('keeps the blanks between words: one at the end of a line of markup would be trimmed away', () => {
  const files = globSync('src/{domains/*,kernel}/web/**/*.tsx', { cwd: root });
  const trimmed = files.filter((file) => /^\s*\u3000|\u3000\s*$/m.test(readFileSync(path.join(root, file), 'utf8')));
  expect(trimmed).toEqual([]);
});
