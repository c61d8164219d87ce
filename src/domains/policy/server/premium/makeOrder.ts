import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { sql } from 'kysely';
import { daysBetween, plusDays, type Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Db } from '#kernel/server/context.ts';
import { insertRecords } from '#kernel/server/database/insertRecords.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { instalmentOf } from '../../contract/rules/premium.ts';
import type { PolicyRecord } from '../access.ts';
import { own } from '../database.ts';
import { sumOf, type OrderLine } from './lines.ts';

/** Days in which an order is to be paid where nothing else was agreed. */
const PAY_DAYS = 15;
const AT_ONCE = 2_000;

export interface OrderWish {
  kind: 'NEW' | 'RENEWAL' | 'INSTALMENT' | 'ADJUST';
  sourceEndorsementId: string | null;
  period: { from: Day; to: Day };
  part: { no: number; of: number };
  maker: { id: string | null; name: string };
  /** Where nobody has to hand it in first. */
  state: 'DRAFT' | 'PENDING_AUDIT';
  dueOn?: Day;
}

export interface MadeOrder {
  id: string;
  premiumOrderNo: string;
}

const later = (one: Day, other: Day) => (one > other ? one : other);

/** Lines of an order, numbered; the slices are those that cover their days and were written for the person by the endorsement. */
export async function writeItems(
  tx: Acting['tx'],
  order: { id: string; generation: number },
  lines: readonly OrderLine[],
  part: { no: number; of: number },
): Promise<void> {
  const rows = lines.map((line, at) => ({
    premiumOrderId: order.id,
    generation: order.generation,
    lineNo: at + 1,
    insuredItemId: line.insuredItemId,
    planCode: line.planCode,
    annualPremiumFen: line.annualFen,
    dateFrom: line.from,
    dateTo: line.to,
    days: line.days,
    basis: line.basis,
    feeFen: line.feeFen,
    amountFen: part.of === 1 ? line.amountFen : instalmentOf(line.amountFen, part.no, part.of),
    calc: part.of === 1 ? line.calc : `${line.calc}，第${part.no}期/共${part.of}期`,
  }));
  for (let at = 0; at < rows.length; at += AT_ONCE) await insertRecords(tx, 'policy_premium_order_item', rows.slice(at, at + AT_ONCE));
}

/** What an order sums up. */
export interface OrderSum {
  amountFen: bigint;
  persons: number;
  firstDay: Day;
}

/** The order without its lines; null where nothing is due. Its amount is the absolute sum, its lines keep their signs. */
export async function openOrder(
  acting: Acting,
  policy: PolicyRecord,
  { amountFen, persons, firstDay }: OrderSum,
  wish: OrderWish,
): Promise<(MadeOrder & { generation: number }) | null> {
  if (amountFen === 0n) return null;
  const made = await own(acting.tx)
    .insertInto('policyPremiumOrder')
    .values({
      premiumOrderNo: await nextNumber(acting.tx, 'BF', acting.today),
      kind: wish.kind,
      direction: amountFen > 0n ? 'COLLECT' : 'REFUND',
      periodFrom: wish.period.from,
      periodTo: wish.period.to,
      policyId: policy.id,
      insurerId: policy.insurerId,
      productId: policy.productId,
      sourceEndorsementId: wish.sourceEndorsementId,
      partNo: wish.part.no,
      partOf: wish.part.of,
      amountFen: String(amountFen < 0n ? -amountFen : amountFen),
      personCount: persons,
      backdatedDays: Math.max(0, daysBetween(firstDay, acting.today)),
      dueOn: wish.dueOn ?? plusDays(later(acting.today, wish.period.from), PAY_DAYS),
      payerName: policy.holderName,
      state: wish.state,
      makerId: wish.maker.id,
      makerName: wish.maker.name,
      ...createdColumns({ now: acting.now, userId: wish.maker.id }),
    })
    .returning(['id', 'premiumOrderNo', 'generation'])
    .executeTakeFirstOrThrow();
  if (wish.maker.id !== null) await noteWritten(acting, wish.maker.id, 'policy.premiumOrder', [made.id]);
  return made;
}

/** The one order of an endorsement or of a period; null where nothing is due. The caller holds the lock of the policy. */
export async function makeOrder(
  acting: Acting,
  policy: PolicyRecord,
  lines: readonly OrderLine[],
  wish: OrderWish,
): Promise<MadeOrder | null> {
  const parts = lines.map((line) => ({
    amountFen: wish.part.of === 1 ? line.amountFen : instalmentOf(line.amountFen, wish.part.no, wish.part.of),
  }));
  const row = await openOrder(
    acting,
    policy,
    {
      amountFen: sumOf(parts),
      persons: new Set(lines.map(({ insuredItemId }) => insuredItemId)).size,
      firstDay: lines.reduce((day, { from }) => (from < day ? from : day), wish.period.to),
    },
    wish,
  );
  if (!row) return null;
  await writeItems(acting.tx, row, lines, wish.part);
  return { id: row.id, premiumOrderNo: row.premiumOrderNo };
}

/** What is open of a policy's premium, as people call it when they refuse something because of it. */
export async function overdueOrders(db: Db, policyId: string, today: Day): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from policy_premium_order where policy_id = ${policyId} and direction = 'COLLECT'
      and state in ('APPROVED', 'PART_SETTLED') and due_on < ${today}::date`.execute(db);
  return rows[0]?.n ?? 0;
}
