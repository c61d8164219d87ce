import { sql } from 'kysely';
import type { Acting } from '#kernel/server/command/acting.ts';
import { linkRows } from '../../persons/patients.ts';

/** Rows of one transaction that nobody sees yet: as few as keep the database free for others in between. */
const APPLY_CHUNK = 1_000;
/** No sheet has as many rows: behind it come the rows of dependants. */
const DEPENDANTS = 10_000_000;

/** The main insured whom a row names: who stands for himself when the list is done, also who is a dependant until then. */
const mainOf = sql`(select m.id from policy_insured_item m
  where m.policy_id = r.policy_id and m.id_no_hash = r.main_id_no_hash
    and coalesce((select d.person ->> 'relation' from policy_insured_batch_row d
      where d.batch_id = r.batch_id and d.insured_item_id = m.id and d.result in ('ADD', 'MODIFY') limit 1), m.relation) = 'SELF'
  order by m.id limit 1)`;

/**
 * Writes the next rows of a list under its endorsements, which nobody sees: new persons, slices, and which slices they replace. Written
 * again, they change nothing.
 * @param upto place of the last row that was written
 * @returns how many rows it were, and the place of the last
 */
export async function applyChunk(
  { tx, now }: Acting,
  batchId: string,
  upto: number,
  makerId: string,
): Promise<{ rows: number; upto: number }> {
  const dependants = upto >= DEPENDANTS;
  const chosen = sql`r.batch_id = ${batchId} and r.result in ('ADD', 'MODIFY', 'REMOVE')
    and (r.main_id_no_hash is not null) = ${dependants}`;
  const { rows } = await sql<{ id: string; rowNo: number }>`
    select id, row_no from policy_insured_batch_row r
    where ${chosen} and r.row_no > ${upto % DEPENDANTS} order by row_no limit ${APPLY_CHUNK}`.execute(tx);
  const last = rows.at(-1);
  // Dependants come when everybody is there on whom they may depend.
  if (!last) return { rows: 0, upto: dependants ? upto : DEPENDANTS };
  const ids = rows.map(({ id }) => id);
  // A range of rows: of a list that was written just now the planner knows too little to look up so many ids one by one.
  const ofChunk = sql`${chosen} and r.row_no > ${upto % DEPENDANTS} and r.row_no <= ${last.rowNo}`;
  await sql`
    insert into policy_insured_item (policy_id, person_key, name, id_type, id_no_cipher, id_no_masked, id_no_hash, gender, birth_date,
      mobile_cipher, mobile_masked, mobile_hash, employee_no, department, adcode, has_social, social_adcode, relation, pre_existing_icd,
      main_insured_item_id, created_by_endorsement_id, created_at, created_by, updated_at, updated_by)
    select r.policy_id, r.person_key, p.name, p.id_type, p.id_no_cipher, p.id_no_masked, p.id_no_hash, p.gender, p.birth_date,
      p.mobile_cipher, p.mobile_masked, p.mobile_hash, p.employee_no, p.department, p.adcode, p.has_social, p.social_adcode, p.relation,
      p.pre_existing_icd,
      case when p.relation <> 'SELF' then ${mainOf} end,
      e.id, ${now}::timestamptz, ${makerId}::bigint, ${now}::timestamptz, ${makerId}::bigint
    from policy_insured_batch_row r
    join policy_endorsement e on e.batch_id = r.batch_id and e.policy_id = r.policy_id and e.state = 'DRAFT'
    cross join lateral jsonb_populate_record(null::policy_insured_item, r.person) p
    where ${ofChunk} and r.result = 'ADD' and r.insured_item_id is null order by r.row_no
    on conflict (policy_id, person_key) do nothing`.execute(tx);
  // One look per row: of what was just written the planner knows nothing that would let it join.
  await sql`
    update policy_insured_batch_row r set insured_item_id =
      (select i.id from policy_insured_item i where i.policy_id = r.policy_id and i.person_key = r.person_key)
    where ${ofChunk} and r.result = 'ADD' and r.insured_item_id is null`.execute(tx);
  await linkRows(tx, ids);
  await sql`
    insert into policy_cover_slice (
      insured_item_id, policy_id, plan_code, coverage_start, coverage_end, annual_premium_fen, created_by_endorsement_id
    )
    select r.insured_item_id, r.policy_id, w."planCode", w."from", w."to", w."annualFen", e.id
    from policy_insured_batch_row r
    join policy_endorsement e on e.batch_id = r.batch_id and e.policy_id = r.policy_id and e.state = 'DRAFT'
    cross join lateral jsonb_to_recordset(r.change -> 'write') w ("planCode" text, "from" date, "to" date, "annualFen" bigint)
    where ${ofChunk} order by r.row_no
    on conflict (created_by_endorsement_id, insured_item_id, coverage_start) do nothing`.execute(tx);
  await sql`
    insert into policy_cover_supersede (slice_id, endorsement_id)
    select u.id, e.id from policy_insured_batch_row r
    join policy_endorsement e on e.batch_id = r.batch_id and e.policy_id = r.policy_id and e.state = 'DRAFT'
    cross join lateral jsonb_to_recordset(r.change -> 'supersede') u (id bigint)
    where ${ofChunk} on conflict do nothing`.execute(tx);
  return { rows: rows.length, upto: last.rowNo + (dependants ? DEPENDANTS : 0) };
}

