/** One cookie of a request's header; null where it has none of that name. */
export function cookieOf(header: string | undefined, name: string): string | null {
  const pair = header?.split(';').find((one) => one.trim().startsWith(`${name}=`));
  return pair?.trim().slice(name.length + 1) ?? null;
}
