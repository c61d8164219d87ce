/** Hundredths of a percent, half up; null where there is nothing to be a part of. 37 of 412 are 898. */
export const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.floor((part * 20_000 + whole) / (2 * whole));
