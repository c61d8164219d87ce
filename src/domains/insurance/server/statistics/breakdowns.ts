import { sql, type RawBuilder } from 'kysely';
import * as z from 'zod/mini';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { controlModes } from '../../contract/adjudication/spec.ts';
import { waterfallSteps } from '../../contract/adjudication/result.ts';
import { reasonWords } from '../../contract/controls/content.ts';
import { ageBuckets, type rankings } from '../../contract/statistics/calls.ts';
import { moduleScope } from '../controls/records.ts';
import { periodOf, rowsSeen } from './asked.ts';
import type { Asking } from './figures.ts';

const MOST = 10;

interface RankRow {
  key: string;
  label: string | null;
  claims: number;
  claimedFen: string;
  approvedFen: string;
}

const decidedIn = ({ filter, staff }: Asking): RawBuilder<unknown> => {
  const period = periodOf(filter.from, filter.to);
  return sql`not c.test_user and c.decided_at >= ${startOfDay(period.from)} and c.decided_at < ${startOfDay(plusDays(period.to, 1))}
    and ${rowsSeen('c', filter, staff)}`;
};

/** The ten greatest by what was approved; regions all. */
export async function rankOf(asking: Asking, groupBy: (typeof rankings.codes)[number], within: string | undefined) {
  const found = await ranked(asking, groupBy, within);
  return found.map(({ label, claimedFen, approvedFen, ...row }) => ({
    ...row,
    label: label ?? row.key,
    claimedFen: Number(claimedFen),
    approvedFen: Number(approvedFen),
  }));
}

async function ranked(asking: Asking, groupBy: (typeof rankings.codes)[number], within: string | undefined): Promise<RankRow[]> {
  const { db } = asking;
  const sums = sql`count(*)::int as claims, sum(c.claimed_fen)::text as claimed_fen, sum(c.approved_fen)::text as approved_fen`;
  if (groupBy === 'DRUG') {
    const { rows } = await sql<RankRow>`select g.medicine_id as key, max(g.medicine_name) as label, count(*)::int as claims,
        sum(g.claimed_fen)::text as claimed_fen, sum(g.approved_fen)::text as approved_fen
      from insurance_stat_claim c join insurance_stat_claim_drug g on g.claim_id = c.claim_id where ${decidedIn(asking)}
      group by 1 order by sum(g.approved_fen) desc, 1 limit ${MOST}`.execute(db);
    return rows;
  }
  if (groupBy === 'PROVINCE' || groupBy === 'CITY') {
    const key =
      groupBy === 'PROVINCE'
        ? sql`case when c.adcode = '' then '' else left(c.adcode, 2) || '0000' end`
        : sql`case when c.adcode = '' then '' else left(c.adcode, 4) || '00' end`;
    const limit = within === undefined ? sql`true` : sql`left(c.adcode, 2) = ${within.slice(0, 2)}`;
    const { rows } = await sql<RankRow>`select ${key} as key, null as label, ${sums} from insurance_stat_claim c
      where ${decidedIn(asking)} and ${limit} group by 1 order by sum(c.approved_fen) desc, 1 limit 400`.execute(db);
    return rows.map((row) => ({ ...row, label: row.key === '' ? '未知地区' : row.key }));
  }
  if (groupBy === 'INSURER') {
    const { rows } =
      await sql<RankRow>`select coalesce(c.insurer_id::text, '') as key, coalesce(max(i.short_name), '企业自保') as label, ${sums}
      from insurance_stat_claim c left join insurance_insurer i on i.id = c.insurer_id where ${decidedIn(asking)}
      group by 1 order by sum(c.approved_fen) desc, 1 limit ${MOST}`.execute(db);
    return rows;
  }
  const { rows } = await sql<RankRow>`select c.product_id::text as key, max(p.short_name) as label, ${sums}
    from insurance_stat_claim c left join insurance_product p on p.id = c.product_id where ${decidedIn(asking)}
    group by 1 order by sum(c.approved_fen) desc, 1 limit ${MOST}`.execute(db);
  return rows;
}

/** What claims call their states; one that is not listed is shown as it comes. */
const stateWords: Readonly<Record<string, string>> = {
  SUBMITTED: '待审核',
  FIRST_REVIEW: '初审中',
  SECOND_REVIEW: '复审中',
  SUPPLEMENT: '待补件',
  RECHECK: '待复核',
  INSURER_REVIEW: '保司复审',
};

