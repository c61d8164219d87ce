const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Seconds as people say them: `45秒`, `6分30秒`, `3小时12分`, `2天4小时`; a dash of nothing. */
export function spanText(seconds: number | null): string {
  if (seconds === null) return '—';
  const whole = Math.max(0, seconds);
  const two = (big: number, bigUnit: string, small: number, smallUnit: string) =>
    `${big}${bigUnit}${small === 0 ? '' : `${small}${smallUnit}`}`;
  if (whole < MINUTE) return `${whole}秒`;
  if (whole < HOUR) return two(Math.floor(whole / MINUTE), '分', whole % MINUTE, '秒');
  if (whole < DAY) return two(Math.floor(whole / HOUR), '小时', Math.floor((whole % HOUR) / MINUTE), '分');
  return two(Math.floor(whole / DAY), '天', Math.floor((whole % DAY) / HOUR), '小时');
}
