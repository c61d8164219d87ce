import type { Region } from '../../../identity/server/index.ts';

/** `浙江省杭州市西湖区` of a code among known regions. */
export function regionText(known: ReadonlyMap<string, Region>, adcode: string): string {
  const names = [`${adcode.slice(0, 2)}0000`, `${adcode.slice(0, 4)}00`, adcode].flatMap((code) => known.get(code)?.name ?? []);
  return [...new Set(names)].filter((name) => name !== '市辖区').join('') || adcode;
}
