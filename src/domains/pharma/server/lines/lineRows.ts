import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { daysBetween, plusDays, type Day } from '../../../../kernel/contract/time.ts';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { containsText } from '../../../../kernel/server/database/search.ts';
import type { LineRow, queryProductLineList } from '../../contract/calls/lines.ts';
import { lineMachine } from '../../contract/states.ts';
import { coded, namesOf } from '../access.ts';
import { pharmaDb, type PharmaDb } from '../database.ts';

export type LineFilter = Omit<CheckedInputOf<typeof queryProductLineList>, 'pageNo' | 'pageSize'>;

export function matchingLines(db: PharmaDb, filter: LineFilter, today: Day) {
  let query = db.selectFrom('pharmaProductLine').select('pharmaProductLine.id');
  if (filter.companyId) query = query.where('companyId', '=', filter.companyId);
  if (filter.name) query = query.where(containsText(sql`name`, filter.name));
  if (filter.therapyArea) query = query.where(containsText(sql`therapy_area`, filter.therapyArea));
  if (filter.state) query = query.where('state', 'in', filter.state);
  if (filter.expireWithin !== undefined)
    query = query
      .where('endDate', '>=', today)
      .where('endDate', '<=', plusDays(today, filter.expireWithin))
      .where('state', '<>', 'STOPPED');
  return query;
}

export const lineRows = (db: PharmaDb, today: Day) =>
  db
    .selectFrom('pharmaProductLine as l')
    .innerJoin('pharmaCompany as c', 'c.id', 'l.companyId')
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
        select coalesce(jsonb_agg(jsonb_build_object('diseaseId', d.disease_id::text, 'diseaseName', d.disease_name) order by d.disease_id), '[]')
        from pharma_disease_copy d where d.disease_id = any(l.disease_ids))`.as('diseases'),
    ]);

type Stored = Awaited<ReturnType<ReturnType<typeof lineRows>['executeTakeFirstOrThrow']>>;

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
    state: coded(lineMachine.dictionary, row.state),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    version: row.version,
  }));
}

export async function lineById(db: Db | Tx, id: string, today: Day): Promise<LineRow | null> {
  const row = await lineRows(pharmaDb(db), today).where('l.id', '=', id).executeTakeFirst();
  return row ? (await presentLines(db, [row], today))[0]! : null;
}

/** State of a line that was not stopped, by its dates. */
export const stateByDate = (line: { startDate: Day; endDate: Day }, today: Day): 'DRAFT' | 'ACTIVE' | 'EXPIRED' =>
  today < line.startDate ? 'DRAFT' : today > line.endDate ? 'EXPIRED' : 'ACTIVE';
