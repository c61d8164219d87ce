/** Names of the databases in which a browser keeps the chat, one for each account. */
export const KEPT_PREFIX = 'kangqiao.im.';
const OUTBOX = 'outbox';

const keptNames = async (): Promise<string[]> => {
  const all = await globalThis.indexedDB?.databases?.().catch(() => []);
  return (all ?? []).flatMap(({ name }) => (name?.startsWith(KEPT_PREFIX) ? [name] : []));
};

const countIn = (name: string): Promise<number> =>
  new Promise((resolve) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => resolve(0);
    opening.onsuccess = () => {
      const db = opening.result;
      const done = (n: number) => {
        db.close();
        resolve(n);
      };
      if (!db.objectStoreNames.contains(OUTBOX)) return done(0);
      const counting = db.transaction(OUTBOX).objectStore(OUTBOX).count();
      counting.onsuccess = () => done(counting.result);
      counting.onerror = () => done(0);
    };
  });

/** Messages that wait in this browser, of whichever tab, also where no tab shows the chat any more. */
export async function unsentKept(): Promise<number> {
  const counts = await Promise.all((await keptNames()).map(countIn));
  return counts.reduce((sum, n) => sum + n, 0);
}

/** Empties what the browser kept of the chat. */
export async function forgetKept(): Promise<void> {
  for (const name of await keptNames()) indexedDB.deleteDatabase(name);
}
