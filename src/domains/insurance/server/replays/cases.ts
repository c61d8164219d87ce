import { sql, type SqlBool } from 'kysely';
import * as z from 'zod/mini';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportReplay, queryReplayCaseList, replaySides } from '../../contract/replays/calls.ts';
import { insurerScope } from '../access.ts';
import { own } from '../database.ts';

const caseList = listOf(queryReplayCaseList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('insuranceRuleReplayCase as c')
      .where(
        sql<SqlBool>`exists (select from insurance_claim_snapshot s where s.id = c.snapshot_id
          and ${scopeFilter(insurerScope('s.insurerId'), staff)})`,
      ),
  )
  .with({
    where: { replayId: 'c.replayId', verdict: 'c.verdict' },
    id: 'c.id',
    unsorted: 'the cases of one replay, judged one after the other',
    order: [['c.id', 'asc']],
    bounded: '只列出一次回放中变化的案件',
    select: (rows) =>
      rows
        .select([
          'c.id',
          'c.claimNo',
          'c.beforeFen',
          'c.afterFen',
          'c.outcomeBefore',
          'c.outcomeAfter',
          'c.verdict',
          'c.note',
          'c.diffSteps',
        ])
        .select('c.judgedByName'),
    present: (rows) =>
      rows.map(({ beforeFen, afterFen, outcomeBefore, outcomeAfter, diffSteps, ...row }) => ({
        ...row,
        beforeFen: Number(beforeFen),
        afterFen: Number(afterFen),
        diffFen: Number(afterFen) - Number(beforeFen),
        outcomeBefore: z.parse(queryReplayCaseList.output.shape.outcomeBefore, outcomeBefore),
        outcomeAfter: z.parse(queryReplayCaseList.output.shape.outcomeAfter, outcomeAfter),
        sides: z.parse(replaySides, diffSteps),
      })),
  });

export const caseListHandler = caseList.handler;
export const caseExport = listExport(caseList, { call: exportReplay, title: '回放变化案件', routeKey: 'lookClaimRules:replay' });
