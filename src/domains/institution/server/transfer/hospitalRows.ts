import { sql } from 'kysely';
import type { ParsedRow } from '../../../../kernel/server/importing/importer.ts';
import { hash } from 'node:crypto';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { isUscc } from '../../contract/checkCharacters.ts';
import type { HospitalFacts } from '../../contract/hospitalCalls.ts';
import { ownDb } from '../database.ts';
import type { Place } from '../regions.ts';
import { normName } from '../rules/normName.ts';
import type { RegionBook } from './regionBook.ts';

export const cell = (row: ParsedRow, key: string): string => String(row.record[key] ?? '').trim();
const orNull = (text: string) => (text === '' ? null : text);

/** A row as a hospital: only what the file fills in. */
export interface ReadHospital {
  rowNo: number;
  facts: Pick<HospitalFacts, 'name' | 'level'> & Partial<HospitalFacts>;
  place: Place;
  norm: string;
  uscc: string | null;
  nhsaCode: string | null;
  phone: string;
  former: string[];
  hash: string;
}

export const placeIn = (book: RegionBook, row: ParsedRow) => book.find(cell(row, 'province'), cell(row, 'city'), cell(row, 'district'));

/** The row read with its region; null when there is no such region (an error of the check). */
export function readHospital(row: ParsedRow, book: RegionBook): ReadHospital | null {
  const place = placeIn(book, row);
  if (!place) return null;
  const filled: Partial<HospitalFacts> = {};
  const kind = cell(row, 'kind');
  const ownership = cell(row, 'ownership');
  if (kind) filled.kind = kind as HospitalFacts['kind'];
  if (ownership) filled.ownership = ownership as HospitalFacts['ownership'];
  for (const key of ['address', 'phone'] as const) if (cell(row, key)) filled[key] = cell(row, key);
  for (const key of ['uscc', 'licenceNo', 'nhsaCode'] as const) if (cell(row, key)) filled[key] = cell(row, key).toUpperCase();
  const name = cell(row, 'name');
  const former = cell(row, 'former').split(/[,，、;；]+/).map((text) => text.trim()).filter(Boolean);
  const facts = { ...filled, name, level: cell(row, 'level') as HospitalFacts['level'], adcode: place.adcode };
  return {
    rowNo: row.rowNo, facts, place, norm: normName(name, place), uscc: orNull(filled.uscc ?? ''), nhsaCode: orNull(filled.nhsaCode ?? ''), phone: filled.phone ?? '', former,
    hash: hash('sha256', JSON.stringify([facts, former])),
  };
}

export const wrongUscc = (row: ParsedRow): boolean => cell(row, 'uscc') !== '' && !isUscc(cell(row, 'uscc').toUpperCase());

/** Stored hospitals that rows may mean, by each of the three keys; one query for all rows. */
export async function storedFor(db: Db | Tx, rows: readonly ReadHospital[]) {
  const own = ownDb(db);
  const codes = rows.flatMap(({ nhsaCode }) => nhsaCode ?? []);
  const usccs = rows.flatMap(({ uscc }) => uscc ?? []);
  const stored = await own
    .selectFrom('institutionHospital')
    .select(['id', 'hospitalNo', 'name', 'level', 'kind', 'ownership', 'adcode', 'address', 'phone', 'uscc', 'licenceNo', 'nhsaCode', 'normName', 'cityAdcode', 'rowHash', 'version', 'parentId'])
    .where('state', '<>', 'MERGED')
    .where(sql<boolean>`(norm_name = any(${rows.map(({ norm }) => norm)}::text[]) or nhsa_code = any(${codes}::text[]) or uscc = any(${usccs}::text[]))`)
    .execute();
  const main = stored.filter(({ parentId }) => parentId === null);
  const byCode = new Map(main.flatMap((row) => (row.nhsaCode === null ? [] : [[row.nhsaCode, row] as const])));
  const byUscc = new Map(main.flatMap((row) => (row.uscc === null ? [] : [[row.uscc, row] as const])));
  const byName = new Map(stored.map((row) => [`${row.cityAdcode}:${row.normName}`, row]));
  return (row: ReadHospital) => {
    const found = [row.nhsaCode === null ? undefined : byCode.get(row.nhsaCode), row.uscc === null ? undefined : byUscc.get(row.uscc), byName.get(`${row.place.cityAdcode}:${row.norm}`)].filter((one) => one !== undefined);
    return { match: found[0] ?? null, torn: new Set(found.map(({ id }) => id)).size > 1 ? found : [] };
  };
}

/** Hospitals of the same city that have one of the names as another name, or the same phone. */
export async function suspects(db: Db | Tx, rows: readonly ReadHospital[]): Promise<ReadonlyMap<number, { hospitalNo: string; name: string; why: string }>> {
  const own = ownDb(db);
  const phones = rows.map(({ phone }) => phone).filter(Boolean);
  const aliases = await own
    .selectFrom('institutionHospitalAlias as a')
    .innerJoin('institutionHospital as h', 'h.id', 'a.hospitalId')
    .select(['a.normName', 'h.cityAdcode', 'h.hospitalNo', 'h.name'])
    .where(sql<boolean>`a.norm_name = any(${rows.map(({ norm }) => norm)}::text[])`)
    .where('h.state', '<>', 'MERGED')
    .execute();
  const sharing = phones.length === 0 ? [] : await own.selectFrom('institutionHospital').select(['phone', 'cityAdcode', 'hospitalNo', 'name']).where(sql<boolean>`phone = any(${phones}::text[])`).where('state', '<>', 'MERGED').execute();
  const found = new Map<number, { hospitalNo: string; name: string; why: string }>();
  const byName = new Map(aliases.map((row) => [`${row.cityAdcode}:${row.normName}`, row]));
  const byPhone = new Map(sharing.map((row) => [`${row.cityAdcode}:${row.phone}`, row]));
  for (const row of rows) {
    const alias = byName.get(`${row.place.cityAdcode}:${row.norm}`);
    const phone = row.phone === '' ? undefined : byPhone.get(`${row.place.cityAdcode}:${row.phone}`);
    if (alias) found.set(row.rowNo, { ...alias, why: '与其别名一致' });
    else if (phone) found.set(row.rowNo, { ...phone, why: '电话相同' });
  }
  return found;
}
