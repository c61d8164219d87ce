import { sql } from 'kysely';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { missingFault } from '../../../contract/rules/decideRow.ts';
import { isLive } from '../../cover/live.ts';
import { own } from '../../database.ts';
import { decideRows, lastDayOfMissing } from './decide.ts';
import { makeLookups } from './lookups.ts';
import { NOTHING_OF_POLICY, type RowFacts } from '../../templates/readRow.ts';
import { layoutOf, type BatchRecord } from '../records.ts';
import { setBatch } from '../settle.ts';
import { insertRows } from './writeRows.ts';

const CHUNK = 1_000;

interface Missing {
  id: string;
  policyNo: string;
  name: string;
  idType: RowFacts['idType'];
  idNoCipher: string | null;
  employeeNo: string | null;
}

const nothing = { op: 'REMOVE', gender: null, birthDate: null, mobile: null, department: null, relation: null, mainIdNo: null } as const;

/**
 * Whoever is covered and not in a full list is proposed to leave, behind the rows of the sheet. Where it is too many, the list is not
 * believed until a supervisor says that it is whole.
 */
export async function proposeMissing(kernel: Kernel, acting: Acting, batch: BatchRecord): Promise<BatchRecord> {
  const { tx, today } = acting;
  const { secrets } = kernel;
  const layout = layoutOf(batch);
  const lastDay = lastDayOfMissing(batch, today);
  const hasColumn = layout.columns.some(({ target }) => target === 'policyNo');
  const lookups = makeLookups(batch, hasColumn, today);
  const covered = sql`exists (select from policy_cover_slice s where s.insured_item_id = i.id and s.coverage_end > ${lastDay}::date
    and ${isLive('s', null)})`;
  const ofList = sql`
    i.policy_id in (
      select r.policy_id
        from policy_insured_batch_row r
        where r.batch_id = ${batch.id} and r.policy_id is not null
      union
      select unnest(${batch.chosenPolicyIds}::bigint[])
    )`;
  const { rows: counts } = await sql<{ live: number; last: number }>`
    select (select count(*)::int from policy_insured_item i where ${ofList} and ${covered}) as live,
      coalesce((select max(row_no) from policy_insured_batch_row where batch_id = ${batch.id}), layout_row) as last
    from (select ${layout.headerRow}::int as layout_row) l`.execute(tx);
  const live = counts[0]?.live ?? 0;
  const first = counts[0]?.last ?? layout.headerRow;
  let after = '0';
  let missing = 0;
  for (;;) {
    const { rows } = await sql<Missing>`
      select i.id::text as id, p.policy_no, i.name, i.id_type, i.id_no_cipher, i.employee_no
      from policy_insured_item i join policy_policy p on p.id = i.policy_id
      where i.id > ${after} and ${ofList} and ${covered}
        and not exists (select from policy_insured_batch_row r where r.batch_id = ${batch.id} and r.policy_id = i.policy_id
          and r.person_key = i.person_key and r.from_sheet)
      order by i.id limit ${CHUNK}`.execute(tx);
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
    const read = rows.map((row, at) => ({
      rowNo: first + missing + at + 1,
      raw: {},
      faults: [],
      facts: {
        ...nothing,
        policyNo: hasColumn ? row.policyNo : null,
        name: row.name,
        idType: row.idType,
        idNo: row.idNoCipher === null ? null : secrets.decrypt(row.idNoCipher),
        employeeNo: row.employeeNo,
        planCode: null,
        effectiveOn: null,
        leaveOn: lastDay,
        hasSocial: null,
        socialAdcode: null,
        adcode: null,
        preExisting: [],
        ofPolicy: NOTHING_OF_POLICY,
      },
    }));
    const decided = await decideRows({ tx, secrets, batch, layout, lookups, today }, read);
    await insertRows(
      tx,
      secrets,
      batch.id,
      read.map(({ rowNo }, at) => ({ rowNo, raw: { name: rows[at]!.name }, decided: decided[at]! })),
      false,
    );
    missing += rows.length;
  }
  if (missing > 0)
    await own(tx)
      .updateTable('policyInsuredBatchRow')
      .set({ note: '清单中没有此人' })
      .where('batchId', '=', batch.id)
      .where('fromSheet', '=', false)
      .execute();
  return setBatch(acting, batch.id, { fault: missingFault(missing, live), faultAcceptedBy: null });
}
