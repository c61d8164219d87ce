import * as z from 'zod/mini';
import { field } from './field.ts';

export type Direction = 'asc' | 'desc';

/** One declared order, as `orderBy` carries it: the column's key and the direction. */
type OrderBy<Key extends string> = `${Key} ${Direction}`;

/** Columns that a list can be sorted by; spread into the inputs of the list and of its export. Absent: the list's own order. */
export const sortedBy = <const Keys extends readonly [string, ...string[]]>(...keys: Keys) => {
  type Key = Keys[number];
  const orders = keys.flatMap((key) => [`${key} asc`, `${key} desc`]) as [OrderBy<Key>, ...OrderBy<Key>[]];
  return { orderBy: field('排序方式', z.optional(z.enum(orders, '排序方式不正确'))) };
};

/** Key and direction of an `orderBy`. */
export function splitOrder(orderBy: string): { key: string; direction: Direction } {
  const [key = '', direction] = orderBy.split(' ');
  return { key, direction: direction === 'desc' ? 'desc' : 'asc' };
}

/** Keys that a list call can be sorted by; none where it declares no sorting. */
export function sortKeysOf(input: z.ZodMiniType): ReadonlySet<string> {
  const shape = input instanceof z.ZodMiniObject ? (input.shape as Readonly<Record<string, z.ZodMiniType>>) : {};
  const declared = shape['orderBy'];
  const inner = declared instanceof z.ZodMiniOptional ? declared._zod.def.innerType : declared;
  return new Set(inner instanceof z.ZodMiniEnum ? Object.values(inner._zod.def.entries).map((order) => splitOrder(String(order)).key) : []);
}
