/** Rows of one statement of an export. */
const CHUNK = 1_000;

/**
 * Reads all rows of an export in chunks of 1,000 by their ids.
 * @param read rows with an id above `afterId`, in the order of their ids, at most `limit`
 */
export async function* chunksById<Row extends { id: string }>(read: (afterId: string, limit: number) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let after = '0'; ; ) {
    const rows = await read(after, CHUNK);
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK) return;
    after = rows.at(-1)!.id;
  }
}
