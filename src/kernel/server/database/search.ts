import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Pattern of `like` that finds what begins with `text`; the text's own wildcards are taken as they stand. */
export const startsPattern = (text: string): string => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
/** Pattern of `like` that finds `text` anywhere. */
export const containsPattern = (text: string): string => `%${startsPattern(text)}`;

/** `expression ilike '%text%'`; give the indexed expression as it is written in the migration. */
export const containsText = (expression: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${expression}) ilike ${containsPattern(text)}`;
