import { useSession } from './store.ts';
import type { Division } from './gateway.ts';

function pathOf(divisions: readonly Division[], adcode: string): readonly string[] | null {
  for (const { adcode: own, name, districts } of divisions) {
    if (own === adcode) return [name];
    const below = districts && pathOf(districts, adcode);
    if (below) return [name, ...below];
  }
  return null;
}

/** `浙江省杭州市西湖区`; the code itself where it is not known. */
export const divisionName = (adcode: string): string => pathOf(useSession.getState().cityList, adcode)?.join('') ?? adcode;
