import { sql, type SqlBool } from 'kysely';
import { containsOneOf } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { capText, conditionText, REVIEW_HITS, REVIEW_RATE_BP } from '../../contract/controls/content.ts';
import { exportControlRuleList, queryControlRuleList } from '../../contract/controls/rules.ts';
import { controlRuleVersionStates, phaseOf } from '../../contract/documents/states.ts';
import { own } from '../database.ts';
import { contentOf } from './content.ts';
import { countHits } from './hitCounts.ts';
import { moduleScope } from './records.ts';

const phase = (today: string) => sql<string>`case
  when v.state <> 'PUBLISHED' then v.state
  when v.effective_from > ${today}::date then 'WAITING'
  when v.effective_to is not null and v.effective_to < ${today}::date then 'EXPIRED'
  else 'IN_FORCE' end`;

/** The version that speaks for a rule on a day. */
const speaking = (today: string) => sql<SqlBool>`
  v.id = (
    select w.id
      from insurance_control_rule_version w
      where w.control_rule_id = r.id
      order by case
        when w.state = 'PUBLISHED'
        and w.effective_from <= ${today}::date
        and (w.effective_to is null or w.effective_to >= ${today}::date) then 0
        when w.state = 'PAUSED' and (w.effective_to is null or w.effective_to >= ${today}::date) then 1
        when w.state = 'PUBLISHED' and w.effective_from > ${today}::date then 2
        when w.state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED') then 3
        else 4
      end,
        w.version_no desc
      limit 1
  )`;

const ruleList = listOf(queryControlRuleList)
  .from(({ db, staff, today }) =>
    own(db)
      .selectFrom('insuranceControlRule as r')
      .innerJoin('insuranceControlModule as m', 'm.id', 'r.moduleId')
      .innerJoin('insuranceControlRuleVersion as v', (on) => on.onRef('v.controlRuleId', '=', 'r.id').on(speaking(today)))
      .where(moduleScope(staff)),
  )
  .with({
    where: {
      moduleId: 'r.moduleId',
      keyword: containsOneOf('r.ruleCode', 'v.ruleName'),
      mode: 'v.mode',
      phase: (_eb, codes, { today }) => sql<SqlBool>`${phase(today)} = any(${codes}::text[])`,
      productId: (_eb, id) => sql<SqlBool>`(cardinality(m.product_ids) = 0 or ${id}::bigint = any(m.product_ids))`,
      ownerUserId: 'm.ownerUserId',
    },
    id: 'r.id',
    sorts: { ruleCode: 'r.ruleCode', versionNo: 'v.versionNo' },
    order: [
      ['m.sort', 'asc'],
      ['r.id', 'asc'],
    ],
    bounded: '控费规则数以百计',
    select: (rows) =>
      rows
        .select(['r.id', 'r.ruleCode', 'r.moduleId', 'm.moduleName', 'm.stage', 'v.id as versionId', 'v.versionNo', 'v.ruleName', 'v.mode'])
        .select([
          'v.expression',
          'v.cap',
          'v.reasonCode',
          'v.applicantText',
          'v.internalNote',
          'v.gapNote',
          'v.effectiveFrom',
          'v.effectiveTo',
        ])
        .select(['v.state', 'v.version'])
        .select([
          sql<string | null>`(select o.id::text from insurance_control_rule_version o
            where o.control_rule_id = r.id and o.state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED'))`.as('openVersionId'),
          sql<number | null>`(select o.version_no from insurance_control_rule_version o
            where o.control_rule_id = r.id and o.state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED'))`.as('openVersionNo'),
          sql<boolean>`
            exists (select from insurance_control_rule_version o where o.control_rule_id = r.id and o.published_at is not null)`.as(
            'everPublished',
          ),
        ]),
    async present(rows, { db, staff, today, has }) {
      const ids = rows.map(({ id }) => id);
      const counted = await countHits(db, staff, 'rule', ids, today);
      return rows.map((row) => {
        const content = contentOf({ ...row, id: row.versionId });
        const counts = counted(row.id);
        return {
          id: row.id,
          ruleCode: row.ruleCode,
          ruleName: row.ruleName,
          moduleId: row.moduleId,
          moduleName: row.moduleName,
          stage: row.stage,
          mode: row.mode,
          condition: conditionText(content.expression),
          capText: capText(content.cap),
          effective: `${row.effectiveFrom} 至 ${row.effectiveTo ?? '长期'}`,
          phase: phaseOf(row, today),
          versionNo: row.versionNo,
          ...counts,
          review: counts.hits >= REVIEW_HITS && (counts.overturnBp ?? 0) > REVIEW_RATE_BP,
          versionId: row.versionId,
          version: row.version,
          allowedActions: controlRuleVersionStates.allowed(row.state, has),
          openVersionId: row.openVersionId,
          openVersionNo: row.openVersionNo,
          everPublished: row.everPublished,
        };
      });
    },
  });

export const ruleListHandler = ruleList.handler;
export const ruleExport = listExport(ruleList, { call: exportControlRuleList, title: '控费规则', routeKey: 'controlModule' });
