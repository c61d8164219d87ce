/** The order of siblings with one of them (or a new one) put at an index that counts without it. */
export function arrangeAmong(siblings: readonly string[], id: string, index: number): string[] {
  const others = siblings.filter((sibling) => sibling !== id);
  return [...others.slice(0, index), id, ...others.slice(index)];
}
