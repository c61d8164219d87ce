import type { ListRow } from '../desk/listing.ts';

/** The rows as they stand in the list, for keys that walk through them. */
export const shownRows: { current: readonly ListRow[] } = { current: [] };
