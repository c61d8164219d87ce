import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Candidate } from '../../contract/duplicateCalls.ts';
import { own, ownTx } from '../database.ts';
import { duplicateScore, RELATED, type Comparable } from '../rules/duplicateScore.ts';

const MOST = 200;

interface Wanted extends Omit<Comparable, 'aliasNorms'> {
  aliasNorms: readonly string[];
  cityAdcode: string;
  /** Its own id, when it is stored already. */
  id: string | null;
}

/** Hospitals of the city that share a part of the name, or any with an equal key; 60 points and more, best first (R2). */
export async function findCandidates(db: Db | Tx, wanted: Wanted): Promise<Candidate[]> {
  const rows = await own(db)
    .selectFrom('institutionHospital as h')
    .select([
      'h.id',
      'h.hospitalNo',
      'h.name',
      'h.level',
      'h.address',
      'h.phone',
      'h.uscc',
      'h.licenceNo',
      'h.nhsaCode',
      'h.state',
      'h.normName',
      'h.nameGrams',
      'h.lngE6',
      'h.latE6',
      'h.kind',
      'h.parentId',
      'h.version',
      sql<string[]>`array(select a.norm_name from institution_hospital_alias a where a.hospital_id = h.id)`.as('aliasNorms'),
    ])
    .where('h.state', '<>', 'MERGED')
    .where('h.id', 'is distinct from', wanted.id)
    .where((eb) =>
      eb.or([
        eb.and([eb('h.cityAdcode', '=', wanted.cityAdcode), sql<boolean>`h.name_grams && ${[...wanted.nameGrams]}::text[]`]),
        ...(wanted.uscc ? [eb('h.uscc', '=', wanted.uscc)] : []),
        ...(wanted.licenceNo ? [eb('h.licenceNo', '=', wanted.licenceNo)] : []),
        ...(wanted.nhsaCode ? [eb('h.nhsaCode', '=', wanted.nhsaCode)] : []),
        sql<boolean>`h.id in (select a.hospital_id from institution_hospital_alias a join institution_hospital o on o.id = a.hospital_id
          where a.norm_name = any (${[wanted.normName, ...wanted.aliasNorms]}::text[]) and o.city_adcode = ${wanted.cityAdcode})`,
      ]),
    )
    .orderBy(sql`(h.uscc = ${wanted.uscc}) is true`, 'desc')
    .orderBy(sql`cardinality(array(select unnest(h.name_grams) intersect select unnest(${[...wanted.nameGrams]}::text[])))`, 'desc')
    .orderBy('h.id')
    .limit(MOST)
    .execute();
  return rows
    .map((row) => {
      const { score, why, distanceM } = duplicateScore(wanted, row);
      return {
        hospitalId: row.id,
        hospitalNo: row.hospitalNo,
        name: row.name,
        level: row.level,
        address: row.address,
        phone: row.phone,
        uscc: row.uscc,
        state: row.state,
        score,
        why,
        distanceM,
        version: row.version,
      };
    })
    .filter(({ score }) => score >= RELATED)
    .toSorted((a, b) => b.score - a.score || Number(a.hospitalId) - Number(b.hospitalId));
}

/** Scores a stored hospital against the others again; its pairs are replaced. */
export async function refreshPairs(tx: Tx, hospitalId: string, now: Instant): Promise<void> {
  const tables = ownTx(tx);
  const row = await tables.selectFrom('institutionHospital').selectAll().where('id', '=', hospitalId).executeTakeFirst();
  await tables
    .deleteFrom('institutionDuplicatePair')
    .where((eb) => eb.or([eb('leftId', '=', hospitalId), eb('rightId', '=', hospitalId)]))
    .execute();
  if (!row || row.state === 'MERGED') return;
  const aliases = await tables.selectFrom('institutionHospitalAlias').select('normName').where('hospitalId', '=', hospitalId).execute();
  const found = await findCandidates(tx, { ...row, aliasNorms: aliases.map(({ normName }) => normName) });
  if (found.length === 0) return;
  await tables
    .insertInto('institutionDuplicatePair')
    .values(
      found.map(({ hospitalId: other, score, why, distanceM }) => {
        const [leftId, rightId] = BigInt(other) < BigInt(hospitalId) ? [other, hospitalId] : [hospitalId, other];
        return { leftId, rightId, score, why: [...why], distanceM, scoredAt: now };
      }),
    )
    .onConflict((conflict) =>
      conflict.columns(['leftId', 'rightId']).doUpdateSet((eb) => ({
        score: eb.ref('excluded.score'),
        why: eb.ref('excluded.why'),
        distanceM: eb.ref('excluded.distanceM'),
        scoredAt: eb.ref('excluded.scoredAt'),
      })),
    )
    .execute();
}
