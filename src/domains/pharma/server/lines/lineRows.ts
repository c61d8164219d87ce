import { sql } from 'kysely';
import { daysBetween, type Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { LineRow } from '../../contract/calls/lines.ts';
import { namesOf } from '../access.ts';
import { own, type PharmaDb } from '../database.ts';

export const productLines = (db: PharmaDb) =>
  db.selectFrom('pharmaProductLine as l').innerJoin('pharmaCompany as c', 'c.id', 'l.companyId');

export const lineColumns = (rows: ReturnType<typeof productLines>, today: Day) =>
  rows
    .selectAll('l')
    .select('c.shortName as companyName')
    .select((eb) => [
      eb
        .selectFrom('pharmaProductLineMedicine as b')
        .whereRef('b.lineId', '=', 'l.id')
        .where((on) => on.or([on('b.endDate', 'is', null), on('b.endDate', '>=', today)]))
        .select(sql<number>`count(*)::int`.as('n'))
        .as('medicineCount'),
      eb
        .selectFrom('pharmaAgentLine as s')
        .innerJoin('pharmaAgent as a', 'a.id', 's.agentId')
        .whereRef('s.lineId', '=', 'l.id')
        .where('a.state', '<>', 'LEFT')
        .select(sql<number>`count(*)::int`.as('n'))
        .as('agentCount'),
      sql<{ diseaseId: string; diseaseName: string }[]>`(
        select coalesce(
          jsonb_agg(jsonb_build_object('diseaseId', d.disease_id::text, 'diseaseName', d.disease_name) order by d.disease_id), '[]'
        )
        from pharma_disease_copy d where d.disease_id = any(l.disease_ids))`.as('diseases'),
    ]);

type Stored = Awaited<ReturnType<ReturnType<typeof lineColumns>['executeTakeFirstOrThrow']>>;

/** Rows with the names of their business managers: one more statement. */
export async function presentLines(db: Db | Tx, rows: readonly Stored[], today: Day): Promise<LineRow[]> {
  const names = await namesOf(
    db,
    rows.map((row) => row.ownerUserId),
  );
  return rows.map((row) => ({
    id: row.id,
    lineNo: row.lineNo,
    companyId: row.companyId,
    companyName: row.companyName,
    name: row.name,
    therapyArea: row.therapyArea,
    diseases: row.diseases,
    startDate: row.startDate,
    endDate: row.endDate,
    daysLeft: daysBetween(today, row.endDate),
    ownerUserId: row.ownerUserId,
    ownerName: row.ownerUserId === null ? null : (names.get(row.ownerUserId) ?? null),
    agreementFileIds: row.agreementFileIds,
    remark: row.remark,
    medicineCount: row.medicineCount ?? 0,
    agentCount: row.agentCount ?? 0,
    state: row.state,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    version: row.version,
  }));
}

export async function lineById(db: Db | Tx, id: string, today: Day): Promise<LineRow | null> {
  const row = await lineColumns(productLines(own(db)), today)
    .where('l.id', '=', id)
    .executeTakeFirst();
  return row ? (await presentLines(db, [row], today))[0]! : null;
}

/** State of a line that was not stopped, by its dates. */
export const stateByDate = (line: { startDate: Day; endDate: Day }, today: Day): 'DRAFT' | 'ACTIVE' | 'EXPIRED' =>
  today < line.startDate ? 'DRAFT' : today > line.endDate ? 'EXPIRED' : 'ACTIVE';
