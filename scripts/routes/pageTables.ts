import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const HEAD = '## Pages and their files\n';

/** `'/agentList': () => import('./agents/AgentList.tsx')`, also inside of braces, or by a name. */
const PAGE = /'(\/[^']*)':\s*(?:\{\s*(?:load:\s*)?)?(?:\(\) =>\s*import\('\.\/([^']+)'\)|(\w+)(?:\((\w+)\))?)/g;

/** Titles of the list of routes that is law. */
function titles(): Map<string, string> {
  const [, ...rows] = readFileSync(path.join(root, 'docs/design/routes.csv'), 'utf8').trim().split('\n');
  return new Map(rows.map((row) => [row.split(',')[0] ?? '', row.split(',')[1] ?? '']));
}

/** Where a page stands that the module has by a name. */
function placeOf(module: string, name: string, slot: string | undefined): string {
  if (name === 'lowcodePage') return 'a definition in `server/pages`';
  if (slot) return `what another domain puts into \`${slot}\``;
  const [, file] = new RegExp(String.raw`const ${name} = \(\) => import\('\./([^']+)'\)`).exec(module) ?? [];
  if (!file) throw new Error(`scripts/routes/pageTables.ts does not know what ${name} is`);
  return `\`web/${file}\``;
}

/** The section of a domain's README, from the pages that its module registers; empty for a domain without pages. */
function sectionOf(domain: string, known: ReadonlyMap<string, string>): string {
  const module = readFileSync(path.join(root, `src/domains/${domain}/web/module.ts`), 'utf8');
  const rows = [...module.matchAll(PAGE)].map(
    ([, place = '', file, name = '', slot]) =>
      `| \`${place}\` | ${known.get(place) ?? ''} | ${file ? `\`web/${file}\`` : placeOf(module, name, slot)} |\n`,
  );
  return rows.length === 0 ? '' : `${HEAD}\n| address | title | file |\n| --- | --- | --- |\n${rows.join('')}`;
}

/** Each domain's README as it is and as it should be: the table of pages is its last section. */
export function readmes(): { file: string; text: string; wanted: string }[] {
  const known = titles();
  return globSync('src/domains/*/README.md', { cwd: root })
    .sort()
    .filter((file) => existsSync(path.join(root, path.dirname(file), 'web/module.ts')))
    .map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      const section = sectionOf(path.basename(path.dirname(file)), known);
      const before = text.split(HEAD)[0]!.trimEnd();
      return { file, text, wanted: section === '' ? `${before}\n` : `${before}\n\n${section}` };
    });
}
