import type { Call } from './call.ts';

type Placed = Pick<Call, 'method' | 'query'>;
type Fields = Readonly<Record<string, unknown>>;

/** Whether a field of the input travels as a query parameter: all of a GET's, those that another call declares. */
export const isParameter = (call: Placed, name: string): boolean => call.method === 'GET' || (call.query?.includes(name) ?? false);

/** An input as it travels: the fields of the address and those of the body. */
export function splitInput(call: Placed, input: Fields): { query: Fields; body: Fields } {
  const [query, body] = [true, false].map((asParameter) =>
    Object.fromEntries(Object.entries(input).filter(([name]) => isParameter(call, name) === asParameter)),
  ) as [Fields, Fields];
  return { query, body };
}

/** One value as a query parameter: a record inside the input travels as JSON. */
export const parameterText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Query string: empty values are left out, several values repeat the name. */
export function queryOf(fields: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '') query.append(name, parameterText(item));
    }
  }
  const text = query.toString();
  return text && `?${text}`;
}
