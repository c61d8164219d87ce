import type { Division } from '#kernel/web/session/gateway.ts';

function namesTo(divisions: readonly Division[], adcode: string): string[] | null {
  for (const { adcode: own, name, districts } of divisions) {
    if (own === adcode) return [name];
    const below = districts && namesTo(districts, adcode);
    if (below) return [name, ...below];
  }
  return null;
}

/** A region from its province down; a code that the list does not know stands for itself. */
export const regionWords = (divisions: readonly Division[], adcode: string): string => namesTo(divisions, adcode)?.join(' / ') ?? adcode;
