import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Tx } from '#kernel/server/context.ts';
import { SYSTEM, type Actor, type Ledger } from '#domains/ledger/server/index.ts';
import type { IncomeTrace } from '../../contract/calls/income.ts';
import type { IncomeType } from '../../contract/dictionaries.ts';
import { incomeMachine } from '../../contract/states.ts';
import { incomeRecords, type IncomeRecord } from '../access.ts';
import { json, own } from '../database.ts';
import { refreshBalances } from '../doctors/balance.ts';
import { attributionOf } from '../perf/attribution.ts';
import { postIncomes, type Due } from './postings.ts';

/** At the beginning of the day after the days for which it is frozen. */
export const availableFrom = (occurredAt: Instant, freezeDays: number): Instant => startOfDay(plusDays(dayOf(occurredAt), freezeDays + 1));

interface NewIncome {
  doctorId: string;
  payerEntityId: string;
  incomeType: IncomeType;
  sourceType: 'CONSULT_ORDER' | 'ADJUST' | 'INCENTIVE_FACT';
  sourceId: string;
  sourceNo: string;
  seq: number;
  serviceType: string | null;
  ruleVersionId: string | null;
  cycleVersionId: string | null;
  occurredAt: Instant;
  availableAt: Instant;
  baseFen: bigint;
  grossFen: bigint;
  trace: IncomeTrace;
  /** Of the service or programme: whoever looks after the doctor for it has this income among what he brought. */
  productLineId: string | null;
  originalItemId: string | null;
  /** Payable at once: adjustments and what is taken back. */
  matured: boolean;
  programId?: string;
  taskId?: string;
  /** Nothing is accrued yet: what it waits for, and why, in words. */
  waits?: { for: 'PAUSE' | 'BUDGET'; reason: string } | null;
}

/** The calculation of an income that no rule says: what it is for, in words. */
export const spokenTrace = (note: string, grossFen: bigint): IncomeTrace => ({
  ruleCode: null,
  ruleName: null,
  versionNo: null,
  scopeText: null,
  baseType: null,
  payFen: null,
  listFen: null,
  refundedFen: null,
  baseFen: 0,
  ratioBp: null,
  fixedFen: null,
  capFen: null,
  cycleRuleCode: null,
  freezeDays: null,
  beforeFen: null,
  note,
  grossFen: Number(grossFen),
});

export async function insertIncome(ctx: Acting, { baseFen, grossFen, trace, waits, ...income }: NewIncome): Promise<IncomeRecord> {
  return own(ctx.tx)
    .insertInto('settlementIncome')
    .values({
      ...income,
      ...(await attributionOf(ctx.tx, income)),
      incomeNo: await nextNumber(ctx.tx, 'IC', dayOf(ctx.now)),
      baseFen: String(baseFen),
      grossFen: String(grossFen),
      calcTrace: json(trace),
      status: waits ? 'HELD' : income.matured ? 'AVAILABLE' : 'PENDING',
      waitsFor: waits?.for ?? null,
      holdReason: waits?.reason ?? null,
      createdAt: ctx.now,
      ...updatedColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

type Action = keyof typeof incomeMachine.transitions;
/** Takes a transition of a locked income. */
export async function moveIncome(
  ctx: Acting,
  income: IncomeRecord,
  action: Action,
  opinion: string,
  more: Partial<Pick<IncomeRecord, 'holdReason' | 'matured' | 'waitsFor'>> = {},
): Promise<IncomeRecord> {
  const status = await moveState(ctx, incomeMachine, {
    targetType: incomeRecords.type,
    targetId: income.id,
    targetNo: income.incomeNo,
    action,
    from: income.status,
    opinion,
  });
  return own(ctx.tx)
    .updateTable('settlementIncome')
    .set((eb) => ({ status, holdReason: null, ...more, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', income.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * What an income that is taken back altogether does to the books: its accrual goes back, or what became payable of it; one that waited was
 * never accrued.
 */
export const backOf = (income: IncomeRecord): Due[] =>
  income.waitsFor === null ? [{ income, step: income.matured ? 'claw' : 'unaccrue' }] : [];

async function namesOf(tx: Tx, due: readonly Due[]) {
  const ids = (of: (one: Due) => string) => [...new Set(due.map(of))];
  const doctors = await own(tx)
    .selectFrom('settlementDoctor')
    .select(['doctorId', 'name'])
    .where(
      'doctorId',
      'in',
      ids(({ income }) => income.doctorId),
    )
    .execute();
  const payers = await own(tx)
    .selectFrom('settlementPayer')
    .select(['id', 'entityName'])
    .where(
      'id',
      'in',
      ids(({ income }) => income.payerEntityId),
    )
    .execute();
  const programIds = ids(({ income }) => income.programId ?? '0');
  const programs = await own(tx).selectFrom('settlementProgram').select(['id', 'programName']).where('id', 'in', programIds).execute();
  return {
    program: (id: string) => programs.find((program) => program.id === id)!.programName,
    doctor: (id: string) => doctors.find(({ doctorId }) => doctorId === id)!.name,
    payer: (id: string) => payers.find((payer) => payer.id === id)!.entityName,
  };
}

/** The doctors' balances follow, then the money moves: the last statements of a transaction that changed incomes. */
export async function settleBooks(ctx: Acting, ledger: Ledger, due: readonly Due[], actor: Actor = SYSTEM): Promise<void> {
  if (due.length === 0) return;
  await refreshBalances(
    ctx,
    due.map(({ income }) => income.doctorId),
  );
  await postIncomes(ctx, ledger, due, await namesOf(ctx.tx, due), actor);
}
