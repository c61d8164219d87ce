/** Rows of one statement of an export. */
const CHUNK = 1_000;

/**
 * Reads all rows of an export in chunks of 1,000 by their ids.
 * @param read rows with an id above `afterId`, in the order of their ids, at most `limit`
 */
export async function* chunksById<Row extends { id: string }>(
  read: (afterId: string, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = '0'; ;) {
    const rows = await read(after, CHUNK);
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK) return;
    after = rows.at(-1)!.id;
  }
}

/** Above every id. */
const LAST_ID = '9223372036854775807';

/**
 * The same from the newest row down, for lists whose newest row comes first.
 * @param read rows with an id below `beforeId`, in the falling order of their ids, at most `limit`
 */
export async function* chunksDown<Row extends { id: string }>(
  read: (beforeId: string, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let before = LAST_ID; ;) {
    const rows = await read(before, CHUNK);
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK) return;
    before = rows.at(-1)!.id;
  }
}
