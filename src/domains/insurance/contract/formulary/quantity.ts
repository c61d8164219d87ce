/** Thousandths of a unit as people write them: 1500 → `1.5`. */
export function quantityText(milli: number): string {
  const rest = String(milli % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(milli / 1000)}${rest === '' ? '' : `.${rest}`}`;
}

/** The same read: at most three decimals; null: it is no quantity. */
export function milliOf(text: string): number | null {
  const found = /^(\d{1,6})(?:\.(\d{1,3}))?$/.exec(text.trim());
  if (!found) return null;
  return Number(found[1]) * 1000 + Number((found[2] ?? '').padEnd(3, '0'));
}
