import { sql } from 'kysely';
import { hash } from 'node:crypto';
import type { ParsedRow } from '#kernel/server/importing/importer.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import { fieldColumns, rowFacts } from '#kernel/server/importing/rowFacts.ts';
import { textOf } from '#kernel/server/importing/rows.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { hospitalFactKeys, hospitalFacts, type HospitalFacts } from '../../contract/hospitalCalls.ts';
import { own } from '../database.ts';
import type { Place } from '../regions.ts';
import { normName } from '../rules/normName.ts';
import type { RegionBook } from './regionBook.ts';

/** The template; what stands under the key of an entered fact is read, compared and written by that alone. */
export const hospitalColumns = importColumns(hospitalFacts, [
  { key: 'name', example: '杭州市第一人民医院' },
  { key: 'level', example: '三级甲等' },
  { key: 'kind', required: false, example: '综合医院' },
  { key: 'ownership', required: false, example: '公立' },
  { key: 'province', label: '省', type: 'text', required: true, maxLength: 30, example: '浙江省' },
  { key: 'city', label: '市', type: 'text', required: true, maxLength: 30, example: '杭州市' },
  {
    key: 'district',
    label: '区县',
    type: 'text',
    required: false,
    maxLength: 30,
    example: '上城区',
    note: '名称或6位行政区划代码；没有区县的城市不填',
  },
  'address',
  'uscc',
  'licenceNo',
  'nhsaCode',
  'phone',
  { key: 'former', label: '曾用名', type: 'text', maxLength: 300, note: '多个用顿号分隔' },
]);
export const importedFacts = fieldColumns(hospitalColumns, hospitalFactKeys);

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

export const placeIn = (book: RegionBook, row: ParsedRow) =>
  book.find(textOf(row, 'province'), textOf(row, 'city'), textOf(row, 'district'));

/** The row read with its region; null when there is no such region (an error of the check). */
export function readHospital(row: ParsedRow, book: RegionBook): ReadHospital | null {
  const place = placeIn(book, row);
  if (!place) return null;
  // A row whose name or level cannot be read is looked at for what else is wrong with it, and never written.
  const { name = textOf(row, 'name'), level = 'L0', ...filled } = rowFacts(hospitalFacts, importedFacts, row);
  const former = textOf(row, 'former')
    .split(/[,，、;；]+/)
    .map((text) => text.trim())
    .filter(Boolean);
  const facts = { ...filled, name, level, adcode: place.adcode };
  return {
    rowNo: row.rowNo,
    facts,
    place,
    norm: normName(name, place),
    uscc: filled.uscc ?? null,
    nhsaCode: filled.nhsaCode ?? null,
    phone: filled.phone ?? '',
    former,
    hash: hash('sha256', JSON.stringify([facts, former])),
  };
}

/** Stored hospitals that rows may mean, by each of the three keys; one query for all rows. */
export async function storedFor(db: Db | Tx, rows: readonly ReadHospital[]) {
  const tables = own(db);
  const codes = rows.flatMap(({ nhsaCode }) => nhsaCode ?? []);
  const usccs = rows.flatMap(({ uscc }) => uscc ?? []);
  const stored = await tables
    .selectFrom('institutionHospital')
    .select(hospitalFactKeys)
    .select(['id', 'hospitalNo', 'normName', 'cityAdcode', 'rowHash', 'version'])
    .where('state', '<>', 'MERGED')
    .where(
      sql<boolean>`(
        norm_name = any(${rows.map(({ norm }) => norm)}::text[]) or nhsa_code = any(${codes}::text[]) or uscc = any(${usccs}::text[])
      )`,
    )
    .execute();
  const main = stored.filter(({ parentId }) => parentId === null);
  const byCode = new Map(main.flatMap((row) => (row.nhsaCode === null ? [] : [[row.nhsaCode, row] as const])));
  const byUscc = new Map(main.flatMap((row) => (row.uscc === null ? [] : [[row.uscc, row] as const])));
  const byName = new Map(stored.map((row) => [`${row.cityAdcode}:${row.normName}`, row]));
  return (row: ReadHospital) => {
    const found = [
      row.nhsaCode === null ? undefined : byCode.get(row.nhsaCode),
      row.uscc === null ? undefined : byUscc.get(row.uscc),
      byName.get(`${row.place.cityAdcode}:${row.norm}`),
    ].filter((one) => one !== undefined);
    return { match: found[0] ?? null, torn: new Set(found.map(({ id }) => id)).size > 1 ? found : [] };
  };
}

