const TEXT = String.raw`'(?:[^']|'')*'::text`;
const VALUE = String.raw`(?:${TEXT}|\d+)`;
const COLUMN = String.raw`(\w+|"[^"]+")`;
/** What PostgreSQL makes of `c in (…)`, of `c <@ array[…]` for arrays, and of one value. */
const LISTED = new RegExp(String.raw`^${COLUMN} (?:= ANY|<@) \(?ARRAY\[(${VALUE}(?:, ${VALUE})*)\]\)?$`);
const SINGLE = new RegExp(String.raw`^${COLUMN} = (${VALUE})$`);

/** The conditions that all must hold: without brackets around the whole, cut at every AND that stands in no bracket and no text. */
function conditionsOf(expression: string): string[] {
  const cuts: number[] = [];
  let depth = 0;
  let closed = -1;
  for (const { 0: token, index } of expression.matchAll(/'(?:[^']|'')*'|"[^"]*"|[()[\]]| AND /g)) {
    if (token === '(' || token === '[') depth++;
    else if (token === ')' || token === ']') {
      if (--depth === 0 && closed < 0) closed = index;
    } else if (token === ' AND ' && depth === 0) cuts.push(index);
  }
  if (cuts.length > 0)
    return [0, ...cuts.map((cut) => cut + ' AND '.length)].flatMap((from, index) => conditionsOf(expression.slice(from, cuts[index])));
  return expression.startsWith('(') && closed === expression.length - 1 ? conditionsOf(expression.slice(1, -1)) : [expression];
}

/**
 * The values that a CHECK constraint lists for a column, as TypeScript writes them: `'ENABLED'`, `1`. A list under an OR, a NOT or
 * beside another column says nothing about the column alone and is left out, like a constraint that old rows may break.
 * @param definition as pg_get_constraintdef prints it.
 */
export function codesOf(definition: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const [, expression] = /^CHECK \((.*)\)$/s.exec(definition) ?? [];
  for (const condition of expression === undefined ? [] : conditionsOf(expression)) {
    const [, name, values] = LISTED.exec(condition) ?? SINGLE.exec(condition) ?? [];
    if (!name || !values) continue;
    const codes = [...values.matchAll(/'((?:[^']|'')*)'::text|\d+/g)].map(([whole, text]) =>
      text === undefined ? whole : `'${text.replaceAll('\\', '\\\\').replaceAll("''", String.raw`\'`)}'`,
    );
    const column = name.replaceAll('"', '');
    found.set(column, found.get(column)?.filter((code) => codes.includes(code)) ?? codes);
  }
  return found;
}
