/** What an adjustment of income is based on. */
export const INCOME_ADJUST = 'INCOME_ADJUST';
