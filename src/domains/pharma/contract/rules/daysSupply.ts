/** How a medicine is taken: `amount` smallest dose units each time. */
export interface Dose {
  amount: number;
  unit: string;
  timesPerDay: number;
  days?: number | null | undefined;
}

/** Whole days that `boxes` packages last (R4): floor(packUnits × boxes ÷ (amount × timesPerDay)); null without a dose. */
export function daysOf(packUnits: number, boxes: number, dose: Pick<Dose, 'amount' | 'timesPerDay'> | null): number | null {
  if (!dose || dose.amount <= 0 || dose.timesPerDay <= 0) return null;
  // Doses have at most three decimals: thousandths keep the division exact.
  const perDay = BigInt(Math.round(dose.amount * 1000)) * BigInt(dose.timesPerDay);
  return perDay === 0n ? null : Number((BigInt(packUnits) * BigInt(boxes) * 1000n) / perDay);
}
