import { plusDays, type Day } from '#kernel/contract/time.ts';

interface Dated {
  id: string;
  versionNo: number;
  effectiveFrom: Day;
  effectiveTo: Day | null;
}

export type Publication =
  | { kind: 'TOO_EARLY' }
  | { kind: 'OVERLAP'; versionNo: number }
  | { kind: 'GAP'; from: Day; to: Day }
  /** `closes`: the open-ended version before, which then ends the day before. */
  | { kind: 'FITS'; closes: { id: string; on: Day } | null };

const meet = (a: Dated, b: Dated) =>
  (a.effectiveTo === null || a.effectiveTo >= b.effectiveFrom) && (b.effectiveTo === null || b.effectiveTo >= a.effectiveFrom);

/** How a document that is to be published stands to the published ones of its parent. */
export function publicationOf(candidate: Dated & { gapNote: string }, published: readonly Dated[], today: Day): Publication {
  const { effectiveFrom } = candidate;
  if (effectiveFrom < today) return { kind: 'TOO_EARLY' };
  const open = published.find((other) => other.effectiveTo === null && other.effectiveFrom < effectiveFrom);
  const overlapping = published.find((other) => other !== open && meet(other, candidate));
  if (overlapping) return { kind: 'OVERLAP', versionNo: overlapping.versionNo };
  if (open) return { kind: 'FITS', closes: { id: open.id, on: plusDays(effectiveFrom, -1) } };
  const before = published.flatMap(({ effectiveTo }) => (effectiveTo !== null && effectiveTo < effectiveFrom ? [effectiveTo] : []));
  const last = before.toSorted().at(-1);
  if (last !== undefined && candidate.gapNote === '' && plusDays(last, 1) < effectiveFrom)
    return { kind: 'GAP', from: plusDays(last, 1), to: plusDays(effectiveFrom, -1) };
  return { kind: 'FITS', closes: null };
}
