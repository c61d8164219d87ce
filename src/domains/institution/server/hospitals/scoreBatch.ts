import { sql } from 'kysely';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Db } from '#kernel/server/context.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { own, ownTx } from '../database.ts';
import { duplicateScore, RELATED, type Comparable } from '../rules/duplicateScore.ts';

/** Scored between two looks at other work. */
const AT_ONCE = 50;
const WRITE_AT_ONCE = 500;

interface Compared extends Comparable {
  id: string;
  imported: boolean;
}

async function ofCity(db: Db, cityAdcode: string, batchNo: string): Promise<Compared[]> {
  return own(db)
    .selectFrom('institutionHospital as h')
    .select([
      'h.id',
      'h.normName',
      'h.nameGrams',
      'h.uscc',
      'h.licenceNo',
      'h.nhsaCode',
      'h.lngE6',
      'h.latE6',
      'h.phone',
      'h.kind',
      'h.parentId',
      sql<boolean>`h.import_batch_no is not distinct from ${batchNo}`.as('imported'),
      sql<string[]>`array(select a.norm_name from institution_hospital_alias a where a.hospital_id = h.id)`.as('aliasNorms'),
    ])
    .where('h.cityAdcode', '=', cityAdcode)
    .where('h.state', '<>', 'MERGED')
    .execute();
}

/** Which hospitals have a gram, a name or a key, by their place in the list. */
function indexOf(all: readonly Compared[]) {
  const byGram = new Map<string, number[]>();
  const byKey = new Map<string, number[]>();
  const put = (map: Map<string, number[]>, key: string, place: number) => {
    const there = map.get(key);
    if (there) there.push(place);
    else map.set(key, [place]);
  };
  const keysOf = (one: Compared) => [
    ...[one.normName, ...one.aliasNorms].map((name) => `n:${name}`),
    ...(['uscc', 'licenceNo', 'nhsaCode'] as const).flatMap((key) => (one[key] === null ? [] : [`${key}:${one[key]}`])),
  ];
  for (const [place, one] of all.entries()) {
    for (const gram of one.nameGrams) put(byGram, gram, place);
    for (const key of keysOf(one)) put(byKey, key, place);
  }
  const shared = new Uint16Array(all.length);
  /** Others that can reach the least score: an equal name or key, or three fifths of the grams in common. */
  return (place: number): Set<number> => {
    const one = all[place]!;
    shared.fill(0);
    const near = new Set(keysOf(one).flatMap((key) => byKey.get(key) ?? []));
    for (const gram of one.nameGrams) {
      for (const other of byGram.get(gram)!) {
        shared[other]! += 1;
        if (10 * shared[other]! >= 3 * (one.nameGrams.length + all[other]!.nameGrams.length)) near.add(other);
      }
    }
    near.delete(place);
    return near;
  };
}

async function scoreCity(ctx: JobContext, cityAdcode: string, batchNo: string): Promise<void> {
  const all = await ofCity(ctx.db, cityAdcode, batchNo);
  const nearOf = indexOf(all);
  const pairs: { leftId: string; rightId: string; score: number; why: string[]; distanceM: number | null; scoredAt: string }[] = [];
  const imported = all.flatMap((one, place) => (one.imported ? [place] : []));
  for (const [turn, place] of imported.entries()) {
    const one = all[place]!;
    for (const near of nearOf(place)) {
      const other = all[near]!;
      // Between two of the batch the later one speaks.
      if (other.imported && near > place) continue;
      const { score, why, distanceM } = duplicateScore(one, other);
      if (score < RELATED) continue;
      const [leftId, rightId] = BigInt(one.id) < BigInt(other.id) ? [one.id, other.id] : [other.id, one.id];
      pairs.push({ leftId, rightId, score, why, distanceM, scoredAt: ctx.now });
    }
    if (turn % AT_ONCE === AT_ONCE - 1) await breathe();
    if (ctx.signal.aborted) throw new Error('stopped; goes on at the next start');
  }
  await ctx.transaction(async ({ tx }) => {
    const ids = imported.map((place) => all[place]!.id);
    await sql`delete from institution_duplicate_pair where left_id = any(${ids}::bigint[])`.execute(tx);
    await sql`delete from institution_duplicate_pair where right_id = any(${ids}::bigint[])`.execute(tx);
    for (let at = 0; at < pairs.length; at += WRITE_AT_ONCE) {
      await ownTx(tx)
        .insertInto('institutionDuplicatePair')
        .values(pairs.slice(at, at + WRITE_AT_ONCE))
        .onConflict((conflict) => conflict.columns(['leftId', 'rightId']).doNothing())
        .execute();
    }
  });
}

/** Scores what an import wrote against the others, city by city: a comparison in memory instead of one query per hospital. */
export async function scoreBatch(ctx: JobContext, batchNo: string): Promise<void> {
  const cities = await own(ctx.db)
    .selectFrom('institutionHospital')
    .select('cityAdcode')
    .distinct()
    .where('importBatchNo', '=', batchNo)
    .orderBy('cityAdcode')
    .execute();
  for (const { cityAdcode } of cities) await scoreCity(ctx, cityAdcode, batchNo);
}
