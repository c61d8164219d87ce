import { sql } from 'kysely';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { recordUse, type CoverUse, type ReportedUse } from '../uses/uses.ts';
import type { Stage } from './stage.ts';

/** Somebody whose cover enrolment or claim used: so many days before today. */
interface Story {
  who: string;
  productLine: string;
  contract: { signed: number; days: number };
  claims: readonly { day: number; state: CoverUse['state']; claimedFen: number; paidFen: number }[];
}

/** (5) those whose cover enrolment and claim use. */
const stories: readonly Story[] = [
  {
    who: '张建国',
    productLine: 'STANDARD',
    contract: { signed: 120, days: 365 },
    claims: [
      { day: 90, state: 'PAID', claimedFen: 1_512_000, paidFen: 1_058_400 },
      { day: 55, state: 'PAID', claimedFen: 1_512_000, paidFen: 1_058_400 },
      { day: 6, state: 'OPEN', claimedFen: 1_512_000, paidFen: 0 },
    ],
  },
  {
    who: '王志强',
    productLine: 'SAAS',
    contract: { signed: 40, days: 180 },
    claims: [{ day: 20, state: 'PAID', claimedFen: 1_260_000, paidFen: 1_134_000 }],
  },
  {
    who: '李秀兰',
    productLine: 'HMO',
    contract: { signed: 150, days: 365 },
    claims: [
      { day: 95, state: 'PAID', claimedFen: 10_000, paidFen: 6_667 },
      { day: 64, state: 'PAID', claimedFen: 10_000, paidFen: 6_667 },
      { day: 33, state: 'PAID', claimedFen: 10_000, paidFen: 6_667 },
      { day: 2, state: 'OPEN', claimedFen: 10_000, paidFen: 0 },
    ],
  },
  {
    who: '刘洋',
    productLine: 'DAAS',
    contract: { signed: 180, days: 365 },
    claims: [
      { day: 30, state: 'PAID', claimedFen: 12_000, paidFen: 12_000 },
      { day: 29, state: 'ENDED', claimedFen: 12_000, paidFen: 0 },
    ],
  },
];

const PREFIX = { APPLY: 'RZ', CONTRACT: 'HT', CLAIM: 'CL' } as const;

/** Writes what events of enrolment and claim would have reported, one number after another. */
export function reporterOfUses({ tx, now, today }: Pick<Stage, 'tx' | 'now' | 'today'>, first: number) {
  let n = first;
  return (insuredItemId: string, daysAgo: number, use: Pick<ReportedUse, 'refType' | 'state'> & Partial<ReportedUse>): Promise<void> => {
    const day = plusDays(today, -daysAgo);
    const refNo = `${PREFIX[use.refType]}${day.replaceAll('-', '')}${String(n++).padStart(6, '0')}`;
    return recordUse(tx, { refId: refNo, refNo, insuredItemId, useFrom: day, useTo: null, seq: 1, now, ...use });
  };
}

/** Persons whom the product knows and who have been covered since a day. */
async function covered({ tx, today }: Stage, since: Day): Promise<{ id: string; name: string; productLine: string }[]> {
  const { rows } = await sql<{ id: string; name: string; productLine: string }>`
    select i.id::text as id, i.name, p.product_line from policy_insured_item i join policy_policy p on p.id = i.policy_id
    where i.patient_id is not null and i.state_cache = 'ACTIVE' and i.start_cache <= ${since}::date and i.end_cache > ${today}::date
    order by i.id`.execute(tx);
  return rows;
}

/** (1) one of those who leave bought his medicine the day after the last one of his cover. */
async function lateClaim({ tx, today }: Stage, report: ReturnType<typeof reporterOfUses>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select i.id::text as id from policy_insured_item i join policy_policy p on p.id = i.policy_id
    where p.holder_name = '江南科技有限公司' and i.relation = 'SELF' and i.state_cache = 'ACTIVE' and i.patient_id is null
      and i.start_cache < ${plusDays(today, -90)}::date
      and not exists (select from policy_insured_item d where d.main_insured_item_id = i.id)
    order by i.id desc limit 1`.execute(tx);
  for (const { id } of rows) {
    await report(id, 60, { refType: 'CONTRACT', state: 'ENDED', useTo: plusDays(today, -2) });
    await report(id, 3, { refType: 'CLAIM', state: 'OPEN', claimedFen: 42_000, useTo: plusDays(today, -3) });
  }
}

/** Signed contracts, open and paid claims on covers; the stories first, then some of everybody. */
export async function writeUses(stage: Stage): Promise<void> {
  const report = reporterOfUses(stage, 101);
  await lateClaim(stage, report);
  const known = new Set<string>();
  const everybody = await covered(stage, plusDays(stage.today, -45));
  for (const { who, productLine, contract, claims } of stories) {
    const person = everybody.find((one) => one.name === who && one.productLine === productLine);
    if (!person) continue;
    known.add(person.id);
    await report(person.id, contract.signed + 5, { refType: 'APPLY', state: 'LIVE' });
    await report(person.id, contract.signed, {
      refType: 'CONTRACT',
      state: 'LIVE',
      useTo: plusDays(stage.today, contract.days - contract.signed),
    });
    for (const { day, ...claim } of claims)
      await report(person.id, day, { refType: 'CLAIM', ...claim, useTo: plusDays(stage.today, -day) });
  }
  for (const [n, { id }] of everybody.filter((one) => !known.has(one.id)).entries()) {
    if (n % 5 === 4) {
      await report(id, 3 + (n % 7), { refType: 'APPLY', state: 'OPEN' });
      continue;
    }
    if (n % 2 === 1) continue;
    const signed = 20 + (n % 20);
    await report(id, signed + 4, { refType: 'APPLY', state: 'LIVE' });
    const over = n % 12 === 10;
    await report(id, signed, {
      refType: 'CONTRACT',
      state: over ? 'ENDED' : 'LIVE',
      useTo: plusDays(stage.today, over ? -3 : 180 - signed),
    });
    if (n % 4 !== 0) continue;
    const claimedFen = 8_000 + (n % 9) * 2_350;
    const paid = n % 8 === 0;
    await report(id, 5 + (n % 10), {
      refType: 'CLAIM',
      state: paid ? 'PAID' : 'OPEN',
      claimedFen,
      paidFen: paid ? Math.floor((claimedFen * 7) / 10) : 0,
    });
  }
}
