import { sql, type RawBuilder } from 'kysely';
import { getLinks } from '#domains/insurance/server/index.ts';
import type { CheckCode } from '../../contract/abnormal/checks.ts';
import { insuredStates } from '../../contract/dictionaries.ts';
import { computedPersons } from '../cover/cache.ts';
import { isLive } from '../cover/live.ts';
import { json } from '../database.ts';
import { coveredOn, ofPerson, rows, runs, yuanOf, type Found, type Look } from './look.ts';
import { plansOfPolicies } from './policyLooks.ts';

/** Live slices with the plan that the policy's version has for them; no plan: the version knows none of that code. */
const slicesWithPlans = (plans: unknown) => sql`
  policy_cover_slice s
  join policy_insured_item i on i.id = s.insured_item_id
  join policy_policy p on p.id = s.policy_id
  left join jsonb_to_recordset(${json(plans)}::jsonb) as n (
    "versionId" text, "planCode" text, "ageMin" int, "ageMax" int, "sumInsuredFen" bigint
  ) on n."versionId" = p.product_version_id::text
    and n."planCode" = s.plan_code`;
const ageAtStart = sql`extract(year from age(s.coverage_start, i.birth_date))::int`;

/** The state of a person as pages call it. */
const stateText = (code: RawBuilder<unknown>) =>
  sql`(${json(Object.fromEntries(insuredStates.codes.map((one) => [one, insuredStates.label(one)])))}::jsonb ->> ${code})`;

/** Pairs of products that nobody may have at once, with the day's links. */
const exclusive: Look = async ({ db, today }) => {
  const { rows: products } = await sql<{ id: string }>`
    select distinct p.product_id::text as id from policy_policy p where ${runs}`.execute(db);
  const links = (await Promise.all(products.map(({ id }) => getLinks(db, id, today)))).flat();
  const pairs = links
    .filter(({ linkType }) => linkType === 'EXCLUSIVE')
    .map(({ mainProductId, otherProductId }) => ({ one: mainProductId, other: otherProductId }));
  if (pairs.length === 0) return [];
  const { rows: found } = await sql<Found>`
    select distinct on (i.id, j.id) ${ofPerson}, j.id::text as fingerprint, '不与互斥产品同时在保' as expected,
      '同时在保于' || q.policy_no || '（' || q.product_name || '）' as actual
    from jsonb_to_recordset(${json(pairs)}::jsonb) as x (one text, other text)
      join policy_policy p on p.product_id::text = x.one join policy_insured_item i on i.policy_id = p.id
      join policy_insured_item j on j.id_no_hash = i.id_no_hash
      join policy_policy q on q.id = j.policy_id and q.product_id::text = x.other
    where ${coveredOn('i.id', sql`${today}`)} and ${coveredOn('j.id', sql`${today}`)}`.execute(db);
  return found;
};

