import { sql } from 'kysely';
import { dayOf, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { getProductLines } from '#domains/pharma/server/index.ts';
import { own } from '../database.ts';

interface Booked {
  doctorId: string;
  productLineId: string | null;
  occurredAt: Instant;
}
interface Attribution {
  agentId: string | null;
  perfRelationId: string | null;
}
const NOBODY: Attribution = { agentId: null, perfRelationId: null };

/** Keeps the head's row from being changed until the income is there. @returns whether there is such a product line */
async function holdHead(tx: Tx, doctorId: string, productLineId: string): Promise<boolean> {
  const read = () =>
    own(tx)
      .selectFrom('settlementPerfHead')
      .select('doctorId')
      .where('doctorId', '=', doctorId)
      .where('productLineId', '=', productLineId)
      .forShare()
      .executeTakeFirst();
  if (await read()) return true;
  const [line] = await getProductLines(tx, [productLineId]);
  if (!line) return false;
  await own(tx)
    .insertInto('settlementPerfHead')
    .values({ doctorId, productLineId, lineName: line.name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await read();
  return true;
}

/**
 * For whom an income counts: who looks after the doctor for its product line on the day in Shanghai. A change that is decided meanwhile
 * waits for the income, or the income for the change.
 */
export async function attributionOf(tx: Tx, { doctorId, productLineId, occurredAt }: Booked): Promise<Attribution> {
  if (productLineId === null || !(await holdHead(tx, doctorId, productLineId))) return NOBODY;
  const day = dayOf(occurredAt);
  const relation = await own(tx)
    .selectFrom('settlementPerfRelation')
    .select(['id', 'agentId'])
    .where('doctorId', '=', doctorId)
    .where('productLineId', '=', productLineId)
    .where('revoked', '=', false)
    .where('startDate', '<=', day)
    .where((eb) => eb.or([eb('endDate', 'is', null), eb('endDate', '>', day)]))
    .executeTakeFirst();
  return relation ? { agentId: relation.agentId, perfRelationId: relation.id } : NOBODY;
}

export interface Pair {
  doctorId: string;
  productLineId: string;
}
export interface Impact {
  incomeCount: number;
  grossFen: string;
  months: string[];
}
export const pairKey = ({ doctorId, productLineId }: Pair): string => `${doctorId}/${productLineId}`;

/** The incomes of each pair from a day on that would count for another one than they do. */
export async function impactOf(
  db: Db | Tx,
  pairs: readonly (Pair & { toAgentId: string | null })[],
  from: Day,
): Promise<ReadonlyMap<string, Impact>> {
  const { rows } = await sql<Pair & Impact>`
    select p.doctor_id, p.product_line_id, count(*)::int as income_count, sum(i.gross_fen) as gross_fen,
        array_agg(distinct to_char(i.occurred_at at time zone 'Asia/Shanghai', 'YYYY-MM')) as months
      from unnest(
        ${pairs.map(({ doctorId }) => doctorId)}::bigint[],
        ${pairs.map(({ productLineId }) => productLineId)}::bigint[],
        ${pairs.map(({ toAgentId }) => toAgentId)}::bigint[]
      ) as p (doctor_id, product_line_id, agent_id)
      join settlement_income i on i.doctor_id = p.doctor_id and i.product_line_id = p.product_line_id
      where i.occurred_at >= ${startOfDay(from)} and i.status <> 'REVERSED' and i.agent_id is distinct from p.agent_id
      group by 1, 2`.execute(db);
  return new Map(rows.map((row) => [pairKey(row), row]));
}

/** What the relations say of incomes that say otherwise. */
const moved = (limit: ReturnType<typeof sql>, most: number) => sql`
  select i.id, r.agent_id, r.id as relation_id
    from settlement_income i
    left join settlement_perf_relation r
      on r.doctor_id = i.doctor_id and r.product_line_id = i.product_line_id and not r.revoked
        and r.start_date <= (i.occurred_at at time zone 'Asia/Shanghai')::date
        and (r.end_date is null or r.end_date > (i.occurred_at at time zone 'Asia/Shanghai')::date)
    where ${limit} and i.product_line_id is not null and i.perf_relation_id is distinct from r.id
    order by i.id
    limit ${most}
    for no key update of i`;

async function write(tx: Tx, now: Instant, limit: ReturnType<typeof sql>, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update settlement_income i
      set agent_id = m.agent_id, perf_relation_id = m.relation_id, updated_at = ${now}, updated_by = null
      from (${moved(limit, most)}) m
      where m.id = i.id`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

const CHUNK = 500;
/** Some of the incomes that a request touches, from a day on. @returns whether there may be more */
export const attributeRequest = async (tx: Tx, now: Instant, requestId: string, from: Day): Promise<boolean> =>
  (await write(
    tx,
    now,
    sql`i.occurred_at >= ${startOfDay(from)} and (i.doctor_id, i.product_line_id) in (
      select t.doctor_id, t.product_line_id from settlement_perf_item t where t.request_id = ${requestId}
    )`,
    CHUNK,
  )) === CHUNK;

/** All incomes of a month, before it is locked. */
export async function attributeMonth(tx: Tx, now: Instant, from: Day, to: Day): Promise<void> {
  const limit = sql`i.occurred_at >= ${startOfDay(from)} and i.occurred_at < ${startOfDay(to)}`;
  while ((await write(tx, now, limit, CHUNK)) === CHUNK);
}