/** From here on a row is taken for a hospital that is there, and not written (R2). */
const LIKELY = 80;
const WEIGHTS = { licence: 100, alias: 70, phone: 15, kind: -10 };

export interface Suspect {
  id: string;
  hospitalNo: string;
  name: string;
  why: string;
  likely: boolean;
  holdsLicence: boolean;
}

/** The hospital that a row of another name is most like: by its licence, or in the same city by another name or the phone. */
export async function suspects(db: Db | Tx, rows: readonly ReadHospital[]): Promise<ReadonlyMap<number, Suspect>> {
  const tables = own(db);
  const seen = tables
    .selectFrom('institutionHospital as h')
    .select(['h.id', 'h.cityAdcode', 'h.hospitalNo', 'h.name', 'h.kind'])
    .where('h.state', '<>', 'MERGED');
  const texts = (values: readonly (string | undefined)[]) => values.filter(Boolean);
  const [phones, licences, norms] = [
    texts(rows.map(({ phone }) => phone)),
    texts(rows.map(({ facts }) => facts.licenceNo ?? undefined)),
    texts(rows.map(({ norm }) => norm)),
  ];
  const named =
    norms.length === 0
      ? []
      : await seen
          .innerJoin('institutionHospitalAlias as a', 'a.hospitalId', 'h.id')
          .select('a.normName')
          .where(sql<boolean>`a.norm_name = any(${norms}::text[])`)
          .execute();
  const called =
    phones.length === 0
      ? []
      : await seen
          .select('h.phone')
          .where(sql<boolean>`h.phone = any(${phones}::text[])`)
          .execute();
  const licensed =
    licences.length === 0
      ? []
      : await seen
          .select('h.licenceNo')
          .where('h.parentId', 'is', null)
          .where(sql<boolean>`h.licence_no = any(${licences}::text[])`)
          .execute();
  const byName = Map.groupBy(named, (one) => `${one.cityAdcode}:${one.normName}`);
  const byPhone = Map.groupBy(called, (one) => `${one.cityAdcode}:${one.phone}`);
  const byLicence = Map.groupBy(licensed, (one) => one.licenceNo);
  const found = new Map<number, Suspect>();
  for (const row of rows) {
    const scores = new Map<string, Suspect & { score: number }>();
    const add = (
      others: readonly { id: string; hospitalNo: string; name: string; kind: string }[] | undefined,
      weight: number,
      why: string,
    ) => {
      for (const { id, hospitalNo, name, kind } of others ?? []) {
        const one = scores.get(id) ?? {
          id,
          hospitalNo,
          name,
          why: '',
          likely: false,
          holdsLicence: false,
          score: kind === (row.facts.kind ?? 'GENERAL') ? 0 : WEIGHTS.kind,
        };
        scores.set(id, { ...one, score: one.score + weight, why: one.why ? `${one.why}、${why}` : why });
      }
    };
    if (row.facts.licenceNo) add(byLicence.get(row.facts.licenceNo), WEIGHTS.licence, '许可证号相同');
    add(byName.get(`${row.place.cityAdcode}:${row.norm}`), WEIGHTS.alias, '与其别名一致');
    if (row.phone !== '') add(byPhone.get(`${row.place.cityAdcode}:${row.phone}`), WEIGHTS.phone, '电话相同');
    const best = [...scores.values()].toSorted((a, b) => b.score - a.score)[0];
    if (best)
      found.set(row.rowNo, {
        ...best,
        likely: best.score >= LIKELY,
        holdsLicence: byLicence.get(row.facts.licenceNo ?? null)?.some(({ id }) => id === best.id) ?? false,
      });
  }
  return found;
}
