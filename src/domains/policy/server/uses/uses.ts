import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';

type Handle = Db | Tx;

export interface CoverUse {
  insuredItemId: string;
  refType: 'APPLY' | 'CONTRACT' | 'CLAIM';
  refNo: string;
  state: 'OPEN' | 'LIVE' | 'PAID' | 'ENDED';
  useFrom: Day;
  useTo: Day | null;
  name: string;
}

/** What enrolment and claim did with the cover of persons, or of all of a policy, and did not end without a payment. */
export async function usesOf(db: Handle, of: { itemIds: readonly string[] } | { policyId: string }): Promise<CoverUse[]> {
  const all = own(db)
    .selectFrom('policyCoverUse as u')
    .innerJoin('policyInsuredItem as i', 'i.id', 'u.insuredItemId')
    .select(['u.insuredItemId', 'u.refType', 'u.refNo', 'u.state', 'u.useFrom', 'u.useTo', 'i.name'])
    .where('u.state', '<>', 'ENDED')
    .orderBy('u.id');
  if ('policyId' in of) return all.where('u.policyId', '=', of.policyId).execute();
  return of.itemIds.length === 0 ? [] : all.where('u.insuredItemId', 'in', [...of.itemIds]).execute();
}

export const isOpenClaim = ({ refType, state }: CoverUse): boolean => refType === 'CLAIM' && state === 'OPEN';
export const isPaidClaim = ({ refType, state }: CoverUse): boolean => refType === 'CLAIM' && state === 'PAID';
export const isLiveContract = ({ refType, state }: CoverUse): boolean => refType === 'CONTRACT' && state === 'LIVE';

export interface ReportedUse {
  refType: CoverUse['refType'];
  refId: string;
  refNo: string;
  insuredItemId: string;
  state: CoverUse['state'];
  useFrom: Day;
  useTo: Day | null;
  claimedFen?: number;
  paidFen?: number;
  seq: number;
  now: string;
}

/** Keeps the use that an event of enrolment or claim reports; an older one than already seen changes nothing. */
export async function recordUse(tx: Tx, use: ReportedUse): Promise<void> {
  await sql`
    insert into policy_cover_use
      (ref_type, ref_id, ref_no, insured_item_id, policy_id, state, use_from, use_to, claimed_fen, paid_fen, last_seq, updated_at)
    select ${use.refType}, ${use.refId}, ${use.refNo}, i.id, i.policy_id, ${use.state}, ${use.useFrom}::date, ${use.useTo}::date,
      ${use.claimedFen ?? 0}, ${use.paidFen ?? 0}, ${use.seq}, ${use.now}::timestamptz
    from policy_insured_item i where i.id = ${use.insuredItemId}
    on conflict (ref_type, ref_id) do update set
      state = excluded.state, use_from = excluded.use_from, use_to = excluded.use_to, claimed_fen = excluded.claimed_fen,
      paid_fen = excluded.paid_fen, last_seq = excluded.last_seq, updated_at = excluded.updated_at
    where policy_cover_use.last_seq < excluded.last_seq`.execute(tx);
}
