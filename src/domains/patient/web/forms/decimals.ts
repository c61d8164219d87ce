/** A decimal of at most three places as typed; null when it is none. */
export const decimalOf = (typed: string): string | null => (/^\d{1,9}(\.\d{1,3})?$/.test(typed.trim()) ? typed.trim() : null);
