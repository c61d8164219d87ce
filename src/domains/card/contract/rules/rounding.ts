/** `numerator / denominator` rounded half up; both not negative. */
export const halfUp = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);

export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
export const sumOf = <T>(all: readonly T[], amountOf: (one: T) => bigint): bigint => all.reduce((sum, one) => sum + amountOf(one), 0n);
