import { pinyin } from 'pinyin-pro';

/** Names of the regions in which an institution stands, without which its name is compared. */
export interface RegionNames {
  province: string;
  city: string;
}

const halfWidth = (text: string) =>
  text.replaceAll('　', ' ').replaceAll(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));

/** A region's name with and without its last character (省, 市, 区 …). */
const bare = (name: string) => name.replace(/(特别行政区|维吾尔自治区|壮族自治区|回族自治区|自治区|省|市)$/, '');

/**
 * The form in which names are compared (R1): half width, no spaces and signs, the text of brackets kept; the province's
 * name is dropped only before the city's; 省/市 after the own region's name and trailing 有限公司 are dropped.
 */
export function normName(name: string, region: RegionNames): string {
  let text = halfWidth(name)
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  const province = bare(region.province);
  const city = bare(region.city);
  if (province && city && province !== city) {
    for (const written of [region.province, province]) {
      if (text.startsWith(`${written}${city}`)) {
        text = text.slice(written.length);
        break;
      }
    }
  }
  for (const own of [city, province]) {
    if (own && new RegExp(`^${own}[省市]`).test(text)) text = own + text.slice(own.length + 1);
  }
  return text.replace(/(有限责任公司|有限公司)$/, '');
}

/** Two-character grams, each once; a name of one character is its own gram. */
export function grams(norm: string): string[] {
  const signs = [...norm];
  if (signs.length < 2) return signs;
  return [...new Set(signs.slice(1).map((sign, index) => `${signs[index]}${sign}`))];
}

/** Dice coefficient of two gram sets in ten-thousandths, rounded down. */
export function diceBp(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 0;
  const other = new Set(b);
  const common = a.filter((gram) => other.has(gram)).length;
  return Math.floor((2 * common * 10_000) / (a.length + b.length));
}

/** Initials, a space, full syllables: `hzdyrmyy hangzhoudiyirenminyiyuan`. */
export function namePinyin(name: string): string {
  const syllables = pinyin(halfWidth(name), { toneType: 'none', type: 'array', nonZh: 'consecutive' })
    .map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    .filter(Boolean);
  return `${syllables.map((part) => part[0]).join('')} ${syllables.join('')}`;
}
