interface Renewal {
  mainProductId: string;
  otherProductId: string;
}

/**
 * The products of the circle that one more renewal would close, from its main product back to it; null: there is none. `main` continues
 * `other`, so a circle would make a cover its own predecessor.
 */
export function renewalCycle(known: readonly Renewal[], { mainProductId, otherProductId }: Renewal): string[] | null {
  const before = Map.groupBy(known, (one) => one.mainProductId);
  const walk = (at: string, path: readonly string[], seen: ReadonlySet<string>): string[] | null => {
    if (at === mainProductId) return [...path, at];
    if (seen.has(at)) return null;
    for (const next of before.get(at) ?? []) {
      const found = walk(next.otherProductId, [...path, at], new Set([...seen, at]));
      if (found) return found;
    }
    return null;
  };
  return walk(otherProductId, [mainProductId], new Set());
}
