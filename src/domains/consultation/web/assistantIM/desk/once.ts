const underWay = new Set<string>();

/**
 * Acts once on one thing however often its button is clicked: further clicks do nothing while the first is on its way. @returns null for
 * those.
 */
export async function once<T>(what: string, act: () => Promise<T>): Promise<T | null> {
  if (underWay.has(what)) return null;
  underWay.add(what);
  try {
    return await act();
  } finally {
    underWay.delete(what);
  }
}
