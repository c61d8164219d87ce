import { sql } from 'kysely';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query } from '#kernel/server/handler.ts';
import { layout } from '../../contract/rules/template.ts';
import { queryInsuredBatchDetail, queryInsuredBatchUndo } from '../../contract/calls/batches.ts';
import { policyMachine } from '../../contract/states.ts';
import { isLive } from '../cover/live.ts';
import { own } from '../database.ts';
import { usedPersons } from '../endorsements/undo.ts';
import { batchActionsOf, batchRecords } from './records.ts';
import { changesOf } from './impact.ts';
import { batchColumns, policyNosOf } from './list.ts';
import { batchHindrances, endorsementsOf } from './applying/undoJob.ts';

interface Code {
  kind: 'E' | 'W';
  code: string;
  rows: number;
  sample: string;
}

export const batchDetail = query(queryInsuredBatchDetail, async ({ batchId }, { db, staff, has, nameOf }) => {
  const batch = await batchRecords.get(db, staff, batchId);
  const shown = await own(db)
    .selectFrom('policyInsuredBatch as b')
    .leftJoin('policyInsuredTemplate as t', 't.id', 'b.templateId')
    .leftJoin('policyPolicy as n', 'n.id', 'b.renewsPolicyId')
    .leftJoin('policyInsuredBatch as o', 'o.id', 'b.reverseOfBatchId')
    .select(batchColumns)
    .select([policyNosOf.as('policyNos'), 't.templateName', 'o.batchNo as reverseOfBatchNo', 'n.policyNo as renewsPolicyNo'])
    .where('b.id', '=', batch.id)
    .executeTakeFirstOrThrow();
  const { rows: codes } = await sql<Code>`
    select n.kind, n.note ->> 'code' as code, count(distinct r.id)::int as rows, min(n.note ->> 'message') as sample
      from policy_insured_batch_row r
      cross join lateral (
        select 'E' as kind, jsonb_array_elements(r.errors) as note union all select 'W', jsonb_array_elements(r.warnings)
      ) n
      where r.batch_id = ${batch.id} and (r.errors <> '[]' or r.warnings <> '[]') and r.result <> 'EXCLUDED'
      group by 1, 2
      order by 1, 2`.execute(db);
  const policyIds = batch.policyIds.length > 0 ? batch.policyIds : batch.chosenPolicyIds;
  const policies =
    policyIds.length === 0
      ? []
      : await own(db)
          .selectFrom('policyPolicy')
          .select(['id as policyId', 'policyNo', 'productName', 'state'])
          .where('id', 'in', policyIds.slice(0, 200).map(String))
          .orderBy('id')
          .execute();
  const codesOf = (kind: Code['kind']) => codes.filter((one) => one.kind === kind).map(({ kind: _kind, ...code }) => code);
  return {
    ...shown,
    policyCount: policyIds.length,
    insurerId: batch.insurerId,
    defaultEffectiveOn: batch.defaultEffectiveOn,
    layout: layout.parse(batch.layout),
    sheetRead: batch.sheetRead,
    unknownHeaders: batch.unknownHeaders,
    fault: batch.fault,
    faultAccepted: batch.faultAcceptedBy !== null,
    failure: batch.failure,
    changingRows: changesOf(batch),
    errorCodes: codesOf('E'),
    warningCodes: codesOf('W'),
    policies: policies.map(({ state, ...policy }) => ({ ...policy, state: policyMachine.states[state].label })),
    checker: batch.checkerId === null ? null : await nameOf(batch.checkerId),
    undoneAt: batch.undoneAt,
    undoReason: batch.undoReason,
    undoAsked:
      batch.undoAskedBy === null || batch.undoAskedAt === null || batch.state !== 'APPLIED'
        ? null
        : {
            by: (await nameOf(batch.undoAskedBy)) ?? '—',
            mine: batch.undoAskedBy === staff.userId,
            at: batch.undoAskedAt,
            reason: batch.undoReason ?? '',
          },
    listsFresh: batch.listsFresh,
    timeline: await trailOf(db, 'policy.batch', batch.id),
    allowedActions: batchActionsOf(batch, has, staff.userId),
  };
});

const MOST_ROWS = 500;
interface Blocking {
  rowId: string;
  rowNo: number | null;
  name: string;
  reason: string;
}

export const batchUndo = query(queryInsuredBatchUndo, async ({ batchId }, { db, staff, today }) => {
  const batch = await batchRecords.get(db, staff, batchId);
  if (batch.state !== 'APPLIED') return { hindrances: [], rows: [] };
  const hindrances = await batchHindrances({ tx: db, today }, batch.id);
  const endorsements = (await endorsementsOf(db, batch.id)).map(({ id }) => id);
  const used = hindrances.length === 0 ? [] : await usedPersons(db, endorsements);
  const { rows } =
    hindrances.length === 0
      ? { rows: [] }
      : await sql<Blocking>`
          select r.id::text as row_id, case when r.from_sheet then r.row_no end as row_no, r.name,
            concat_ws('；', case when r.insured_item_id = any(${used}::bigint[]) then '已签约或申请理赔' end, '后续批单' || later.nos) as reason
          from policy_insured_batch_row r
          left join lateral (
            select string_agg(distinct e.endorsement_no, '、') as nos from policy_cover_slice s
            join policy_cover_supersede u on u.slice_id = s.id join policy_endorsement e on e.id = u.endorsement_id
            where s.insured_item_id = r.insured_item_id and s.created_by_endorsement_id = any(${endorsements}::bigint[])
              and e.visible_at is not null and e.undone_at is null and not ${isLive('s', null)}) later on true
          where r.batch_id = ${batch.id} and r.result in ('ADD', 'MODIFY', 'REMOVE')
            and (later.nos is not null or r.insured_item_id = any(${used}::bigint[]))
          order by r.row_no limit ${MOST_ROWS}`.execute(db);
  return { hindrances, rows };
});
