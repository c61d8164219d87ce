import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { placeOf, refusalOf } from './directions.ts';
import { fileNamed, withRoomPaths } from './roomPaths.ts';

const root = path.join(import.meta.dirname, '../..');
const STATEMENT = /^[ \t]*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const isTest = (file: string) => /\.(test|cases)\.tsx?$|^domains\/[^/]+\/server\/testing\//.test(file);
const COMMENT = /\/\*[\s\S]*?\*\//g;

export interface Import {
  target: string;
  typeOnly: boolean;
}

/** Imports and re-exports of a source text. */
export function importsOf(source: string): Import[] {
  const text = source.replaceAll(COMMENT, '');
  const found = [...text.matchAll(STATEMENT)].map((one) => ({ target: one[2] ?? '', typeOnly: one[1] !== undefined }));
  return [...found, ...[...text.matchAll(DYNAMIC)].map((one) => ({ target: one[1] ?? '', typeOnly: false }))];
}

const packageOf = (target: string) =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');

function refusalOfPackage(file: string, target: string, dependencies: ReadonlySet<string>): string | null {
  const place = placeOf(file);
  const browser =
    place?.room === 'root' || place?.room === 'kernel' || place?.room === 'domain' ? place.side !== 'server' : place?.room === 'events';
  if (target.startsWith('node:')) return browser ? 'what goes into the browser uses no module of Node' : null;
  if (browser && target.split('/')[0] === 'zod' && target !== 'zod/mini')
    return 'zod/mini everywhere: the whole of zod is 95 KB in a bundle';
  if (place?.room !== 'testing' && !dependencies.has(packageOf(target))) return 'not among the dependencies of package.json';
  return null;
}

/** Circles of imports, of types alone too: files that name each other are one thing in two places. Each as the path around it. */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, way: string[]) => {
    const at = way.indexOf(file);
    if (at >= 0) return void circles.push([...way.slice(at), file]);
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

/** Every import of `src/` that is against the house's rules, as `file: target: why`. */
export function checkImports(): string[] {
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  const allowed = new Set(Object.keys(dependencies));
  const wrong: string[] = [];
  const graph = new Map<string, string[]>();
  for (const name of globSync('**/*.{ts,tsx}', { cwd: path.join(root, 'src') }).sort()) {
    const file = name.replaceAll(path.sep, '/');
    const from = placeOf(file);
    if (!from) wrong.push(`${file}: has no room in the house (ARCHITECTURE.md)`);
    const text = readFileSync(path.join(root, 'src', file), 'utf8');
    if (withRoomPaths(`src/${file}`, text) !== text)
      wrong.push(`${file}: names a module otherwise than the house does: npm run imports -- --fix`);
    for (const { target, typeOnly } of importsOf(text)) {
      const refuse = (why: string | null) => why && wrong.push(`${file}: ${target}: ${why}`);
      if (!/^[.#]/.test(target)) {
        if (!isTest(file) && !(file.endsWith('.d.ts') || typeOnly)) refuse(refusalOfPackage(file, target, allowed));
        continue;
      }
      const goal = path.posix.relative('src', fileNamed(`src/${file}`, target.split('?')[0] ?? ''));
      if (!existsSync(path.join(root, 'src', goal)) || !/\.\w+$/.test(goal)) refuse('no such file (extensions are written out)');
      const to = goal.startsWith('..') ? null : placeOf(goal);
      if (from && to && !isTest(file) && /\.tsx?$/.test(goal)) refuse(refusalOf(from, to));
      else if (goal.startsWith('..') && !isTest(file) && from?.room !== 'testing' && !goal.endsWith('.json'))
        refuse('src imports nothing outside of it');
      if (!isTest(file)) graph.set(file, [...(graph.get(file) ?? []), goal]);
    }
  }
  return [...wrong, ...circlesOf(graph).map((circle) => `circle: ${circle.join(' → ')}`)];
}
