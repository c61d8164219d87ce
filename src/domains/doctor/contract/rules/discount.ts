/**
 * R7: discount of a VIP channel, in fen, rounded down; the price after it never falls below the lowest of the item's band.
 * Example: 9900 fen at 1250 bp → 1237; with a lowest price of 9000 → 900.
 */
export function discountOf(priceFen: number, discountBp: number, lowestFen: number): number {
  const discount = Number((BigInt(priceFen) * BigInt(discountBp)) / 10_000n);
  return Math.max(0, Math.min(discount, priceFen - lowestFen));
}
