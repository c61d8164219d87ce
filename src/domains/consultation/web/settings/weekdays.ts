export const weekdayNames = ['一', '二', '三', '四', '五', '六', '日'] as const;

/** `[1,2,3,4,5]` → `周一至周五`; single days are listed. */
export function weekdaysText(days: readonly number[]): string {
  const sorted = [...days].sort((a, b) => a - b);
  if (sorted.length === 7) return '每天';
  const name = (day: number | undefined) => `周${weekdayNames[(day ?? 1) - 1] ?? ''}`;
  const runs = sorted.every((day, index) => index === 0 || day === (sorted[index - 1] ?? 0) + 1);
  return sorted.length > 2 && runs ? `${name(sorted[0])}至${name(sorted.at(-1))}` : sorted.map(name).join('、');
}
