import { sql, type SqlBool } from 'kysely';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from './database.ts';

/** Doctors' money lies in no region: who may see it sees all of it. */
const everybody = () => sql<SqlBool>`true`;

export const ruleRecords = recordOf((db) =>
  own(db)
    .selectFrom('settlementRuleVersion as v')
    .innerJoin('settlementRule as r', 'r.id', 'v.ruleId')
    .selectAll('v')
    .select(['r.ruleCode', 'r.ruleName']),
).with({ noun: '结算规则', type: 'settlement.ruleVersion', id: 'v.id', scope: everybody });
export type RuleRecord = Awaited<ReturnType<typeof ruleRecords.get>>;

export const payerRecords = recordOf((db) => own(db).selectFrom('settlementPayer as p').selectAll('p')).with({
  noun: '付款主体',
  type: 'settlement.payer',
  id: 'p.id',
  scope: everybody,
  referredTo: true,
});

export const incomeRecords = recordOf((db) => own(db).selectFrom('settlementIncome as i').selectAll('i')).with({
  noun: '收入',
  type: 'settlement.income',
  id: 'i.id',
  scope: everybody,
});
export type IncomeRecord = Awaited<ReturnType<typeof incomeRecords.get>>;

export const adjustRecords = recordOf((db) => own(db).selectFrom('settlementAdjust as a').selectAll('a')).with({
  noun: '人工调整单',
  type: 'settlement.adjust',
  id: 'a.id',
  scope: everybody,
});
export type AdjustRecord = Awaited<ReturnType<typeof adjustRecords.get>>;

export const runRecords = recordOf((db) =>
  own(db)
    .selectFrom('settlementRun as r')
    .selectAll('r')
    .select(sql<number>`1`.as('version')),
).with({
  noun: '批算记录',
  type: 'settlement.run',
  id: 'r.id',
  scope: everybody,
});

export const billRecords = recordOf((db) => own(db).selectFrom('settlementBill as b').selectAll('b')).with({
  noun: '结算单',
  type: 'settlement.bill',
  id: 'b.id',
  scope: everybody,
});
export type BillRecord = Awaited<ReturnType<typeof billRecords.get>>;

export const payoutRecords = recordOf((db) => own(db).selectFrom('settlementPayoutBatch as b').selectAll('b')).with({
  noun: '付款批次',
  type: 'settlement.payoutBatch',
  id: 'b.id',
  scope: everybody,
});
export type PayoutRecord = Awaited<ReturnType<typeof payoutRecords.get>>;

export const payoutItemRecords = recordOf((db) => own(db).selectFrom('settlementPayoutItem as i').selectAll('i')).with({
  noun: '付款明细',
  type: 'settlement.payoutItem',
  id: 'i.id',
  scope: everybody,
});

export const taxMonthRecords = recordOf((db) => own(db).selectFrom('settlementTaxMonth as m').selectAll('m')).with({
  noun: '个税申报',
  type: 'settlement.taxMonth',
  id: 'm.id',
  scope: everybody,
  // Records of the month refer to it.
  referredTo: true,
});
export type TaxMonthRecord = Awaited<ReturnType<typeof taxMonthRecords.get>>;

export const periodRecords = recordOf((db) => own(db).selectFrom('settlementPeriod as p').selectAll('p')).with({
  noun: '医生账期',
  type: 'settlement.period',
  id: 'p.id',
  scope: everybody,
});
export type PeriodRecord = Awaited<ReturnType<typeof periodRecords.get>>;

export const programRecords = recordOf((db) => own(db).selectFrom('settlementProgram as p').selectAll('p')).with({
  noun: '激励项目',
  type: 'settlement.program',
  id: 'p.id',
  scope: everybody,
  // Facts and incomes refer to it all the time; who changes it still waits for whoever spends from it.
  referredTo: true,
});
export type ProgramRecord = Awaited<ReturnType<typeof programRecords.get>>;

export const programChangeRecords = recordOf((db) => own(db).selectFrom('settlementProgramChange as c').selectAll('c')).with({
  noun: '激励项目变更',
  type: 'settlement.programChange',
  id: 'c.id',
  scope: everybody,
});
export type ProgramChangeRecord = Awaited<ReturnType<typeof programChangeRecords.get>>;

export const accountRecords = recordOf((db) => own(db).selectFrom('settlementAccount as a').selectAll('a')).with({
  noun: '医生账户',
  type: 'settlement.account',
  id: 'a.id',
  scope: everybody,
});
export type AccountRecord = Awaited<ReturnType<typeof accountRecords.get>>;

export const perfChangeRecords = recordOf((db) => own(db).selectFrom('settlementPerfChange as c').selectAll('c')).with({
  noun: '变更单',
  type: 'settlement.perfChange',
  id: 'c.id',
  scope: everybody,
});
export type PerfChangeRecord = Awaited<ReturnType<typeof perfChangeRecords.get>>;

export const perfPeriodRecords = recordOf((db) => own(db).selectFrom('settlementPerfPeriod as p').selectAll('p')).with({
  noun: '绩效月',
  type: 'settlement.perfPeriod',
  id: 'p.id',
  scope: everybody,
});
