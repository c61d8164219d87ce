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
      return value.length <= 1 ? '*' : `${value[0]}${'*'.repeat(value.length - 1)}`;
    case 'email':
      return value.replace(/^(.).*(@.*)$/, '$1***$2');
    case 'address':
      return value.length <= 6 ? '****' : `${value.slice(0, 6)}****`;
    case 'medical':
      return '****';
  }
}
