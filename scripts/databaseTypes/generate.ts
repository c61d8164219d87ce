import type pg from 'pg';

interface Column {
  table: string;
  name: string;
  type: string;
  array: boolean;
  nullable: boolean;
  /** `a`: the database alone writes it; `d`: it has a default; empty: it must be given. */
  given: 'always' | 'default' | '';
  /** The only values that a CHECK constraint lets in, as TypeScript writes them; null: any of the type. */
  codes: string | null;
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

/** Domains whose code already reads and writes codes by their unions. */
const CODED = new Set(['institution']);

const TEXT = String.raw`'(?:[^']|'')*'::text`;
/** What PostgreSQL makes of `check (c in (…))`, of one value, and of `check (c <@ array[…])` for arrays. */
const VALUES = String.raw`ARRAY\[((?:${TEXT}|\d+)(?:, (?:${TEXT}|\d+))*)\]`;
const LISTED = new RegExp(String.raw`^CHECK \(\("?(\w+)"? (?:= ANY \(${VALUES}\)|<@ ${VALUES})\)\)$`);
/** A bounded list of codes: its length is limited in the same constraint. */
const BOUNDED = new RegExp(String.raw`^CHECK \(\(.*cardinality\(.* AND \("?(\w+)"? <@ ${VALUES}\)\)\)$`);
const SINGLE = new RegExp(String.raw`^CHECK \(\("?(\w+)"? = (${TEXT}|\d+)\)\)$`);

/** The values of a column's CHECK constraint as a union: `'ENABLED' | 'DISABLED'`; null where it says something else. */
export function codesOf(definition: string): { column: string; codes: string } | null {
  const [, column, ...found] = LISTED.exec(definition) ?? BOUNDED.exec(definition) ?? SINGLE.exec(definition) ?? [];
  const values = found.find((one) => one !== undefined);
  if (!column || !values) return null;
  const codes = [...values.matchAll(/'((?:[^']|'')*)'::text|\d+/g)].map(([whole, text]) =>
    text === undefined ? whole : `'${text.replaceAll("''", String.raw`\'`)}'`,
  );
  return { column, codes: codes.join(' | ') };
}

async function columnsOf(client: pg.ClientBase): Promise<Column[]> {
  const checks = await client.query<{ table: string; definition: string }>(
    `select c.relname as table, pg_get_constraintdef(k.oid) as definition from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'c' and c.relnamespace = 'public'::regnamespace and not c.relispartition`,
  );
  const codes = new Map(
    checks.rows.flatMap(({ table, definition }) => {
      const found = codesOf(definition);
      return found ? [[`${table}.${found.column}`, found.codes] as const] : [];
    }),
  );
  const { rows } = await client.query<Omit<Column, 'codes'>>(
    `select c.relname as table, a.attname as name, coalesce(e.typname, t.typname) as type, e.oid is not null as array,
        not a.attnotnull as nullable,
        case when a.attidentity = 'a' or a.attgenerated <> '' then 'always' when a.attidentity = 'd' or a.atthasdef then 'default' else '' end as given
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
      order by c.relname, a.attnum`,
  );
  return rows.map((column) => ({
    ...column,
    codes: CODED.has(column.table.split('_')[0] ?? '') ? (codes.get(`${column.table}.${column.name}`) ?? null) : null,
  }));
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
  const value = column.codes ?? scalar;
  const type = `${column.array && column.codes ? `(${value})` : value}${column.array ? '[]' : ''}${orNull}`;
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
