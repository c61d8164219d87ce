import { startsPattern } from '#kernel/server/database/search.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';

export interface Icd10Row {
  code: string;
  name: string;
  parentCode: string | null;
}

const columns = ['code', 'name', 'parentCode'] as const;

/** Codes with their names; unknown ones are left out. */
export async function icd10(db: Db | Tx, codes: readonly string[]): Promise<Icd10Row[]> {
  if (codes.length === 0) return [];
  return own(db)
    .selectFrom('identityIcd10')
    .select(columns)
    .where('code', 'in', [...codes])
    .orderBy('code')
    .execute();
}

/** Whether any disease code begins with the text (`C34`, `C34.9`). */
export async function icd10PrefixExists(db: Db | Tx, prefix: string): Promise<boolean> {
  const row = await own(db)
    .selectFrom('identityIcd10')
    .select('code')
    .where('code', 'like', startsPattern(prefix.toUpperCase()))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** At most 50 codes by beginning of the code, part of the name, or pinyin initials; exact beginnings first. */
export async function findIcd10(db: Db, keyword: string): Promise<Icd10Row[]> {
  const plain = keyword.trim().replace(/[\\%_]/g, '\\$&');
  return own(db)
    .selectFrom('identityIcd10')
    .select(columns)
    .$if(plain !== '', (select) =>
      select.where((eb) =>
        eb.or([
          eb('code', 'like', `${plain.toUpperCase()}%`),
          eb('name', 'like', `%${plain}%`),
          ...(/^[a-zA-Z]{2,}$/.test(plain) ? [eb('pinyin', 'like', `${plain.toLowerCase()}%`)] : []),
        ]),
      ),
    )
    .orderBy((eb) =>
      eb.case().when('code', 'like', `${plain.toUpperCase()}%`).then(0).when('name', 'like', `${plain}%`).then(1).else(2).end(),
    )
    .orderBy('code')
    .limit(50)
    .execute();
}
