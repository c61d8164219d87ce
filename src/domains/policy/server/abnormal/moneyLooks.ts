import { sql } from 'kysely';
import { yuan } from '#kernel/contract/money.ts';
import { plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import { calendarDays } from '#domains/identity/server/index.ts';
import type { CheckCode } from '../../contract/abnormal/checks.ts';
import { recomputedOf, type PremiumBasis, type PremiumTerms } from '../../contract/rules/premium.ts';
import { ofEndorsement, ofOrder, rows, yuanOf, type Found, type Look, type Looking } from './look.ts';

interface Line extends Found, PremiumTerms {
  amountFen: string;
  partNo: number;
  partOf: number;
  sign: number;
  basis: PremiumBasis;
  annualFen: string;
  from: string;
  to: string;
  feeFen: string;
  lineFen: string;
}

/** Every order that counts, its lines computed anew from rate and days by the rule that wrote them. */
const recomputed: Look = async ({ db }) => {
  const { rows: lines } = await sql<Line>`
    select ${ofOrder}, '' as fingerprint, '' as expected, '' as actual, o.amount_fen, o.part_no, o.part_of,
      case when o.reverses_order_id is null then 1 else -1 end as sign, l.basis, l.annual_premium_fen as annual_fen, l.date_from as "from",
      l.date_to as "to", l.fee_fen, l.amount_fen as line_fen, p.coverage_start, p.term_days, p.prorate, p.refund_fee_bp, p.refund_if_claimed
    from policy_premium_order o join policy_policy p on p.id = o.policy_id
      join policy_premium_order_item l on l.premium_order_id = o.id and l.generation = o.generation
    where o.state not in ('VOIDED', 'REJECTED') order by o.id, l.line_no`.execute(db);
  const found: Found[] = [];
  for (const [, [first, ...rest]] of Map.groupBy(lines, ({ subjectId }) => subjectId)) {
    if (!first) continue;
    let sum = 0n;
    let wrong = false;
    for (const line of [first, ...rest]) {
      const fen =
        BigInt(line.sign) *
        recomputedOf(
          line,
          { basis: line.basis, annualFen: BigInt(line.annualFen), from: line.from, to: line.to, feeFen: BigInt(line.feeFen) },
          { no: line.partNo, of: line.partOf },
        );
      if (String(fen) !== line.lineFen) wrong = true;
      sum += fen;
    }
    const whole = sum < 0n ? -sum : sum;
    if (!wrong && String(whole) === first.amountFen) continue;
    const { subjectType, subjectId, subject, policyId, insurerId, insurerName, fingerprint } = first;
    found.push({
      subjectType,
      subjectId,
      subject,
      policyId,
      insurerId,
      insurerName,
      fingerprint,
      expected: `重算${yuan(whole)}元`,
      actual: `订单${yuan(first.amountFen)}元${wrong ? '，明细与重算不符' : ''}`,
    });
  }
  return found;
};

/** Whole workdays that a check may take. */
const MOST_WAITING = 5;
/** No arrangement of holidays leaves fewer workdays than are asked for. */
const LOOK_BACK = 40;

/** The n-th workday back from a day, that day among them where it is one. */
async function workdayBack(db: Looking['db'], from: Day, n: number): Promise<Day> {
  const first = plusDays(from, -LOOK_BACK);
  const workdays = (await calendarDays(db, first, from)).filter(({ isWorkday }) => isWorkday);
  return workdays.at(-n)?.day ?? first;
}

/** Orders that are owed or were settled. */
const counts = sql`o.state not in ('VOIDED', 'REVERSED')`;
const allocated = sql`(select coalesce(sum(a.amount_fen), 0) from policy_premium_allocation a where a.premium_order_id = o.id)`;
const lineSum = sql`(select coalesce(sum(l.amount_fen), 0) from policy_premium_order_item l
  where (l.premium_order_id = o.id and l.generation = o.generation) or (l.premium_order_id = r.id and l.generation = r.generation))`;

export const moneyLooks = {
  AB19: rows(
    () => sql<Found>`
    select ${ofEndorsement}, '' as fingerprint, '有保费订单' as expected, '保费变动' || ${yuanOf(sql`e.premium_delta_fen`)} || '，无有效订单' as actual
    from policy_endorsement e join policy_policy p on p.id = e.policy_id
    where e.state = 'VISIBLE' and e.premium_delta_fen <> 0
      and not exists (select from policy_premium_order o where o.source_endorsement_id = e.id and ${counts})`,
  ),
  AB20: recomputed,
  AB21: rows(
    ({ today }) => sql<Found>`
    select ${ofOrder}, '' as fingerprint, o.due_on || '前到账' as expected, '待收' || ${yuanOf(sql`o.amount_fen - o.settled_fen`)} as actual
    from policy_premium_order o join policy_policy p on p.id = o.policy_id
    where o.state in ('APPROVED', 'PART_SETTLED') and o.direction = 'COLLECT' and o.due_on < ${today}::date`,
  ),
  AB22: rows(
    ({ today }) => sql<Found>`
      select 'receipt' as subject_type, r.id::text as subject_id, r.bank_flow_no as subject, null as policy_id, null as insurer_id,
        '' as insurer_name, '' as fingerprint, '7天内分配完' as expected,
        r.paid_on || '到账，余' || ${yuanOf(sql`r.amount_fen - r.allocated_fen`)} as actual
      from policy_premium_receipt r where r.allocated_fen < r.amount_fen and r.paid_on < ${today}::date - 7`,
  ),
  AB23: rows(
    () => sql<Found>`
    select ${ofOrder}, '' as fingerprint, '分配合计' || ${yuanOf(allocated)} as expected, '已收付' || ${yuanOf(sql`o.settled_fen`)} as actual
    from policy_premium_order o join policy_policy p on p.id = o.policy_id
    where o.settled_fen <> ${allocated} or o.settled_fen > o.amount_fen
    union all
    select ${ofOrder}, 'pair', '与' || r.premium_order_no || '冲正后为0', '冲正后为' || ${yuanOf(lineSum)}
    from policy_premium_order o join policy_premium_order r on r.id = o.reverses_order_id join policy_policy p on p.id = o.policy_id
    where ${lineSum} <> 0`,
  ),
  AB27: rows(
    ({ now }) => sql<Found>`
    select 'batch' as subject_type, b.id::text as subject_id, b.batch_no as subject, null as policy_id, b.insurer_id::text as insurer_id,
      b.insurer_name, '' as fingerprint, case b.state when 'PENDING_AUDIT' then '3天内审核' else '2小时内完成' end as expected,
      '停在' || case b.state when 'PARSING' then '校验中' when 'APPLYING' then '生效中' when 'UNDOING' then '撤销中' else '待审核' end as actual
    from policy_insured_batch b
    where (b.state in ('PARSING', 'APPLYING', 'UNDOING') and b.updated_at < ${now}::timestamptz - interval '2 hours')
      or (b.state = 'PENDING_AUDIT' and b.updated_at < ${now}::timestamptz - interval '3 days')`,
  ),
  AB28: rows(
    () => sql<Found>`
    select ${ofEndorsement}, o.id::text as fingerprint, '撤销后无有效订单' as expected, '订单' || o.premium_order_no || '仍有效' as actual
    from policy_endorsement e join policy_policy p on p.id = e.policy_id join policy_premium_order o on o.source_endorsement_id = e.id
    where e.state = 'UNDONE' and ${counts}`,
  ),
  AB32: async ({ db, today }) => {
    const since = await workdayBack(db, today, MOST_WAITING + 1);
    const waits = sql`${`${MOST_WAITING}个工作日内审核`}::text`;
    const { rows: found } = await sql<Found>`
      select ${ofEndorsement}, '' as fingerprint, ${waits} as expected,
        '自' || (e.updated_at at time zone 'Asia/Shanghai')::date || '起待审核' as actual
      from policy_endorsement e join policy_policy p on p.id = e.policy_id
      where e.state = 'PENDING_AUDIT' and e.updated_at < ${startOfDay(since)}::timestamptz
      union all
      select ${ofOrder}, '', ${waits}, '自' || (o.updated_at at time zone 'Asia/Shanghai')::date || '起待审核'
      from policy_premium_order o join policy_policy p on p.id = o.policy_id
      where o.state in ('PENDING_AUDIT', 'PENDING_SECOND') and o.updated_at < ${startOfDay(since)}::timestamptz`.execute(db);
    return found;
  },
} satisfies Partial<Record<CheckCode, Look>>;
