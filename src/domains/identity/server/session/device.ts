const browsers: readonly [RegExp, string][] = [
  [/MicroMessenger\/(\d+)/, '微信'],
  [/Edg\/(\d+)/, 'Edge'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/Chrome\/(\d+)/, 'Chrome'],
  [/Version\/(\d+).*Safari/, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Android/, 'Android'],
  [/Linux/, 'Linux'],
];

/** `Chrome 141 / Windows` from a User-Agent header; empty text stays empty. */
export function deviceLabelOf(userAgent: string): string {
  if (userAgent.trim() === '') return '';
  const browser = browsers.map(([pattern, name]) => [pattern.exec(userAgent), name] as const).find(([match]) => match);
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? '其他系统';
  return `${browser ? `${browser[1]} ${browser[0]?.[1] ?? ''}`.trim() : '其他浏览器'} / ${system}`;
}
