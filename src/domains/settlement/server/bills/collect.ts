import { sql } from 'kysely';
import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import { cycleRuleOf } from '../rules/match.ts';

/** Whose incomes of which month are billed. */
export interface RunScope {
  period: string;
  payerEntityId: string;
}
export interface BillLine {
  id: string;
  doctorId: string;
  incomeType: 'CONSULT' | 'FOLLOW_UP' | 'INCENTIVE' | 'ADJUST' | 'CLAWBACK';
  grossFen: string;
  availableAt: Instant;
}
export interface BillSums {
  itemCount: number;
  consultFen: bigint;
  followUpFen: bigint;
  incentiveFen: bigint;
  adjustFen: bigint;
  clawbackFen: bigint;
  grossFen: bigint;
  carryInFen: bigint;
}

const periodStart = (period: string): Instant => startOfDay(`${period}-01`);
/** The first moment after a month: what is payable before it belongs to its bills. */
export const cutoffOf = (period: string): Instant => startOfDay(`${plusDays(`${period}-01`, 32).slice(0, 7)}-01`);

/** What may be billed; what was taken back counts at once, whenever that was. */
const isBilled = ({ payerEntityId, period }: RunScope) => sql`
  i.status = 'AVAILABLE' and i.payer_entity_id = ${payerEntityId}
    and (i.available_at < ${cutoffOf(period)}::timestamptz or i.gross_fen < 0)`;

/** Incomes of one doctor that go into his bill, locked. */
export async function lockLines(tx: Tx, scope: RunScope, doctorId: string): Promise<BillLine[]> {
  const { rows } = await sql<BillLine>`
    select i.id, i.doctor_id, i.income_type, i.gross_fen, i.available_at
      from settlement_income i
      where ${isBilled(scope)} and i.doctor_id = ${doctorId}
      order by i.id
      for update`.execute(tx);
  return rows;
}

/** Doctors behind this one who have something that may be billed. */
export async function doctorsDue(db: Db | Tx, scope: RunScope, after: string, limit: number): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select d.doctor_id as id, d.name
      from settlement_doctor d
      where d.doctor_id > ${after}
        and exists (select from settlement_income i where i.doctor_id = d.doctor_id and ${isBilled(scope)})
      order by d.doctor_id
      limit ${limit}`.execute(db);
  return rows;
}

/** The same lines of all doctors, without locks. */
export async function readLines(db: Db | Tx, scope: RunScope): Promise<BillLine[]> {
  const { rows } = await sql<BillLine>`
    select i.id, i.doctor_id, i.income_type, i.gross_fen, i.available_at
      from settlement_income i
      where ${isBilled(scope)}
      order by i.doctor_id, i.id`.execute(db);
  return rows;
}

export function sumUp(period: string, lines: readonly BillLine[]): BillSums {
  const of = (some: readonly BillLine[]) => some.reduce((sum, { grossFen }) => sum + BigInt(grossFen), 0n);
  const ofType = (type: BillLine['incomeType']) => of(lines.filter(({ incomeType }) => incomeType === type));
  return {
    itemCount: lines.length,
    consultFen: ofType('CONSULT'),
    followUpFen: ofType('FOLLOW_UP'),
    incentiveFen: ofType('INCENTIVE'),
    adjustFen: ofType('ADJUST'),
    clawbackFen: ofType('CLAWBACK'),
    grossFen: of(lines),
    carryInFen: of(lines.filter(({ availableAt }) => availableAt < periodStart(period))),
  };
}

/** Where no rule says another one. */
const LEAST_FEN = 10_000n;

/** The sum from which on a doctor is paid, as the rules of the month's last day say. */
export async function leastOf(db: Db | Tx, { period }: RunScope, doctorId: string): Promise<bigint> {
  const [doctor] = await getDoctors(db, [doctorId]);
  const rule = await cycleRuleOf(db, plusDays(dayOf(cutoffOf(period)), -1), {
    doctorId,
    channelId: doctor?.channelId ?? null,
    serviceItemId: null,
    serviceType: null,
    doctorTitle: doctor?.titleCode ?? null,
    hospitalLevel: doctor?.hospitalLevel ?? null,
  });
  return rule ? BigInt(rule.minPayoutFen) : LEAST_FEN;
}

export const ROLLED = '未达起付额滚存';
export const STOPPED = '账户已冻结，解冻后并入下期';
export const isBillable = (grossFen: bigint, leastFen: bigint): boolean => grossFen > 0n && grossFen >= leastFen;
