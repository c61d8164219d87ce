import { sql } from 'kysely';
import { getPlans, resolveVersion } from '#domains/insurance/server/index.ts';
import type { CheckCode } from '../../contract/abnormal/checks.ts';
import { coveredOn, covers, ofPolicy, rows, runs, type Found, type Look } from './look.ts';

/** The version of a product that holds on the first day of a policy, beside the one that the policy keeps. */
const versions: Look = async ({ db }) => {
  const { rows: policies } = await sql<Found & { productId: string; coverageStart: string; versionId: string }>`
    select ${ofPolicy}, '' as fingerprint, p.product_id::text, p.coverage_start, p.product_version_id::text as version_id,
      '' as expected, 'V' || p.product_version_no as actual
    from policy_policy p where ${runs}`.execute(db);
  const known = new Map<string, Awaited<ReturnType<typeof resolveVersion>>>();
  const found: Found[] = [];
  for (const { productId, coverageStart, versionId, ...policy } of policies) {
    const key = `${productId}:${coverageStart}`;
    if (!known.has(key)) known.set(key, await resolveVersion(db, productId, coverageStart));
    const version = known.get(key);
    if (version?.productVersionId === versionId) continue;
    found.push({ ...policy, expected: version ? `${coverageStart}适用V${version.versionNo}` : `${coverageStart}有已发布版本` });
  }
  return found;
};

const liveCount = sql`(
  select count(distinct s.insured_item_id) from policy_cover_slice s where s.policy_id = p.id and ${covers(sql`t.today`)}
)`;

export const policyLooks = {
  AB01: rows(
    ({ today }) => sql<Found>`
    select ${ofPolicy}, '' as fingerprint, '不超过5年，2年内开始' as expected, p.coverage_start || '至' || p.coverage_end as actual
    from policy_policy p where ${runs} and (p.coverage_end < p.coverage_start
      or p.coverage_end > p.coverage_start + interval '5 years' or p.coverage_start > ${today}::date + interval '2 years')`,
  ),
  AB02: rows(
    () => sql<Found>`
    select ${ofPolicy}, r.id::text as fingerprint, '同一投保人、产品与期间只有一张' as expected, '与' || r.policy_no || '重叠' as actual
    from policy_policy p join policy_policy r on r.product_id = p.product_id and r.id < p.id
      and coalesce(r.holder_id_hash, r.holder_name) = coalesce(p.holder_id_hash, p.holder_name)
      and r.coverage_start <= p.coverage_end and p.coverage_start <= r.coverage_end
    where ${runs} and r.state in ('PENDING', 'IN_FORCE', 'SUSPENDED')`,
  ),
  AB03: versions,
  AB04: rows(
    () => sql<Found>`
      select ${ofPolicy}, '' as fingerprint, '自' || (r.coverage_end + 1) || '起' as expected,
        '断档' || (p.coverage_start - r.coverage_end - 1) || '天' as actual
      from policy_policy p join policy_policy r on r.id = p.renewal_of_policy_id
      where ${runs} and p.coverage_start - r.coverage_end > 1`,
  ),
  AB05: rows(
    ({ today }) => sql<Found>`
    select ${ofPolicy}, '' as fingerprint, case p.state when 'PENDING' then '已生效' else '已满期' end as expected,
      case p.state when 'PENDING' then '待生效' when 'IN_FORCE' then '有效' else '中止' end as actual
    from policy_policy p where (p.state = 'PENDING' and p.coverage_start <= ${today}::date)
      or (p.state in ('IN_FORCE', 'SUSPENDED') and p.coverage_end < ${today}::date)`,
  ),
  AB06: rows(
    ({ today }) => sql<Found>`
    select ${ofPolicy}, '' as fingerprint, '至少1人在保' as expected, '无在保被保人' as actual
    from policy_policy p where p.state = 'IN_FORCE' and p.coverage_start <= ${today}::date - 3 and p.coverage_end >= ${today}::date
      and not exists (select from policy_cover_slice s where s.policy_id = p.id and ${covers(sql`${today}`)})`,
  ),
  AB07: rows(
    ({ today }) => sql<Found>`
    select ${ofPolicy}, '' as fingerprint, '申报' || p.declared_count || '人' as expected, '在保' || ${liveCount} || '人' as actual
    from policy_policy p cross join (select ${today}::date as today) t
    where p.state = 'IN_FORCE' and p.declared_count > 0 and ${liveCount} > 0 and ${liveCount} <> p.declared_count`,
  ),
  AB13: rows(
    ({ today }) => sql<Found>`
    select 'insuredItem' as subject_type, i.id::text as subject_id, i.name || '（' || p.policy_no || '）' as subject,
      p.id::text as policy_id, p.insurer_id::text as insurer_id, p.insurer_name, '' as fingerprint, '主被保人在保' as expected,
      '主被保人' || m.name || '无保障' as actual
    from policy_insured_item i join policy_policy p on p.id = i.policy_id join policy_insured_item m on m.id = i.main_insured_item_id
    where ${runs} and ${coveredOn('i.id', sql`${today}`)} and not ${coveredOn('m.id', sql`${today}`)}`,
  ),
  AB30: rows(
    () => sql<Found>`
    select ${ofPolicy}, '' as fingerprint, '序号连续至' || p.endorsement_seq as expected, '批单' || n.many || '张，最大序号' || n.last as actual
    from policy_policy p cross join lateral (
      select count(e.seq) as many, coalesce(max(e.seq), 0) as last from policy_endorsement e where e.policy_id = p.id) n
    where n.many <> n.last or n.last <> p.endorsement_seq`,
  ),
} satisfies Partial<Record<CheckCode, Look>>;

export interface KnownPlan {
  versionId: string;
  planCode: string;
  ageMin: number;
  ageMax: number;
  sumInsuredFen: number;
}
/** Plans of every version that a policy keeps. */
export async function plansOfPolicies({ db }: Parameters<Look>[0]): Promise<KnownPlan[]> {
  const { rows: kept } = await sql<{ id: string }>`select distinct product_version_id::text as id from policy_policy`.execute(db);
  const plans: KnownPlan[] = [];
  for (const { id } of kept)
    for (const { planCode, ageMin, ageMax, sumInsuredFen } of await getPlans(db, id))
      plans.push({ versionId: id, planCode, ageMin, ageMax, sumInsuredFen });
  return plans;
}
