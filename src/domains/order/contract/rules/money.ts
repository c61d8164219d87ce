import { spread } from '#kernel/contract/money.ts';

/** What somebody buys, in fen. */
interface Bought {
  quantity: number;
  unitPriceFen: number;
}
/** What is due for a line: `amount - discount` for the goods, and its part of the freight. */
export interface PricedLine {
  amountFen: number;
  discountFen: number;
  freightFen: number;
}

/** Discount and freight of an order over its lines in proportion to their amounts (R1). */
export function priced(lines: readonly Bought[], totals: { discountFen: number; freightFen: number }): PricedLine[] {
  const amounts = lines.map(({ quantity, unitPriceFen }) => quantity * unitPriceFen);
  const discounts = spread(totals.discountFen, amounts);
  const freights = spread(totals.freightFen, amounts);
  return amounts.map((amountFen, at) => ({ amountFen, discountFen: Number(discounts[at]), freightFen: Number(freights[at]) }));
}

/** What the goods of a line cost after the discount: cards and benefits pay of it, never of the freight. */
export const goodsDue = ({ amountFen, discountFen }: Pick<PricedLine, 'amountFen' | 'discountFen'>): number => amountFen - discountFen;
export const lineDue = (line: PricedLine): number => goodsDue(line) + line.freightFen;
