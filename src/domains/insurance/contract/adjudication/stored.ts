import * as z from 'zod/mini';
import { adjudicationInput, type AdjudicationInput } from './input.ts';
import { withProduct } from './keys.ts';

/**
 * An input as it lies in a snapshot, a test case or an event, also one of engine 1.0, whose keys carried no product; null: it is none.
 * @param productId of the version that it was worked out under
 */
export function storedInput(stored: unknown, productId: string): AdjudicationInput | null {
  const read = z.safeParse(adjudicationInput, stored);
  if (!read.success) return null;
  const { balances } = read.data;
  return {
    ...read.data,
    balances: Object.fromEntries(Object.entries(balances).map(([key, used]) => [withProduct(key, productId), used])),
  };
}
