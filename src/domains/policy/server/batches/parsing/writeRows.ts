import { sql } from 'kysely';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import { insertRecords } from '#kernel/server/database/insertRecords.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { isLive } from '../../cover/live.ts';
import { json, own } from '../../database.ts';
import type { DecidedRow, ReadRow } from './decide.ts';
import type { RawCells } from '../../templates/readRow.ts';
import type { BatchRecord } from '../records.ts';

/** Rows as they are first written; what the sheet said is kept encrypted. */
export async function insertRows(
  tx: Tx,
  secrets: Secrets,
  batchId: string,
  rows: readonly (Pick<ReadRow, 'rowNo' | 'raw'> & { hidden?: boolean; decided: DecidedRow })[],
  fromSheet: boolean,
): Promise<void> {
  await insertRecords(
    tx,
    'policy_insured_batch_row',
    rows.map(({ rowNo, raw, hidden = false, decided }) => ({
      batchId,
      hidden,
      rowNo,
      rawCipher: secrets.encrypt(JSON.stringify(raw)),
      warnAccepted: false,
      note: '',
      fromSheet,
      ...decided,
    })),
  );
}

/** What was decided anew of a row that stands; null: its cells stay as they were. */
export async function rewriteRow(
  tx: Tx,
  id: string,
  { warnings, errors, person, change, lines, premiumFen, ...columns }: DecidedRow,
  correctedCipher: string | null,
): Promise<void> {
  const document = (value: object | null) => (value === null ? null : json(value));
  await own(tx)
    .updateTable('policyInsuredBatchRow')
    .set({
      ...columns,
      premiumFen: String(premiumFen),
      warnings: json(warnings),
      errors: json(errors),
      person: document(person),
      change: document(change),
      lines: document(lines),
      warnAccepted: false,
      correctedCipher,
    })
    .where('id', '=', id)
    .execute();
}

/** The cells of a row with what was corrected of them. */
export function cellsOf(
  secrets: Secrets,
  row: { rawCipher: string; correctedCipher: string | null },
): { raw: RawCells; corrected: RawCells } {
  const open = (cipher: string | null) => (cipher === null ? {} : (JSON.parse(secrets.decrypt(cipher)) as RawCells));
  return { raw: open(row.rawCipher), corrected: open(row.correctedCipher) };
}

/**
 * What depends on other rows: dependants whose main insured is neither covered nor comes in with the list (E12), and main insured whose
 * dependants leave with them (no W04).
 * @param ids rows that are looked at; null: all
 */
export async function compareRows(
  { tx, today }: Pick<Acting, 'tx' | 'today'>,
  batchId: string,
  ids: readonly string[] | null,
): Promise<void> {
  const chosen = ids === null ? sql`true` : sql`r.id = any(${[...ids]}::bigint[])`;
  await sql`
    update policy_insured_batch_row r set result = 'ERROR', premium_fen = 0, warnings = '[]', person = null, change = null, lines = null,
      backdated = false, first_day = null,
      errors = jsonb_build_array(jsonb_build_object('code', 'E12', 'column', 'mainIdNo', 'header', '主被保人证件号',
        'message', '主被保人不在保单中'))
    where r.batch_id = ${batchId} and ${chosen} and r.main_id_no_hash is not null
      and (r.result = 'ADD' or r.result = 'MODIFY' and r.person ? 'main_insured_item_id')
      and not exists (select from policy_insured_batch_row m where m.batch_id = r.batch_id and m.policy_id = r.policy_id
        and m.id_no_hash = r.main_id_no_hash and m.result in ('ADD', 'MODIFY', 'SAME')
        -- a row that does not say whose dependant somebody is leaves him what he is
        and coalesce(m.person ->> 'relation', (select k.relation from policy_insured_item k where k.id = m.insured_item_id)) = 'SELF')
      and not exists (select from policy_insured_item i join policy_cover_slice s on s.insured_item_id = i.id
        where i.policy_id = r.policy_id and i.id_no_hash = r.main_id_no_hash and i.relation = 'SELF'
          and s.coverage_end >= coalesce(r.effective_on, ${today}::date) and ${isLive('s', null)}
          -- who depends on somebody else by this very list is nobody's main insured
          and not exists (select from policy_insured_batch_row d where d.batch_id = r.batch_id and d.insured_item_id = i.id
            and d.result in ('ADD', 'MODIFY') and d.person ->> 'relation' <> 'SELF'))`.execute(tx);
  await sql`
    update policy_insured_batch_row r
    set warnings = (select coalesce(jsonb_agg(w), '[]') from jsonb_array_elements(r.warnings) w where w ->> 'code' <> 'W04')
    where r.batch_id = ${batchId} and ${chosen} and r.result = 'REMOVE' and r.warnings @> '[{"code": "W04"}]'
      and not exists (select from policy_insured_item d join policy_cover_slice s on s.insured_item_id = d.id
        where d.main_insured_item_id = r.insured_item_id and s.coverage_end > r.leave_on and ${isLive('s', null)}
          and not exists (select from policy_insured_batch_row o
            where o.batch_id = r.batch_id and o.insured_item_id = d.id and o.result = 'REMOVE'))`.execute(tx);
}

/** Counts of a list as its rows stand. */
export async function recount(tx: Tx, batchId: string): Promise<BatchRecord> {
  await sql`
    update policy_insured_batch b set total_rows = c.total, add_rows = c.add, modify_rows = c.modify, remove_rows = c.remove,
      same_rows = c.same, excluded_rows = c.excluded, error_rows = c.error, warn_rows = c.warn, backdated_rows = c.backdated,
      premium_delta_fen = c.premium, policy_ids = c.policies
    from (
      select count(*)::int as total,
        count(*) filter (where result = 'ADD')::int as add,
        count(*) filter (where result = 'MODIFY')::int as modify,
        count(*) filter (where result = 'REMOVE')::int as remove,
        count(*) filter (where result = 'SAME')::int as same,
        count(*) filter (where result = 'EXCLUDED')::int as excluded,
        count(*) filter (where result = 'ERROR')::int as error,
        count(*) filter (where result in ('ADD', 'MODIFY', 'REMOVE') and warnings <> '[]' and not warn_accepted)::int as warn,
        count(*) filter (where result in ('ADD', 'MODIFY', 'REMOVE') and backdated)::int as backdated,
        coalesce(sum(premium_fen) filter (where result in ('ADD', 'MODIFY', 'REMOVE')), 0) as premium,
        coalesce(array_agg(distinct policy_id) filter (where policy_id is not null), '{}') as policies
      from policy_insured_batch_row where batch_id = ${batchId}
    ) c where b.id = ${batchId}`.execute(tx);
  return own(tx).selectFrom('policyInsuredBatch').selectAll().where('id', '=', batchId).executeTakeFirstOrThrow();
}
