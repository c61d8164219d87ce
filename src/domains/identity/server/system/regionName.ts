import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { own } from '../database.ts';

/** `310104` → `上海市徐汇区`; retired codes stay resolvable; the code itself when unknown. */
export async function regionName(db: Db | Tx, adcode: string): Promise<string> {
  const codes = [...new Set([`${adcode.slice(0, 2)}0000`, `${adcode.slice(0, 4)}00`, adcode])];
  const rows = await own(db).selectFrom('identityRegion').select(['adcode', 'name']).where('adcode', 'in', codes).execute();
  if (!rows.some((row) => row.adcode === adcode)) return adcode;
  const names = codes.flatMap((code) => rows.find((row) => row.adcode === code)?.name ?? []);
  // The municipalities' 市辖区 says nothing.
  return [...new Set(names)].filter((name) => name !== '市辖区').join('');
}
