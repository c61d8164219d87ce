interface Spot {
  text: string;
  x: number;
  y: number;
  radius: number;
}
interface Label {
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
}
interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Size of the letters on the map, and what stays free around circles. */
const [LETTER, GAP] = [11, 3];

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** A name beside each circle - right, left, below or above it - where it covers the least of other circles and names. */
export function placeLabels(spots: readonly Spot[]): readonly Label[] {
  const taken: Box[] = spots.map(({ x, y, radius }) => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }));
  return spots.map(({ text, x, y, radius }, own) => {
    const width = text.length * LETTER;
    const choices: readonly (Label & { left: number })[] = [
      { x: x + radius + GAP, y: y + 4, anchor: 'start', left: x + radius + GAP },
      { x: x - radius - GAP, y: y + 4, anchor: 'end', left: x - radius - GAP - width },
      { x, y: y + radius + LETTER + 1, anchor: 'middle', left: x - width / 2 },
      { x, y: y - radius - GAP, anchor: 'middle', left: x - width / 2 },
    ];
    const boxOf = ({ left, y: base }: (typeof choices)[number]): Box => ({
      left,
      right: left + width,
      top: base - LETTER,
      bottom: base + 2,
    });
    const covered = (choice: (typeof choices)[number]) =>
      taken.reduce((sum, box, index) => sum + (index === own ? 0 : overlap(boxOf(choice), box)), 0);
    const best = choices.reduce((least, choice) => (covered(choice) < covered(least) ? choice : least));
    taken.push(boxOf(best));
    return { x: best.x, y: best.y, anchor: best.anchor };
  });
}