const FACTS = sql`
  name, gender, birth_date, mobile_cipher, mobile_masked, mobile_hash, employee_no, department, adcode, has_social, social_adcode,
  pre_existing_icd, id_type, id_no_cipher, id_no_masked, id_no_hash, relation, main_insured_item_id`;

/** What a list says of persons who were there before it; what stood is kept beside the row. */
export async function writeFacts({ tx, now }: Acting, batchId: string, makerId: string): Promise<void> {
  const known = sql`
    r.batch_id = ${batchId}
    and r.result in ('ADD', 'MODIFY', 'REMOVE')
    and r.person is not null
    and i.id = r.insured_item_id
    and i.created_by_endorsement_id not in (select e.id from policy_endorsement e where e.batch_id = ${batchId})`;
  // Everybody is there now on whom somebody may depend.
  await sql`
    update policy_insured_batch_row r set person = r.person || jsonb_build_object('main_insured_item_id', ${mainOf})
    where r.batch_id = ${batchId} and r.result in ('ADD', 'MODIFY') and r.main_id_no_hash is not null
      and r.person ? 'main_insured_item_id'`.execute(tx);
  await sql`
    update policy_insured_batch_row r
    set before = (select jsonb_object_agg(k, to_jsonb(i) -> k) from jsonb_object_keys(r.person) k)
    from policy_insured_item i where ${known}`.execute(tx);
  await sql`
    update policy_insured_item i set (${FACTS}) = (select ${FACTS} from jsonb_populate_record(i, r.person)),
      updated_at = ${now}::timestamptz, updated_by = ${makerId}::bigint, version = i.version + 1
    from policy_insured_batch_row r where ${known}`.execute(tx);
}

/** The same taken back. */
export const restoreFacts = ({ tx, now }: Acting, batchId: string, userId: string | null) =>
  sql`
    update policy_insured_item i set (${FACTS}) = (select ${FACTS} from jsonb_populate_record(i, r.before)),
      updated_at = ${now}::timestamptz, updated_by = ${userId}::bigint, version = i.version + 1
    from policy_insured_batch_row r
    where r.batch_id = ${batchId} and r.before is not null and i.id = r.insured_item_id`.execute(tx);

/** Removes what was written of a list that nobody ever saw. */
export async function removeHidden({ tx }: Acting, batchId: string): Promise<void> {
  const hidden = sql`(select e.id from policy_endorsement e where e.batch_id = ${batchId} and e.state = 'DRAFT')`;
  await sql`delete from policy_cover_supersede where endorsement_id in ${hidden}`.execute(tx);
  await sql`delete from policy_cover_slice where created_by_endorsement_id in ${hidden}`.execute(tx);
  await sql`
    update policy_insured_batch_row r set insured_item_id = null from policy_insured_item i
    where r.batch_id = ${batchId} and i.id = r.insured_item_id and i.created_by_endorsement_id in ${hidden}`.execute(tx);
  // those who depend on somebody before him
  await sql`delete from policy_insured_item where created_by_endorsement_id in ${hidden} and main_insured_item_id is not null`.execute(tx);
  await sql`delete from policy_insured_item where created_by_endorsement_id in ${hidden}`.execute(tx);
  await sql`update policy_endorsement set state = 'DISCARDED' where batch_id = ${batchId} and state = 'DRAFT'`.execute(tx);
}
