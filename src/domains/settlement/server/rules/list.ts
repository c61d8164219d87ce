import { sql, type SqlBool } from 'kysely';
import { contains, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { query } from '#kernel/server/handler.ts';
import {
  exportPayerEntityList,
  exportSettlementRuleList,
  queryPayerEntityList,
  queryPayerOptions,
  querySettlementRuleList,
  type RuleVersionRow,
} from '../../contract/calls/rules.ts';
import { ruleVersionMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { taxMethodOf } from '../../contract/rules/tax.ts';

const fen = (value: string | null): number | null => (value === null ? null : Number(value));

export const ruleList = listOf(querySettlementRuleList)
  .from(({ db }) =>
    own(db)
      .selectFrom('settlementRuleVersion as v')
      .innerJoin('settlementRule as r', 'r.id', 'v.ruleId')
      .leftJoin('settlementPayer as p', 'p.id', 'v.payerEntityId'),
  )
  .with({
    where: {
      ruleType: 'v.ruleType',
      ruleCode: isNumber('r.ruleCode'),
      ruleName: contains('r.ruleName'),
      incomeType: 'v.incomeType',
      status: 'v.status',
      validOn: (_eb, day) =>
        sql<SqlBool>`v.status in ('PUBLISHED', 'RETIRED') and daterange(v.effective_from, v.effective_to) @> ${day}::date`,
    },
    id: 'v.id',
    last: { of: 'v.status', groups: [['RETIRED']] },
    unsorted: 'some dozens of rules, the newest version first',
    bounded: 'rules are written by hand: some dozens, each with some versions',
    select: (rows) => rows.selectAll('v').select(['r.ruleCode', 'r.ruleName', 'p.entityName as payerName']),
    present: (rows, { has }) =>
      rows.map((row): RuleVersionRow => ({
        id: row.id,
        ruleId: row.ruleId,
        ruleCode: row.ruleCode,
        ruleName: row.ruleName,
        ruleType: row.ruleType,
        versionNo: row.versionNo,
        scopeText: row.scopeText,
        scopeWeight: row.scopeWeight,
        incomeType: row.incomeType,
        baseType: row.baseType,
        ratioBp: row.ratioBp,
        fixedFen: fen(row.fixedFen),
        capFen: fen(row.capFen),
        freezeDays: row.freezeDays,
        cycleDay: row.cycleDay,
        minPayoutFen: fen(row.minPayoutFen),
        payerName: row.payerName,
        effectiveFrom: row.effectiveFrom,
        effectiveTo: row.effectiveTo,
        doctorId: row.doctorId,
        channelId: row.channelId,
        serviceItemId: row.serviceItemId,
        serviceType: querySettlementRuleList.output.shape.serviceType.parse(row.serviceType),
        doctorTitle: querySettlementRuleList.output.shape.doctorTitle.parse(row.doctorTitle),
        hospitalLevel: querySettlementRuleList.output.shape.hospitalLevel.parse(row.hospitalLevel),
        payerEntityId: row.payerEntityId,
        testCases: querySettlementRuleList.output.shape.testCases.parse(row.testCases),
        maker: row.makerName,
        opinion: row.opinion,
        publishedAt: row.publishedAt,
        status: row.status,
        version: row.version,
        allowedActions: ruleVersionMachine.allowed(row.status, has),
      })),
  });
export const ruleExport = listExport(ruleList, { call: exportSettlementRuleList, title: '结算规则', routeKey: 'settlementRules' });

export const payerList = listOf(queryPayerEntityList)
  .from(({ db }) => own(db).selectFrom('settlementPayer as p'))
  .with({
    where: { entityName: contains('p.entityName'), enabled: 'p.enabled' },
    id: 'p.id',
    unsorted: 'our own legal companies: a handful',
    bounded: 'our own legal companies: a handful',
    select: (rows) =>
      rows
        .select(['p.id', 'p.entityCode', 'p.entityName', 'p.taxNo', 'p.bankName', 'p.bankAccountMasked', 'p.isPlatform', 'p.enabled'])
        .select(['p.bankTemplate', 'p.updatedAt', 'p.version']),
    present: (rows) => rows.map((row) => ({ ...row, taxMethod: taxMethodOf(row) })),
  });
export const payerExport = listExport(payerList, { call: exportPayerEntityList, title: '付款主体', routeKey: 'settlementRules.payers' });

export const payerOptions = query(queryPayerOptions, async (_input, ctx) => {
  const rows = await own(ctx.db).selectFrom('settlementPayer').select(['id', 'entityName', 'enabled']).orderBy('id').execute();
  return rows.map(({ id, entityName, enabled }) => ({ value: id, label: entityName, enabled }));
});
