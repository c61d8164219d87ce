import { CompiledQuery, sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Day, Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Slice } from '../../contract/rules/cover.ts';

type Handle = Db | Tx;

/** Whether the endorsement of an alias has taken effect; as the system knew it at a moment, or now. */
export const isVisible = (alias: string, at: Instant | null): RawBuilder<SqlBool> => {
  const [visibleAt, undoneAt] = [sql.ref(`${alias}.visibleAt`), sql.ref(`${alias}.undoneAt`)];
  return at === null
    ? sql<SqlBool>`(${visibleAt} is not null and ${undoneAt} is null)`
    : sql<SqlBool>`(${visibleAt} <= ${at}::timestamptz and (${undoneAt} is null or ${undoneAt} > ${at}::timestamptz))`;
};

/** Whether the slice of an alias is live: what wrote it is visible, and nothing visible replaces it. */
export const isLive = (alias: string, at: Instant | null): RawBuilder<SqlBool> => sql<SqlBool>`(
  exists (select from policy_endorsement w where w.id = ${sql.ref(`${alias}.createdByEndorsementId`)} and ${isVisible('w', at)})
  and not exists (select from policy_cover_supersede u join policy_endorsement x on x.id = u.endorsement_id
    where u.slice_id = ${sql.ref(`${alias}.id`)} and ${isVisible('x', at)}))`;

/** Whether a policy gives no cover on a day: the last word on that day is a suspension. */
export const isSuspendedOn = (policyId: RawBuilder<unknown>, day: RawBuilder<unknown>, at: Instant | null): RawBuilder<SqlBool> =>
  sql<SqlBool>`coalesce((select z.kind = 'SUSPEND' from policy_endorsement z where z.policy_id = ${policyId}
    and z.kind in ('SUSPEND', 'REINSTATE') and z.effective_on <= ${day}::date and ${isVisible('z', at)}
    order by z.seq desc limit 1), false)`;

interface LiveRow {
  id: string;
  insuredItemId: string;
  planCode: string;
  coverageStart: Day;
  coverageEnd: Day;
  annualPremiumFen: string;
}
const sliceOf = (row: LiveRow): Slice => ({
  id: row.id,
  planCode: row.planCode,
  from: row.coverageStart,
  to: row.coverageEnd,
  annualFen: BigInt(row.annualPremiumFen),
});

/** Live slices of persons in the order of their days; whoever has none is not there. */
export async function liveSlices(db: Handle, insuredItemIds: readonly string[], at: Instant | null = null): Promise<Map<string, Slice[]>> {
  if (insuredItemIds.length === 0) return new Map();
  const { rows } = await sql<LiveRow>`
    select s.id, s.insured_item_id, s.plan_code, s.coverage_start, s.coverage_end, s.annual_premium_fen
    from policy_cover_slice s where s.insured_item_id = any(${[...new Set(insuredItemIds)]}::bigint[]) and ${isLive('s', at)}
    order by s.insured_item_id, s.coverage_start`.execute(db);
  const found = new Map<string, Slice[]>();
  for (const row of rows) {
    const known = found.get(row.insuredItemId);
    if (known) known.push(sliceOf(row));
    else found.set(row.insuredItemId, [sliceOf(row)]);
  }
  return found;
}

/** All persons of a policy with live slices that reach beyond a day. */
export async function liveOfPolicy(db: Handle, policyId: string, beyond: Day): Promise<Map<string, Slice[]>> {
  const { rows } = await sql<{ insuredItemId: string }>`
    select distinct s.insured_item_id from policy_cover_slice s
    where s.policy_id = ${policyId} and s.coverage_end > ${beyond}::date and ${isLive('s', null)}`.execute(db);
  return liveSlices(
    db,
    rows.map((row) => row.insuredItemId),
  );
}

export interface Cover {
  sliceId: string;
  policyId: string;
  planCode: string;
  coverageStart: Day;
  coverageEnd: Day;
}

const ASKED = ['insuredItemId', 'day', 'asOf'] as const;

/** The statement of `findCover`, and what stands at each of its places. */
const coverStatement = (db: Handle, asOf: 'asOf' | null) => {
  const { sql: text, parameters } = sql<Cover>`
    select s.id as slice_id, s.policy_id, s.plan_code, s.coverage_start, s.coverage_end from policy_cover_slice s
    where s.insured_item_id = ${'insuredItemId'} and s.coverage_start <= ${'day'}::date and s.coverage_end >= ${'day'}::date
      and ${isLive('s', asOf)} and not ${isSuspendedOn(sql.ref('s.policyId'), sql`${'day'}`, asOf)}
    limit 1`.compile(db);
  return { text, places: parameters.flatMap((value) => ASKED.find((name) => name === value) ?? []) };
};
/** Claims ask for thousands of covers: the statements are built once, with and without a moment. */
const statements = new Map<boolean, ReturnType<typeof coverStatement>>();

/**
 * The cover of a person on a day, always from the slices; `asOf`: as the system knew it at that moment.
 * @returns null: he has none on that day, or the policy was suspended.
 */
export async function findCover(
  db: Handle,
  { insuredItemId, day, asOf = null }: { insuredItemId: string; day: Day; asOf?: Instant | null },
): Promise<Cover | null> {
  const known = statements.get(asOf !== null) ?? coverStatement(db, asOf === null ? null : 'asOf');
  statements.set(asOf !== null, known);
  const values = { insuredItemId, day, asOf };
  const { rows } = await db.executeQuery<Cover>(
    CompiledQuery.raw(
      known.text,
      known.places.map((place) => values[place]),
    ),
  );
  return rows[0] ?? null;
}
