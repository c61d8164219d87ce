import type { Typed } from '../form/useTyped.ts';

interface NumberBounds {
  min?: number | undefined;
  max?: number | undefined;
  /** Most decimals; absent: as many as are typed. */
  precision?: number | undefined;
}

/** Reads a number as somebody types or pastes it: `1,234`, `３０`, `12.`; what it must be otherwise is said, and never made so. */
export function typedNumber(typed: string, { min, max, precision }: NumberBounds): Typed<number> {
  const text = typed.normalize('NFKC').replaceAll(/[\s,]/g, '').replaceAll('。', '.').replaceAll('−', '-');
  if (text === '' || text === '-' || text === '.') return { value: null, text };
  if (!/^-?\d*\.?\d*$/.test(text)) return { fault: '请输入数字' };
  const decimals = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
  if (precision !== undefined && decimals > precision) return { fault: precision === 0 ? '请输入整数' : `最多${precision}位小数` };
  const value = Number(text);
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return { fault: '数字位数过多' };
  if (min !== undefined && value < min) return { fault: max === undefined ? `不能小于${min}` : `须为${min}至${max}` };
  if (max !== undefined && value > max) return { fault: min === undefined ? `不能大于${max}` : `须为${min}至${max}` };
  return { value, text };
}
