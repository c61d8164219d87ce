import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Pattern of `ilike` that finds `text` anywhere; the text's own wildcards are taken as they stand. */
export const containsPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** `expression ilike '%text%'`; give the indexed expression as it stands in the migration. */
export const containsText = (expression: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${expression}) ilike ${containsPattern(text)}`;
