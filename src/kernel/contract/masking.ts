import { characters, firstCharacters } from './plainText.ts';

/** How a sensitive value is shown to who may not read it. */
export type SensitiveKind = 'mobile' | 'idNo' | 'bankCard' | 'name' | 'email' | 'address' | 'medical';

/** `13812345678` → `138****5678`. */
export function mask(kind: SensitiveKind, value: string): string {
  switch (kind) {
    case 'mobile':
      return value.length >= 11 ? `${value.slice(0, 3)}****${value.slice(-4)}` : '****';
    case 'idNo':
      return value.length >= 15 ? `${value.slice(0, 3)}${'*'.repeat(value.length - 7)}${value.slice(-4)}` : '****';
    case 'bankCard':
      return value.length >= 8 ? `${'*'.repeat(value.length - 4)}${value.slice(-4)}` : '****';
    case 'name':
      return maskedName(characters(value));
    case 'email':
      return value.replace(/^(.).*(@.*)$/u, '$1***$2');
    case 'address':
      return characters(value).length <= 6 ? '****' : `${firstCharacters(value, 6)}****`;
    case 'medical':
      return '****';
  }
}

const maskedName = ([first = '', ...rest]: readonly string[]): string => (rest.length === 0 ? '*' : `${first}${'*'.repeat(rest.length)}`);
