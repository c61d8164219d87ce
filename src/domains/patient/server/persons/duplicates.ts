import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import type { Duplicate } from '../../contract/calls/sufferer.ts';
import { own } from '../database.ts';
import { briefColumns, briefOf } from './brief.ts';

export interface Likeness {
  name: string;
  birthDate: string | null;
  idNoHash: string | null;
  mobileHash: string | null;
}

export const SAME_NUMBER = 100;
export const SAME_MOBILE_AND_NAME = 80;
export const LIKELY = 70;

/** How much two records look like one person (R1), and by what. */
export function scoreOf(a: Likeness, b: Likeness): { score: number; reasons: string[] } {
  const same = (left: string | null, right: string | null) => left !== null && left === right;
  const [number, mobile, name, birth] = [
    same(a.idNoHash, b.idNoHash),
    same(a.mobileHash, b.mobileHash),
    a.name === b.name,
    same(a.birthDate, b.birthDate),
  ];
  const reasons = [number ? '证件号一致' : '', mobile ? '手机号一致' : '', name ? '姓名一致' : '', birth ? '出生日期一致' : ''].filter(
    Boolean,
  );
  const score = number ? SAME_NUMBER : mobile && name ? SAME_MOBILE_AND_NAME : name && birth ? LIKELY : mobile ? 40 : 0;
  return { score, reasons };
}

export type Candidate = Duplicate & { idNoHash: string | null; real: boolean };

/** Live records that look like this one, likeliest first. */
export async function findDuplicates(
  db: Db,
  person: Likeness,
  today: string,
  exceptId: string | null = null,
  least = LIKELY,
): Promise<Candidate[]> {
  const rows = await own(db)
    .selectFrom('patientPatient')
    .select([...briefColumns, 'idNoHash', 'mobileHash'])
    .where('state', 'in', ['ACTIVE', 'FROZEN'])
    .where('id', 'is distinct from', sql<string>`${exceptId}::bigint`)
    .where((eb) =>
      eb.or([
        ...(person.idNoHash === null ? [] : [eb('idNoHash', '=', person.idNoHash)]),
        ...(person.mobileHash === null ? [] : [eb('mobileHash', '=', person.mobileHash)]),
        ...(person.birthDate === null ? [] : [eb.and([eb('name', '=', person.name), eb('birthDate', '=', person.birthDate)])]),
      ]),
    )
    .orderBy('id')
    .limit(200)
    .execute();
  return rows
    .map((row) => ({ ...briefOf(row, today), ...scoreOf(person, row), idNoHash: row.idNoHash, real: row.realNameState === 'VERIFIED' }))
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 20);
}

/** Without what only the server needs. */
export const shown = ({ idNoHash: _hash, real: _real, ...duplicate }: Candidate): Duplicate => duplicate;

/** Keys under which writers of the same person wait for each other. */
export const likenessKeys = (person: Likeness): string[] => [
  ...(person.idNoHash === null ? [] : [`id:${person.idNoHash}`]),
  ...(person.mobileHash === null ? [] : [`mobile:${person.mobileHash}`]),
  ...(person.birthDate === null ? [] : [`name:${person.name}:${person.birthDate}`]),
];
