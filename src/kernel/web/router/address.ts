/** Search parameters of an address; texts only, so that an id is never read as a number. */
export type Search = Readonly<Record<string, string | readonly string[]>>;

export function parseSearch(text: string): Search {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const there = found[name];
    found[name] = there === undefined ? value : Array.isArray(there) ? [...there, value] : [there, value];
  }
  return found;
}

/** `?a=1&b=2`, names sorted so that one view has one address; empty values are left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(search).sort()) {
    const value = search[name];
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '' && item !== false) query.append(name, String(item));
    }
  }
  const text = query.toString();
  return text && `?${text}`;
}

/** How one typed value is written in the address. */
export interface Param<T> {
  read(raw: string | readonly string[] | undefined): T;
  write(value: T): string | readonly string[] | undefined;
}

const first = (raw: string | readonly string[] | undefined): string | undefined => (typeof raw === 'string' ? raw : raw?.[0]);

/** The kinds of typed parameters a page declares. */
export const param = {
  text: (fallback = ''): Param<string> => ({
    read: (raw) => first(raw) ?? fallback,
    write: (value) => (value === fallback ? undefined : value),
  }),
  /** Absent stays undefined: an id, a selected thing. */
  optional: (): Param<string | undefined> => ({ read: first, write: (value) => value }),
  count: (fallback: number): Param<number> => ({
    read: (raw) => {
      const value = Number(first(raw));
      return Number.isInteger(value) && value > 0 ? value : fallback;
    },
    write: (value) => (value === fallback ? undefined : String(value)),
  }),
  several: (): Param<readonly string[]> => ({
    read: (raw) => (raw === undefined ? [] : typeof raw === 'string' ? [raw] : raw),
    write: (value) => (value.length ? value : undefined),
  }),
  flag: (): Param<boolean> => ({ read: (raw) => first(raw) === 'true', write: (value) => (value ? 'true' : undefined) }),
  oneOf: <const T extends readonly [string, ...string[]]>(values: T): Param<T[number]> => ({
    read: (raw) => values.find((value) => value === first(raw)) ?? values[0],
    write: (value) => (value === values[0] ? undefined : value),
  }),
};

export type ParamsOf<S extends Record<string, Param<unknown>>> = { [K in keyof S]: S[K] extends Param<infer T> ? T : never };

/** Reads the declared parameters out of an address. */
export function readParams<S extends Record<string, Param<unknown>>>(schema: S, search: Search): ParamsOf<S> {
  const values: Partial<ParamsOf<S>> = {};
  for (const name of Object.keys(schema) as (keyof S & string)[])
    values[name] = schema[name]!.read(search[name]) as ParamsOf<S>[typeof name];
  return values as ParamsOf<S>;
}

/** The address after changing some of its declared parameters; others stay. */
export function writeParams<S extends Record<string, Param<unknown>>>(schema: S, search: Search, patch: Partial<ParamsOf<S>>): Search {
  const next: Record<string, string | readonly string[]> = { ...search };
  const params: Record<string, Param<unknown>> = schema;
  for (const [name, value] of Object.entries(patch)) {
    const written = params[name]?.write(value);
    if (written === undefined) delete next[name];
    else next[name] = written;
  }
  return next;
}