export const coverLooks = {
  AB11: rows(
    () => sql<Found>`
    select ${ofPerson}, o.id::text as fingerprint, '保障区间不重叠' as expected, o.coverage_start || '起的区间早于上一区间止期' || o.before_end as actual
    from (select s.id, s.insured_item_id, s.coverage_start,
        lag(s.coverage_end) over (partition by s.insured_item_id order by s.coverage_start, s.id) as before_end
      from policy_cover_slice s where ${isLive('s', null)}) o
      join policy_insured_item i on i.id = o.insured_item_id join policy_policy p on p.id = i.policy_id
    where o.before_end >= o.coverage_start`,
  ),
  AB12: rows(
    () => sql<Found>`
    select ${ofPerson}, s.id::text as fingerprint, p.coverage_start || '至' || p.coverage_end as expected,
      s.coverage_start || '至' || s.coverage_end as actual
    from policy_cover_slice s join policy_insured_item i on i.id = s.insured_item_id join policy_policy p on p.id = s.policy_id
    where (s.coverage_start < p.coverage_start or s.coverage_end > p.coverage_end) and ${isLive('s', null)}`,
  ),
  AB14: async (looking) =>
    (
      await sql<Found>`
    select ${ofPerson}, s.id::text as fingerprint, s.plan_code || '承保' || n."ageMin" || '-' || n."ageMax" || '岁' as expected,
      s.coverage_start || '时' || ${ageAtStart} || '岁' as actual
    from ${slicesWithPlans(await plansOfPolicies(looking))}
    where ${runs} and n."planCode" is not null and ${ageAtStart} not between n."ageMin" and n."ageMax" and ${isLive('s', null)}`.execute(
        looking.db,
      )
    ).rows,
  AB15: async (looking) =>
    (
      await sql<Found>`
    select ${ofPerson}, s.id::text as fingerprint, '产品版本V' || p.product_version_no || '中的计划' as expected, '计划' || s.plan_code as actual
    from ${slicesWithPlans(await plansOfPolicies(looking))}
    where ${runs} and n."planCode" is null and ${isLive('s', null)}`.execute(looking.db)
    ).rows,
  AB16: exclusive,
  AB24: rows(
    ({ today }) => sql<Found>`
    select ${ofPerson}, u.ref_no as fingerprint, '签约期间有保障' as expected, '签约' || u.ref_no || '有效，今日无保障' as actual
    from policy_cover_use u join policy_insured_item i on i.id = u.insured_item_id join policy_policy p on p.id = i.policy_id
    where u.ref_type = 'CONTRACT' and u.state = 'LIVE' and not ${coveredOn('i.id', sql`${today}`)}`,
  ),
  AB25: rows(
    () => sql<Found>`
    select ${ofPerson}, u.ref_no as fingerprint, u.use_from || '有保障' as expected, '案件' || u.ref_no || '购药日无保障' as actual
    from policy_cover_use u join policy_insured_item i on i.id = u.insured_item_id join policy_policy p on p.id = i.policy_id
    where u.ref_type = 'CLAIM' and u.state <> 'ENDED' and not ${coveredOn('i.id', sql`u.use_from`)}`,
  ),
  AB26: async (looking) =>
    (
      await sql<Found>`
        select ${ofPerson}, '' as fingerprint, '不超过保额' || ${yuanOf(sql`x.most`)} as expected, '已赔付' || ${yuanOf(sql`u.paid`)} as actual
        from (
          select insured_item_id, sum(paid_fen) as paid from policy_cover_use where ref_type = 'CLAIM' group by 1 having sum(paid_fen) > 0
        ) u
          join (select i.id, max(n."sumInsuredFen") as most from ${slicesWithPlans(await plansOfPolicies(looking))} group by i.id) x
            on x.id = u.insured_item_id
          join policy_insured_item i on i.id = x.id join policy_policy p on p.id = i.policy_id
        where x.most > 0 and u.paid > x.most`.execute(looking.db)
    ).rows,
  AB29: rows(
    ({ today }) => sql<Found>`
      with ${computedPersons(sql`true`, today)}
      select ${ofPerson}, '' as fingerprint,
          ${stateText(sql`said.state`)} || ' ' || coalesce(
            said.first_day || '至' || said.last_day || ' ' || said.plan_code, '无保障'
          ) as expected,
          ${stateText(sql`i.state_cache`)} || ' ' || coalesce(i.start_cache || '至' || i.end_cache || ' ' || i.plan_cache, '无保障') as actual
        from said
        join policy_insured_item i on i.id = said.id
        join policy_policy p on p.id = i.policy_id
        join policy_endorsement b on b.id = i.created_by_endorsement_id and b.visible_at is not null
        where (i.state_cache, i.start_cache, i.end_cache, i.plan_cache) is distinct from (
          said.state, said.first_day, said.last_day, said.plan_code
        )`,
  ),
} satisfies Partial<Record<CheckCode, Look>>;
