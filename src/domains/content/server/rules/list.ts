import { sql, type SqlBool } from 'kysely';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { markPermissions } from '../../contract/marks/permissions.ts';
import { exportMarkRuleList, queryMarkRuleList, type RuleRow } from '../../contract/rules/calls.ts';
import { sentenceOfRows } from '../../contract/rules/conditions.ts';
import { rulePermissions as may } from '../../contract/rules/permissions.ts';
import { ruleStates } from '../../contract/rules/states.ts';
import { own } from '../database.ts';
import { readConditions } from './judge.ts';
import { variableFinder } from './variables.ts';

/** Rules of medical marks of patients only for who may see such marks. */
export const openGroups = (has: (permission: { code: string }) => boolean) =>
  has(markPermissions['mark.sensitive']) ? sql<SqlBool>`true` : sql<SqlBool>`not (g.sensitive and g.object_type = 'PATIENT')`;

const last = <T>(column: string) =>
  sql<T | null>`(
    select ${sql.ref(`x.${column}`)} from content_mark_rule_run x where x.rule_id = r.id and x.kind = 'RUN' order by x.seq desc limit 1
  )`;

export const ruleList = (kernel: Kernel) =>
  listOf(queryMarkRuleList)
    .from(({ db, has }) =>
      own(db)
        .selectFrom('contentMarkRule as r')
        .innerJoin('contentMark as m', 'm.id', 'r.markId')
        .innerJoin('contentTagGroup as g', 'g.id', 'r.groupId')
        .where(openGroups(has)),
    )
    .with({
      where: {
        ruleNo: isNumber('r.ruleNo'),
        markName: contains('m.markName'),
        objectType: 'r.objectType',
        schedule: 'r.schedule',
        state: 'r.state',
      },
      id: 'r.id',
      last: { of: 'r.state', groups: [['ENDED']] },
      sorts: {
        ruleNo: 'r.ruleNo',
        markCode: 'm.markCode',
        publishedSeq: 'r.publishedSeq',
        lastRunAt: sql.ref('lastRunAt'),
        lastAdded: sql.ref('lastAdded'),
        lastRemoved: sql.ref('lastRemoved'),
      },
      bounded: 'rules are some dozens that people make by hand',
      select: (rows) =>
        rows
          .select(['r.id', 'r.ruleNo', 'r.markId', 'm.markCode', 'm.markName', 'g.groupName', 'm.color', 'r.objectType', 'r.conditions'])
          .select(['r.removeWhenFalse', 'r.schedule', 'r.publishedSeq', 'r.state', 'r.version'])
          .select([
            last<string>('started_at').as('lastRunAt'),
            last<number>('added').as('lastAdded'),
            last<number>('removed').as('lastRemoved'),
            last<NonNullable<RuleRow['lastRunState']>>('state').as('lastRunState'),
          ]),
      present: (rows, { has }) =>
        rows.map((row) => {
          const conditions = readConditions(row.conditions);
          const allowed = ruleStates.allowed(row.state, (code) => has(code));
          const publishes = has(may['mark.rule']) || has(may['mark.supervise']);
          return {
            ...row,
            conditions,
            sentence: sentenceOfRows(conditions, variableFinder(kernel, row.objectType)),
            allowedActions: allowed.filter((action) => action !== 'publish' || publishes),
          };
        }),
    });

export const ruleExport = (kernel: Kernel) =>
  listExport(ruleList(kernel), { call: exportMarkRuleList, title: '打标规则', routeKey: 'markContent.rules' });
