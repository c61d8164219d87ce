import type { Context } from '../context.ts';

/** Adds to a context. Where nobody is logged in, `staff` is a getter that throws and must not be read here. */
export function extend<A extends Pick<Context, 'staffOrNull'>, B extends object>(base: A, more: B): A & B {
  if (base.staffOrNull) return { ...base, ...more };
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(base), ...Object.getOwnPropertyDescriptors(more) }) as A & B;
}
