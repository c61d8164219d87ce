/**
 * Every colour, size and measure of the product, in one place. The style sheets read them as `--kq-…`,
 * antd gets them through `antTheme.ts`.
 */
export interface Palette {
  primary: string;
  /** Text on buttons in the primary colour. */
  onPrimary: string;
  primarySoft: string;
  header: string;
  headerText: string;
  headerMuted: string;
  headerHover: string;
  ground: string;
  surface: string;
  /** Drawers, dialogs, pop-ups. */
  raised: string;
  sunken: string;
  ink: string;
  muted: string;
  /** Hints and marks; readable on every ground all the same. */
  faint: string;
  line: string;
  lineSoft: string;
  success: string;
  warning: string;
  error: string;
  info: string;
  hover: string;
  selected: string;
  shadow: string;
  mask: string;
}

export const light: Palette = {
  primary: '#0d6e80',
  onPrimary: '#ffffff',
  primarySoft: '#e3f1f3',
  header: '#123542',
  headerText: '#f2f7f8',
  headerMuted: '#9fbac3',
  headerHover: '#1d4a5a',
  ground: '#eef1f3',
  surface: '#ffffff',
  raised: '#ffffff',
  sunken: '#f6f8f9',
  ink: '#1c2a32',
  muted: '#5c6d77',
  faint: '#616d74',
  line: '#d9e0e4',
  lineSoft: '#e9edf0',
  success: '#27794d',
  warning: '#965d08',
  error: '#c2373b',
  info: '#2a6eb2',
  hover: '#f0f5f6',
  selected: '#e3f1f3',
  shadow: '0 6px 20px rgb(18 53 66 / 14%)',
  mask: 'rgb(18 40 50 / 34%)',
};

export const dark: Palette = {
  primary: '#4cabbd',
  onPrimary: '#06222a',
  primarySoft: '#173a42',
  header: '#0f1f26',
  headerText: '#e4eef1',
  headerMuted: '#86a0aa',
  headerHover: '#1b333d',
  ground: '#121a1e',
  surface: '#1a2429',
  raised: '#1e2a30',
  sunken: '#202c32',
  ink: '#dbe5e9',
  muted: '#96a8b1',
  faint: '#93a1a8',
  line: '#33424a',
  lineSoft: '#28353c',
  success: '#58b884',
  warning: '#d99a3d',
  error: '#e88789',
  info: '#72abe1',
  hover: '#223037',
  selected: '#173a42',
  shadow: '0 6px 20px rgb(0 0 0 / 45%)',
  mask: 'rgb(0 0 0 / 55%)',
};

export const measures = {
  font: `-apple-system, BlinkMacSystemFont, 'Segoe UI', 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans SC', 'Noto Sans CJK SC', 'Source Han Sans SC', sans-serif`,
  /** Pixels. */
  fontSize: 13,
  radius: 4,
  control: 30,
  headerHeight: 44,
  tabsHeight: 32,
  leftWidth: 208,
} as const;

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The palette and measures as custom properties of the document. */
export function cssVariables(palette: Palette): Record<string, string> {
  const colours = Object.entries(palette).map(([name, value]) => [`--kq-${kebab(name)}`, String(value)]);
  const sizes = Object.entries(measures).map(([name, value]) => [`--kq-${kebab(name)}`, typeof value === 'number' ? `${value}px` : value]);
  return Object.fromEntries([...colours, ...sizes]);
}
