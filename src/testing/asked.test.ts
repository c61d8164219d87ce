import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { fieldFacts, shapeOf } from '#kernel/contract/field.ts';
import { callsInPages, type Written } from './askedCalls.ts';
import { machinesOfContracts } from './machinesOfContracts.ts';

// Whoever decides sees what about: number, count, amount, for whom. `confirmWithOpinion`, `askTransition` and `StateActions` cannot be
// written without facts; a plain question can, where nothing is decided.

const root = path.join(import.meta.dirname, '../..');
/** Those of the kernel, not what a file calls so itself. */
const asked = callsInPages(['ask', 'confirmWithOpinion', 'askTransition', 'askReason']).filter(
  ({ name, given, text }) =>
    given !== '' && new RegExp(String.raw`import \{[^}]*\b${name}\b[^}]*\} from '[^']*/(?:dialogs\.tsx|askTransition\.ts)'`).test(text),
);

/** What a question is made of: its object, also one that stands above it. */
function questionOf({ given, text }: Written): string {
  if (given.startsWith('{') && !/^\{ \.\.\.(\w+)/.test(given)) return given;
  const name = /^(?:\{ \.\.\.)?(\w+)/.exec(given)?.[1] ?? '';
  return new RegExp(String.raw`const ${name} = (\{[^;]*\});`).exec(text)?.[1] ?? '';
}

/** Words of decisions beside the labels of the machines. */
const DECISION = /停用|启用|撤回|撤销|作废|发布后|批准|驳回|核销|冻结|解冻|上架|下架|提交|归档|移除“|移除角色|移出|解绑|制卡|下线/;

/** Questions that decide about no record that a list shows. */
const NO_RECORD = [
  // Over the open form of that questionnaire.
  'corpus/web/questionnaires/QuestionnaireForm.tsx',
  // One's own session, named by its device.
  'identity/web/shell/PersonalDrawer.tsx',
  // A page of definitions asks in its own words.
  'lowcode/web/bridge/frameHost.ts',
];

describe('questions', () => {
  it('are read', () => {
    expect(asked.length).toBeGreaterThan(140);
    expect(asked.filter((one) => one.name !== 'askTransition' && questionOf(one) === '').map(({ file }) => file)).toEqual([]);
  });

  it('that decide show what about, for every transition of every machine', async () => {
    const labels = new Set(
      (await machinesOfContracts()).flatMap(({ transitions }) => Object.values(transitions).map(({ label }) => label)),
    );
    expect(labels.size).toBeGreaterThan(100);
    const bare = asked
      .filter(({ name }) => name === 'ask')
      .filter((one) => {
        const question = questionOf(one);
        const [, title = '', made] = /\btitle: (?:'([^']*)'|([^,}]+))/.exec(question) ?? [];
        return (made !== undefined || labels.has(title) || DECISION.test(question)) && !/\bfacts\b/.test(question);
      })
      .map(({ file }) => file);
    expect(bare).toEqual(NO_RECORD);
  });

  it('have no empty facts', () => {
    expect(asked.filter(({ given }) => /facts: \[\]/.test(given)).map(({ file }) => file)).toEqual([]);
    const tags = globSync('src/domains/*/web/**/*.tsx', { cwd: root }).filter((file) =>
      /facts=\{\[\]\}/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(tags).toEqual([]);
  });

  it('before a deletion name the thing by its kind and its name, and say what goes with it', () => {
    const deletions = callsInPages(['confirmDelete']);
    expect(deletions.length).toBeGreaterThan(50);
    expect(deletions.filter(({ given }) => !/^`[^`]*(?:“\$\{|\$\{.*[\u4e00-\u9fff])/.test(given)).map(({ file }) => file)).toEqual([]);
    expect(deletions.filter(({ given }) => given.includes(', [')).length).toBeGreaterThan(15);
  });

  it('that ask only for a reason are looks, and files with numbers in clear', () => {
    const looks = /title: (?:'(?:申请)?(?:紧急)?查看|'导出个税扣缴申报表'|again \? '重新生成银行文件' : '生成银行文件')/;
    const others = asked.filter(({ name, given }) => name === 'askReason' && !looks.test(given));
    expect(others.map(({ file }) => file)).toEqual([]);
  });
});

/** `queryBillList.output.shape.bill` of a page, from its imports; null where it is none of a contract's calls. */
async function schemaNamed({ file, text }: Written, chain: string): Promise<z.ZodMiniType | null> {
  const [name = '', ...parts] = chain.split('.');
  const from = new RegExp(String.raw`import \{[^}]*\b${name}\b[^}]*\} from '([^']+)'`).exec(text)?.[1];
  if (!from || parts[0] !== 'output') return null;
  const target = from.startsWith('#')
    ? from.replace(/^#(\w+)\//, 'src/$1/')
    : path.posix.join('src/domains', path.posix.dirname(file), from);
  const calls: Record<string, unknown> = await import(path.join(root, target));
  const { output } = calls[name] as { output: z.ZodMiniType };
  return parts.slice(1).reduce((schema, part) => (part === 'shape' ? schema : shapeOf(schema)[part]!), output);
}

describe('facts', () => {
  it('of a record are fields that its contract labels', async () => {
    const nameless: string[] = [];
    let seen = 0;
    for (const one of callsInPages(['factsIn'])) {
      const chain = /^([\w.]+),/.exec(one.given)?.[1] ?? '';
      const schema = await schemaNamed(one, chain);
      if (!schema) continue;
      const shape = shapeOf(schema);
      const named = /, (\w+)$/.exec(one.given)?.[1];
      const list =
        named === undefined ? one.given.slice(one.given.indexOf('[')) : new RegExp(`const ${named} = (.*?);`).exec(one.text)![1]!;
      const keys = [...list.matchAll(/(?:[[,] |\[)'([a-z]\w*)'/g)].map((hit) => hit[1]!);
      seen += keys.length;
      for (const key of keys) if (!shape[key] || !fieldFacts(shape[key])) nameless.push(`${one.file} ${chain} ${key}`);
    }
    expect(seen).toBeGreaterThan(400);
    expect(nameless).toEqual([]);
  });
});
