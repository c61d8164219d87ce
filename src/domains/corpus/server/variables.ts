import type { Selectable } from 'kysely';
import type { Page } from '../../../kernel/contract/call.ts';
import { offsetOf, totalUpTo } from '../../../kernel/server/http/paging.ts';
import type { VariableRow } from '../contract/conditionCalls.ts';
import type { Role } from '../contract/dictionaries.ts';
import type { CorpusDb } from './database.ts';
import type { CorpusVariableInfo } from './tables.ts';

const columns = [
  'variableCode',
  'variableName',
  'userType',
  'variableInfoFlag',
  'valueType',
  'unit',
  'decimals',
  'operators',
  'options',
  'timeDerived',
  'source',
] as const;

type Stored = Pick<Selectable<CorpusVariableInfo>, (typeof columns)[number]> & { variableId: string };

// options are seeded by this program
const present = (row: Stored): VariableRow => ({
  ...row,
  options: row.options as VariableRow['options'],
});

/** Variables of a role (all without one) that serve the purpose: 1 conditions, 2 message texts; 3 serves both. */
export async function listVariables(
  db: CorpusDb,
  filter: { variableInfoFlag: 1 | 2 | 3 | null; userType: Role | null },
  paging: { pageNo: number; pageSize: number },
): Promise<Page<VariableRow>> {
  let matching = db.selectFrom('corpusVariableInfo');
  if (filter.userType !== null) matching = matching.where('userType', '=', filter.userType);
  if (filter.variableInfoFlag !== null) {
    matching = matching.where('variableInfoFlag', 'in', filter.variableInfoFlag === 3 ? [3] : [filter.variableInfoFlag, 3]);
  }
  const rows = await matching
    .select(['id as variableId', ...columns])
    .orderBy('id')
    .limit(paging.pageSize)
    .offset(offsetOf(paging))
    .execute();
  return { rows: rows.map(present), total: await totalUpTo(db, matching.select('id')) };
}

/** The variables with these ids, by id. */
export async function variablesByIds(db: CorpusDb, ids: readonly string[]): Promise<ReadonlyMap<string, VariableRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('corpusVariableInfo')
    .select(['id as variableId', ...columns])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.variableId, present(row)]));
}
