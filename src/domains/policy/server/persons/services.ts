import { sql, type SqlBool } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { getLinks } from '#domains/insurance/server/index.ts';
import { normalPolicyNo } from '../../contract/rules/policyNo.ts';
import { continuousFrom, coveredRun } from '../../contract/rules/cover.ts';
import { own } from '../database.ts';
import { countInsured } from '../cover/insured.ts';
import { findCover, isLive, isSuspendedOn, liveSlices } from '../cover/live.ts';

type Handle = Db | Tx;

/** Covers of the same certificate in other policies and products, as slices say. */
async function otherCovers(db: Handle, idNoHash: string) {
  const { rows } = await sql<{ productId: string; from: Day; to: Day }>`
    select p.product_id, s.coverage_start as "from", s.coverage_end as "to"
    from policy_insured_item i join policy_policy p on p.id = i.policy_id join policy_cover_slice s on s.insured_item_id = i.id
    where i.id_no_hash = ${idNoHash} and ${isLive('s', null)}`.execute(db);
  return rows;
}

type Wanted = { insuredItemId: string; today: Day } | { idNoHash: string; policyNo?: string; today: Day };

/**
 * The insured person as enrolment needs him, with his cover of today; null where there is none. `coverageStart` and `coverageEnd` are of
 * today's slice, which a change of plan cuts; a year of limits begins with `coveredFrom`, the first day of the cover without a gap.
 */
export async function getInsuredForEnrol(db: Handle, wanted: Wanted) {
  let found = own(db)
    .selectFrom('policyInsuredItem as i')
    .innerJoin('policyPolicy as p', 'p.id', 'i.policyId')
    .innerJoin('policyEndorsement as b', 'b.id', 'i.createdByEndorsementId')
    .where('b.visibleAt', 'is not', null)
    .select([
      'i.id as insuredItemId',
      'i.policyId',
      'p.policyNo',
      'p.productId',
      'p.productVersionId',
      'p.insurerId',
      'p.state as policyState',
      'p.productLine',
      'i.name',
      'i.idType',
      'i.idNoHash',
      'i.idNoCipher',
      'i.gender',
      'i.birthDate',
      'i.mobileHash',
      'i.mobileCipher',
      'i.realNameState',
      'i.hasSocial',
      'i.socialAdcode',
      'i.adcode',
      'i.relation',
      'i.mainInsuredItemId',
      'i.preExistingIcd',
      'i.patientId',
    ]);
  if ('insuredItemId' in wanted) found = found.where('i.id', '=', wanted.insuredItemId);
  else {
    found = found.where('i.idNoHash', '=', wanted.idNoHash);
    if (wanted.policyNo) found = found.where('p.policyNoNorm', '=', normalPolicyNo(wanted.policyNo));
  }
  // Of several policies the one that covers today stands for the person.
  const rows = await found
    .orderBy(sql`i.state_cache = 'ACTIVE'`, 'desc')
    .orderBy('i.id', 'desc')
    .limit(1)
    .execute();
  const row = rows[0];
  if (!row) return null;
  const cover = await findCover(db, { insuredItemId: row.insuredItemId, day: wanted.today });
  const slices = (await liveSlices(db, [row.insuredItemId])).get(row.insuredItemId) ?? [];
  const start = cover?.coverageStart ?? slices.at(-1)?.from ?? null;
  const run = coveredRun(slices, wanted.today);
  const links = await getLinks(db, row.productId, wanted.today);
  const gapOf = (productId: string): number | null => {
    if (productId === row.productId) return 0;
    const link = links.find(
      (one) => one.linkType === 'RENEWAL_OF' && one.waiveWaiting && [one.mainProductId, one.otherProductId].includes(productId),
    );
    return link?.maxGapDays ?? null;
  };
  const most = Math.max(
    0,
    ...links.flatMap(({ linkType, waiveWaiting, maxGapDays }) => (linkType === 'RENEWAL_OF' && waiveWaiting ? [maxGapDays ?? 0] : [])),
  );
  const earlier = row.idNoHash === null ? [] : await otherCovers(db, row.idNoHash);
  return {
    ...row,
    planCode: cover?.planCode ?? null,
    coverageStart: cover?.coverageStart ?? null,
    coverageEnd: cover?.coverageEnd ?? null,
    coveredFrom: run?.from ?? null,
    coveredTo: run?.to ?? null,
    covered: cover !== null,
    continuousFrom: start === null ? null : continuousFrom(start, earlier, (id) => (id === row.productId ? most : gapOf(id))),
    /** Family limits are kept of the main insured. */
    familySubjectId: row.mainInsuredItemId ?? row.insuredItemId,
  };
}

/**
 * Persons of a product who are covered on a day. Whose policy is suspended on it is insured (在保), but not covered: nothing is paid for him.
 */
export const countInsuredInForce = (db: Handle, productId: string, date: Day): Promise<number> =>
  countInsured(db, {
    day: date,
    today: null,
    byRegion: false,
    seen: (alias) =>
      sql<SqlBool>`(${sql.ref(`${alias}.productId`)} = ${productId} and not ${isSuspendedOn(sql.ref(`${alias}.id`), sql`${date}`, null)})`,
  });
