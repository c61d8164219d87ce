import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const TABLE = /export interface (\w+) \{\n(.*?)^\}/gms;

/** `rowHash` as SQL has it. */
const inSql = (name: string) => name.replaceAll(/[A-Z]|(?<=[a-z])\d+/g, (part) => `_${part.toLowerCase()}`);

const wordsOf = (files: readonly string[]) =>
  new Set(files.flatMap((file) => readFileSync(path.join(root, file), 'utf8').match(/\w+/g) ?? []));
const names = (words: ReadonlySet<string>, name: string) => words.has(name) || words.has(inSql(name));

/** Tables and columns of `tables.ts` that are no word of these sources. */
export function unnamedIn(tables: string, words: ReadonlySet<string>): string[] {
  return [...tables.matchAll(TABLE)].flatMap(([, type = '', body = '']) => {
    if (type.endsWith('Tables')) return [];
    const table = type.charAt(0).toLowerCase() + type.slice(1);
    if (!names(words, table)) return [table];
    const columns = [...body.matchAll(/^ {2}(\w+):/gm)].map(([, column = '']) => column);
    return columns.filter((column) => !names(words, column)).map((column) => `${table}.${column}`);
  });
}

/** Read by the database's own functions; written by the kernel's stamps, which name no column of a domain. */
const BY_DATABASE = new Set([
  'ledgerTransfer.madeBy',
  'lowcodePage.createdAt',
  'lowcodePage.createdBy',
  'orderShield.createdAt',
  'orderShield.createdBy',
]);

/** Sources of the kernel that name columns of a domain's tables, by the word with which the domain takes them. */
const NAMED_BY_KERNEL: Readonly<Record<string, string>> = {
  leaseColumns: 'src/kernel/server/desk/*.ts',
  reviewOf: 'src/kernel/server/review/*.ts',
  updatedColumns: 'src/kernel/server/command/stampedColumns.ts',
};
/** Tables of a domain that the kernel's review names by their ends: `tableOf(prefix, 'material')`. */
const REVIEW_TABLE = /tableOf\(prefix, '(\w+)'\)/g;

/** What the kernel names for a domain whose sources have these words. */
function wordsOfKernel(domain: string, words: ReadonlySet<string>): Set<string> {
  const taken = Object.entries(NAMED_BY_KERNEL).flatMap(([word, pattern]) => (words.has(word) ? globSync(pattern, { cwd: root }) : []));
  const tables = taken.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(REVIEW_TABLE)].map(([, end]) => `${domain}_${end}`),
  );
  return new Set([...wordsOf(taken), ...tables]);
}

/** What stands in the database and in no source of the domain that owns it (of any, where it is the kernel's), tests aside. */
export function deadColumns(): string[] {
  return globSync('src/{kernel/server/database,domains/*/server}/tables.ts', { cwd: root }).flatMap((file) => {
    const room = file
      .replaceAll(path.sep, '/')
      .split('/')
      .slice(0, file.includes('kernel') ? 1 : 3)
      .join('/');
    const sources = globSync(`${room}/**/*.{ts,tsx}`, { cwd: root }).filter((one) => !/\.test\.tsx?$|tables\.ts$/.test(one));
    const words = wordsOf(sources);
    const all = new Set([...words, ...wordsOfKernel(path.basename(room), words)]);
    return unnamedIn(readFileSync(path.join(root, file), 'utf8'), all).filter((one) => !BY_DATABASE.has(one));
  });
}
