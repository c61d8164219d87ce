const names = new Intl.DisplayNames(['zh-CN'], { type: 'region' });

/** Where pharma companies sit that are sold or agented here; others are added when one turns up. */
const codes = [
  'CN', 'HK', 'MO', 'TW', 'US', 'GB', 'DE', 'FR', 'CH', 'JP', 'DK', 'SE', 'NO', 'FI', 'NL', 'BE', 'LU', 'IE', 'IT', 'ES', 'PT', 'AT', 'PL', 'CZ', 'HU', 'GR', 'SI', 'HR', 'RO', 'BG', 'RU', 'TR', 'IL', 'IN', 'KR', 'SG', 'MY', 'TH', 'VN',
  'ID', 'PH', 'PK', 'BD', 'AU', 'NZ', 'CA', 'MX', 'BR', 'AR', 'CL', 'CU', 'ZA', 'EG', 'JO', 'AE', 'SA',
] as const;

/** Name of a country or region by its two letters (ISO 3166). */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code);

/** Choices, with the present one also where it is none of the usual. */
export const countryOptions = (present: string): { value: string; label: string }[] => [...new Set<string>([...codes, present])].filter((code) => /^[A-Z]{2}$/.test(code)).map((value) => ({ value, label: countryName(value) }));
