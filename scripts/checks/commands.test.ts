import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const { scripts } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

it('every command runs on a machine whose own Node knows no TypeScript: it is started by the launcher', () => {
  const typed = Object.entries(scripts).filter(([, words]) => /\.ts( |$)/.test(words));
  expect(typed.length).toBeGreaterThan(8);
  const own = typed.filter(([name, words]) => !words.startsWith('node scripts/command.mjs ') && name !== 'lint');
  expect(own.map(([name]) => name)).toEqual([]);
});
