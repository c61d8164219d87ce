const all = [1, 2, 3, 4, 5, 6, 7] as const;
/** Days of the week as calls take them. */
export const weekdaysOf = (days: readonly number[]): (typeof all)[number][] => all.filter((day) => days.includes(day));
