import pg from 'pg';

const OID = { date: 1082, timestamp: 1114, timestamptz: 1184, dateArray: 1182, timestamptzArray: 1185 } as const;

/** `2026-11-21 02:00:00.123456+00` → `2026-11-21T02:00:00.123Z`; sessions run in UTC. */
function instantText(text: string): string {
  if (text.endsWith('infinity')) return text;
  const space = text.indexOf(' ');
  const fraction = text.slice(space + 10, text.lastIndexOf('+')).slice(0, 3);
  return `${text.slice(0, space)}T${text.slice(space + 1, space + 9)}.${fraction.padEnd(3, '0')}Z`;
}

const list = (text: string, one: (item: string) => string) =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((item) => (item === 'NULL' ? null : one(item.replaceAll('"', ''))));

const same = (text: string) => text;

const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [OID.date]: same,
  [OID.timestamp]: same,
  [OID.timestamptz]: instantText,
  [OID.dateArray]: (text: string) => list(text, same),
  [OID.timestamptzArray]: (text: string) => list(text, instantText),
};

/** Ids, money, days and instants are texts everywhere in the program; the driver's own parsers do the rest. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers[oid]) ??
    pg.types.getTypeParser(oid, format ?? 'text')) as pg.CustomTypesConfig['getTypeParser'],
};
