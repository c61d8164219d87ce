/** Municipalities, 台湾, 香港 and 澳门: the province is the city. */
const IS_CITY = new Set(['11', '12', '31', '50', '71', '81', '82']);

/** Code of the city in which a region lies: counties that a province runs itself count as cities. A whole province stays what it is. */
export function cityOf(adcode: string): string {
  const province = adcode.slice(0, 2);
  if (IS_CITY.has(province)) return `${province}0000`;
  return adcode.slice(2, 4) === '90' ? adcode : `${adcode.slice(0, 4)}00`;
}

/** Whether a code is that of one city. */
export const isCity = (adcode: string): boolean =>
  /^\d{6}$/.test(adcode) &&
  cityOf(adcode) === adcode &&
  (IS_CITY.has(adcode.slice(0, 2)) || !adcode.endsWith('0000')) &&
  !adcode.endsWith('9000');
