import { sql, type RawBuilder } from 'kysely';
import type { Day, Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { SubjectType } from '../../contract/abnormal/checks.ts';
import { isLive } from '../cover/live.ts';

/** One violation, as a check sees it. */
export interface Found {
  subjectType: SubjectType;
  subjectId: string;
  subject: string;
  policyId: string | null;
  insurerId: string | null;
  insurerName: string;
  fingerprint: string;
  expected: string;
  actual: string;
}

export interface Looking {
  db: Db | Tx;
  secrets: Secrets;
  now: Instant;
  today: Day;
}
/** Reads what violates one check; changes nothing. */
export type Look = (looking: Looking) => Promise<Found[]>;

export const rows =
  (statement: (looking: Looking) => RawBuilder<Found>): Look =>
  async (looking) =>
    (await statement(looking).execute(looking.db)).rows;

/** What a finding names; each ends before `fingerprint`. The alias of the policy is p, of the thing its first letter. */
const named = sql`p.id::text as policy_id, p.insurer_id::text as insurer_id, p.insurer_name`;
export const ofPolicy = sql`'policy' as subject_type, p.id::text as subject_id, p.policy_no as subject, ${named}`;
export const ofPerson = sql`
  'insuredItem' as subject_type, i.id::text as subject_id, i.name || '（' || p.policy_no || '）' as subject, ${named}`;
export const ofEndorsement = sql`'endorsement' as subject_type, e.id::text as subject_id, e.endorsement_no as subject, ${named}`;
export const ofOrder = sql`'premiumOrder' as subject_type, o.id::text as subject_id, o.premium_order_no as subject, ${named}`;

/** Policies that still run. */
export const runs = sql`p.state in ('PENDING', 'IN_FORCE', 'SUSPENDED')`;
/** Slice s is live and covers a day. */
export const covers = (day: RawBuilder<unknown>) =>
  sql`s.coverage_start <= ${day}::date and s.coverage_end >= ${day}::date and ${isLive('s', null)}`;
/** Person i has cover on a day. */
export const coveredOn = (person: string, day: RawBuilder<unknown>) =>
  sql`exists (select from policy_cover_slice s where s.insured_item_id = ${sql.ref(person)} and ${covers(day)})`;
export const yuanOf = (fen: RawBuilder<unknown>) => sql`((${fen}) / 100.0)::numeric(18, 2)::text || '元'`;
