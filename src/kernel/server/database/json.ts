/** What code writes into a jsonb column. */
export const json = (value: unknown): string => JSON.stringify(value);
