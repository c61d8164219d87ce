export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
export const sumOf = <T>(all: readonly T[], amountOf: (one: T) => bigint): bigint => all.reduce((sum, one) => sum + amountOf(one), 0n);
