/** Whatever stands in a definition or a row, as text. */
export const wordOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return value === null || value === undefined ? '' : JSON.stringify(value);
};

export type Json = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** One more step of a JSON pointer. */
export const step = (pointer: string, key: string | number) => `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
