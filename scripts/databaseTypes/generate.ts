import type pg from 'pg';
import { codesOf } from './codes.ts';

interface Column {
  table: string;
  name: string;
  type: string;
  array: boolean;
  nullable: boolean;
  /** `a`: the database alone writes it; `d`: it has a default; empty: it must be given. */
  given: 'always' | 'default' | '';
  /** The only values that CHECK constraints let in, as TypeScript writes them; empty: any of the type. */
  codes: readonly string[];
}

const SCALARS: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  float4: 'number',
  float8: 'number',
  int8: 'string',
  numeric: 'string',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  uuid: 'string',
  citext: 'string',
  inet: 'string',
  date: 'string',
  time: 'string',
  timestamp: 'string',
  timestamptz: 'string',
  tsvector: 'string',
  bytea: 'Buffer',
  jsonb: 'json',
  json: 'json',
};

const camel = (name: string) => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name: string) => camel(`_${name}`);

/** The name in TypeScript; Kysely turns it back, which fails for an underscore before a digit. */
function nameOf(name: string): string {
  if (snake(camel(name)) !== name) throw new Error(`The name ${name} does not survive the way to camelCase and back; rename it`);
  return camel(name);
}

/** Codes by table and column; a column under several constraints has the codes that all of them list. */
async function readCodes(client: pg.ClientBase): Promise<Map<string, readonly string[]>> {
  const { rows } = await client.query<{ table: string; definition: string }>(
    `select c.relname as table, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'c' and c.relnamespace = 'public'::regnamespace and not c.relispartition
      order by c.relname, k.conname`,
  );
  const all = new Map<string, readonly string[]>();
  for (const { table, definition } of rows)
    for (const [column, codes] of codesOf(definition)) {
      const key = `${table}.${column}`;
      all.set(key, all.get(key)?.filter((code) => codes.includes(code)) ?? codes);
    }
  return all;
}

async function columnsOf(client: pg.ClientBase): Promise<Column[]> {
  const codes = await readCodes(client);
  const { rows } = await client.query<Omit<Column, 'codes'>>(
    `select c.relname as table, a.attname as name, coalesce(e.typname, t.typname) as type, e.oid is not null as array,
        not a.attnotnull as nullable,
        case
          when a.attidentity = 'a' or a.attgenerated <> '' then 'always'
          when a.attidentity = 'd' or a.atthasdef then 'default'
          else ''
        end as given
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
      order by c.relname, a.attnum`,
  );
  return rows.map((column) => ({ ...column, codes: codes.get(`${column.table}.${column.name}`) ?? [] }));
}

function typeOf(column: Column): string {
  const scalar = SCALARS[column.type];
  if (!scalar) throw new Error(`No TypeScript type is known for ${column.type} of ${column.table}.${column.name}`);
  const orNull = column.nullable ? ' | null' : '';
  if (scalar === 'json' && !column.array) {
    // Read as parsed JSON, written as its text.
    const optional = column.nullable || column.given === 'default' ? ' | undefined' : '';
    return `ColumnType<unknown, string${orNull}${optional}, string${orNull}>`;
  }
  // Numbers that TypeScript has as texts (int8, numeric) stay texts.
  const codes = column.codes.filter((code) => (scalar === 'number' ? /^\d/ : /^'/).test(code));
  const value = codes.length > 0 && (scalar === 'number' || scalar === 'string') ? codes.join(' | ') : scalar;
  const type = `${column.array ? `${codes.length > 1 ? `(${value})` : value}[]` : value}${orNull}`;
  if (column.given === 'always') return `GeneratedAlways<${type}>`;
  return column.given === 'default' ? `Generated<${type}>` : type;
}

const fileOf = (prefix: string) =>
  prefix === 'kernel' ? 'src/kernel/server/database/tables.ts' : `src/domains/${prefix}/server/tables.ts`;

function fileText(prefix: string, columns: readonly Column[]): string {
  const tables = new Map<string, Column[]>();
  for (const column of columns) tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
  const body = [...tables].map(
    ([table, own]) =>
      `export interface ${pascal(table)} {\n${own.map((column) => `  ${nameOf(column.name)}: ${typeOf(column)};\n`).join('')}}\n`,
  );
  const index = `export interface ${pascal(prefix)}Tables {\n${[...tables.keys()].map((table) => `  ${nameOf(table)}: ${pascal(table)};\n`).join('')}}\n`;
  const all = [...body, index].join('\n');
  const used = ['ColumnType', 'Generated', 'GeneratedAlways'].filter((name) => all.includes(`${name}<`));
  const imports = used.length > 0 ? `import type { ${used.join(', ')} } from 'kysely';\n\n` : '';
  return `// Written by \`npm run db:types\` from the migrated database; do not edit.\n${imports}${all}`;
}

/** Path from the repository's root → text of each domain's table types, by the tables' prefix. */
export async function generateTableTypes(client: pg.ClientBase): Promise<Map<string, string>> {
  const byPrefix = new Map<string, Column[]>();
  for (const column of await columnsOf(client)) {
    const prefix = column.table.split('_')[0] ?? '';
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), column]);
  }
  return new Map([...byPrefix].map(([prefix, columns]) => [fileOf(prefix), fileText(prefix, columns)]));
}