/** Open claims by the days that they wait, today. */
export async function ageingOf({ db, staff, filter, today }: Asking) {
  const { rows } = await sql<{ state: string; bucket: number; n: number }>`
    select c.state, width_bucket(${today}::date - (c.submitted_at at time zone 'Asia/Shanghai')::date, array[2, 4, 8, 16, 31]) as bucket,
      count(*)::int as n
    from insurance_stat_claim c where c.open and not c.test_user and ${rowsSeen('c', filter, staff)} group by 1, 2 order by 1, 2`.execute(
    db,
  );
  const states = [...new Set(rows.map(({ state }) => state))];
  return states.map((state) => ({
    state,
    label: stateWords[state] ?? state,
    counts: ageBuckets.map((_, index) => rows.find((row) => row.state === state && row.bucket === index)?.n ?? 0),
  }));
}

export async function reasonsOf(asking: Asking) {
  const { rows } = await sql<{ code: string; claims: number }>`select r.code, count(distinct c.claim_id)::int as claims
    from insurance_stat_claim c cross join unnest(c.reason_codes) r (code) where ${decidedIn(asking)}
    group by 1 order by 2 desc, 1 limit ${MOST}`.execute(asking.db);
  return rows.map(({ code, claims }) => ({ code, label: `${code} ${reasonWords[code] ?? ''}`.trim(), claims }));
}

/** Claimed, what each step took, what other decisions took, approved, paid. */
export async function waterfallOf(asking: Asking) {
  const { rows: sums } = await sql<{
    claimed: string;
    approved: string;
    paid: string;
  }>`select coalesce(sum(c.claimed_fen), 0)::text as claimed,
      coalesce(sum(c.approved_fen), 0)::text as approved, coalesce(sum(c.paid_fen), 0)::text as paid
    from insurance_stat_claim c where ${decidedIn(asking)}`.execute(asking.db);
  const { rows } = await sql<{ code: string; fen: string }>`select k.code, sum(k.fen::numeric)::text as fen
    from insurance_stat_claim c cross join jsonb_each_text(c.cuts) k (code, fen) where ${decidedIn(asking)} group by 1 order by 1`.execute(
    asking.db,
  );
  const { claimed, approved, paid } = sums[0]!;
  const cuts = rows.map(({ code, fen }) => ({ code, label: waterfallSteps.label(code), fen: -Number(fen) }));
  const rest = Number(approved) - Number(claimed) - cuts.reduce((sum, { fen }) => sum + fen, 0);
  const unpaid = Number(paid) - Number(approved);
  return [
    { code: 'CLAIMED', label: '申报金额', fen: Number(claimed) },
    ...cuts,
    ...(rest === 0 ? [] : [{ code: 'REST', label: '其他核减', fen: rest }]),
    { code: 'APPROVED', label: '核赔金额', fen: Number(approved) },
    ...(unpaid === 0 ? [] : [{ code: 'UNPAID', label: '待付', fen: unpaid }]),
    { code: 'PAID', label: '已付金额', fen: Number(paid) },
  ];
}

export async function savingsOf({ db, staff, filter }: Asking) {
  const period = periodOf(filter.from, filter.to);
  const { rows } = await sql<{
    mode: string;
    hits: number;
    fen: string;
  }>`select h.mode, count(*)::int as hits, sum(h.saved_fen)::text as fen
    from insurance_control_hit h join insurance_control_rule r on r.id = h.control_rule_id
    join insurance_control_module m on m.id = r.module_id join insurance_stat_claim c on c.claim_id = h.claim_id
    where h.at >= ${startOfDay(period.from)} and h.at < ${startOfDay(plusDays(period.to, 1))} and not c.test_user
      and ${moduleScope(staff)} and ${rowsSeen('c', filter, staff)} group by 1`.execute(db);
  const known = z.enum(controlModes);
  return controlModes.flatMap((mode) => {
    const row = rows.find((one) => z.safeParse(known, one.mode).data === mode);
    return row ? [{ mode, hits: row.hits, savedFen: Number(row.fen) }] : [];
  });
}
