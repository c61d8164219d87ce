import type { Division } from '#kernel/web/session/gateway.ts';

export interface RegionOption {
  value: string;
  label: string;
  children?: RegionOption[];
}
export interface RegionNode {
  value: string;
  title: string;
  children?: RegionNode[];
}

export const optionsOf = (divisions: readonly Division[]): RegionOption[] =>
  divisions.map(({ adcode, name, districts }) => ({
    value: adcode,
    label: name,
    ...(districts?.length && { children: optionsOf(districts) }),
  }));

export const nodesOf = (divisions: readonly Division[]): RegionNode[] =>
  divisions.map(({ adcode, name, districts }) => ({
    value: adcode,
    title: name,
    ...(districts?.length && { children: nodesOf(districts) }),
  }));

/** Adcodes from the province down to the region; undefined when it is not in the list. */
export function pathTo(divisions: readonly Division[], adcode: string): string[] | undefined {
  for (const division of divisions) {
    if (division.adcode === adcode) return [adcode];
    const below = division.districts && pathTo(division.districts, adcode);
    if (below) return [division.adcode, ...below];
  }
  return undefined;
}

/** Name of a region; a code that the list does not know stands for itself. */
export function regionName(divisions: readonly Division[], adcode: string): string {
  const path = pathTo(divisions, adcode) ?? [];
  let level = divisions;
  const names: string[] = [];
  for (const code of path) {
    const found = level.find((division) => division.adcode === code);
    if (!found) break;
    names.push(found.name);
    level = found.districts ?? [];
  }
  return names.at(-1) ?? adcode;
}
