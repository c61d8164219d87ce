interface Span {
  startAt: string;
  endAt: string;
}

/** Bars in as few lines as hold them without covering each other, each in the first line with room. */
export function lanesOf<T extends Span>(bars: readonly T[]): T[][] {
  const lanes: T[][] = [];
  for (const bar of bars.toSorted((a, b) => Date.parse(a.startAt) - Date.parse(b.startAt))) {
    const free = lanes.find((lane) => Date.parse(lane.at(-1)?.endAt ?? '') <= Date.parse(bar.startAt));
    if (free) free.push(bar);
    else lanes.push([bar]);
  }
  return lanes;
}
