import type { Selectable } from 'kysely';
import { listOf } from '#kernel/server/list/listOf.ts';
import { queryVariableInfoDataList, type VariableRow } from '../../contract/conditionCalls.ts';
import { own, type CorpusDb } from '../database.ts';
import type { CorpusVariableInfo } from '../tables.ts';

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
export const variableList = listOf(queryVariableInfoDataList)
  .from(({ db }) => own(db).selectFrom('corpusVariableInfo as v'))
  .with({
    where: {
      variableInfoFlag: (eb, flag) => eb('v.variableInfoFlag', 'in', flag === 3 ? [3] : [flag, 3]),
      userType: 'v.userType',
    },
    id: 'v.id',
    unsorted: 'a catalogue in its own order',
    order: [['v.id', 'asc']],
    select: (query) => query.select(['v.id as variableId', ...columns.map((column) => `v.${column}` as const)]),
    present: (rows) => rows.map(present),
  });

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
