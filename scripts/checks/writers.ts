import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One place that inserts into a table. */
export interface Writer {
  table: string;
  /** `file:line`. */
  place: string;
  hasConflictClause: boolean;
}

const columnCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const OUTSIDE = /\/(?:web|testing|demo)\/|\/demo\.ts$|\.test\.ts$|\.cases\.ts$/;

/** What follows an insertion, up to the end of its statement: a builder's call that runs it, or the end of the SQL. */
function statementAfter(text: string, isSql: boolean): string {
  const end = isSql ? text.search(/`|insert into /) : text.search(/\.execute(?:TakeFirst|TakeFirstOrThrow)?\(/);
  return end < 0 ? text : text.slice(0, end);
}

/** Insertions of one source file. */
export function writersIn(source: string, file: string): Writer[] {
  return [...source.matchAll(/insert into ([a-z_]+)|\.insertInto\('(\w+)'\)/g)].map((match) => {
    const [whole, plain, camel = ''] = match;
    const rest = statementAfter(source.slice(match.index + whole.length), plain !== undefined);
    return {
      table: plain ?? columnCase(camel),
      place: `${file}:${source.slice(0, match.index).split('\n').length}`,
      hasConflictClause: /on conflict|onConflict/.test(rest),
    };
  });
}

/** Insertions of the server, without demonstrations and tests. */
export function allWriters(root: string): Writer[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(root, file))
    .filter((file) => file.endsWith('.ts') && !OUTSIDE.test(file))
    .flatMap((file) => writersIn(readFileSync(file, 'utf8'), file));
}

/** Tables that one place writes with a conflict clause and another one without: the second fails where the first was sooner. */
export function unevenTables(writers: readonly Writer[]): Map<string, Writer[]> {
  const byTable = Map.groupBy(writers, ({ table }) => table);
  return new Map(
    [...byTable].filter(([, own]) => own.some(({ hasConflictClause }) => hasConflictClause) && own.some((one) => !one.hasConflictClause)),
  );
}
