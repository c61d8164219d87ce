import { sql } from 'kysely';
import type { Db, Tx } from '#kernel/server/context.ts';

const group = (patientId: string) => sql`
  select m.id
    from patient_patient a
    join patient_patient m on coalesce(a.merged_into_id, a.id) in (m.id, m.merged_into_id)
    where a.id = ${patientId}`;

/** Ids under which other domains may know one person: his record's and those of the records merged into it. */
export async function recordIds(db: Db | Tx, patientId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${group(patientId)}`.execute(db);
  return rows.map(({ id }) => id);
}

const tables = { suggestion: sql.table('patient_medicine_suggested'), inspection: sql.table('patient_inspection') } as const;

/** Those of these rows that are not in the person's record. */
export async function notInRecord(db: Db | Tx, patientId: string, kind: keyof typeof tables, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select asked.id::text as id from unnest(${[...ids]}::bigint[]) as asked (id)
     where not exists (select from ${tables[kind]} t where t.id = asked.id and t.patient_id in (${group(patientId)}))`.execute(db);
  return rows.map(({ id }) => id);
}
