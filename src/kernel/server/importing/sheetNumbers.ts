import { formatValue } from 'hucre';
import { numberText } from './normalise.ts';

/** How a workbook shows the numbers of a style. */
export type NumberLook = { kind: 'plain' } | { kind: 'moment'; day: boolean; time: boolean } | { kind: 'zeros'; format: string };

const PLAIN: NumberLook = { kind: 'plain' };
const DAY: NumberLook = { kind: 'moment', day: true, time: false };
const TIME: NumberLook = { kind: 'moment', day: false, time: true };
const MOMENT: NumberLook = { kind: 'moment', day: true, time: true };

/** Formats of days and times that a workbook does not spell out, with those of Chinese Excel (27 to 36, 50 to 58). */
function builtIn(id: number): NumberLook {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 54) || id === 57 || id === 58) return DAY;
  if (id === 22) return MOMENT;
  return (id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47) || id === 55 || id === 56 ? TIME : PLAIN;
}

/** Digits that are always shown, and no sign that would round or change them. */
const ZEROS = /^[^#?.%E,/@*]*0[^#?.%E,/@*]*0[^#?.%E,/@*]*$/i;

/** How numbers of a format look. */
export function lookOf(id: number, code: string | undefined): NumberLook {
  if (code === undefined) return builtIn(id);
  const first = code.split(';')[0] ?? '';
  // Words, colours and languages show nothing of the number; elapsed hours do.
  const signs = first
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(h+|m+|s+)\]/gi, '$1')
    .replaceAll(/\[[^\]]*\]/g, '');
  if (/general/i.test(signs)) return PLAIN;
  const time = /[hs]|上午|AM\/PM/i.test(signs);
  const day = /[yd]/i.test(signs) || (/m/i.test(signs) && !time);
  if (day || time) return { kind: 'moment', day, time };
  return ZEROS.test(signs) ? { kind: 'zeros', format: code } : PLAIN;
}

const DAY_MS = 86_400_000;
/** Excel counts days from here, as if 1900 had been a leap year; workbooks of old Macs from 1904. */
const EPOCH = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** The day that never was: 29 February 1900. */
const NO_DAY = 60;
const MOST_SERIAL = 2_958_465;

/** A day, a time or both as a table shows them; what is no day of the calendar stays a number. */
function momentText(serial: number, { day, time }: { day: boolean; time: boolean }, from1904: boolean): string {
  const seconds = Math.round(serial * 86_400);
  const whole = Math.floor(seconds / 86_400);
  if (serial < 0 || serial > MOST_SERIAL || (!from1904 && whole === NO_DAY)) return numberText(serial);
  const shift = !from1904 && whole < NO_DAY ? DAY_MS : 0;
  const at = new Date((from1904 ? EPOCH_1904 : EPOCH) + shift + seconds * 1_000).toISOString();
  const clock = at.slice(11, 19);
  if (!day) return clock;
  return time && clock !== '00:00:00' ? `${at.slice(0, 10)} ${clock}` : at.slice(0, 10);
}

/** A number of a workbook as the operator sees it. */
export function shownNumber(text: string, look: NumberLook, from1904: boolean): string {
  const value = Number(text);
  if (Number.isNaN(value)) return text;
  if (look.kind === 'moment') return momentText(value, look, from1904);
  const exact = numberText(value);
  return look.kind === 'zeros' && /^-?\d+$/.test(exact) ? formatValue(value, look.format) : exact;
}

/** The day of a serial number, where a table is known to write days as such. */
export const dayOfSerial = (text: string): string =>
  /^\d{5}(?:\.\d+)?$/.test(text) ? momentText(Number(text), { day: true, time: false }, false) : text;
