import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** What both languages write alike: headings by their level, commands, variables, and how many rows each table has. */
function shapeOf(text: string) {
  return {
    headings: [...text.matchAll(/^(#+) /gm)].map(([, level]) => level),
    commands: [...new Set(text.match(/npm (?:start|test|run [\w:]+)/g))].sort(),
    variables: [...new Set(text.match(/\b(?:KANGQIAO|DATABASE|REDIS|S3|SMS|OCR|REALNAME|TIM|WECHAT_PAY|ALIPAY)_\w+/g))].sort(),
    tables: text.split('\n\n').flatMap((block) => (block.startsWith('| ') ? [block.trim().split('\n').length] : [])),
  };
}

it('the two READMEs say the same', () => {
  expect(shapeOf(read('README.zh-CN.md'))).toEqual(shapeOf(read('README.md')));
});

it('every path that the glossary and the decisions name is there', () => {
  const pages = ['docs/glossary.md', ...globSync('docs/decisions/*.md', { cwd: root })];
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:src|scripts|migrations|docs|e2e|bench)\/[\w./-]+)`/g)].map(([, file = '']) => file),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
