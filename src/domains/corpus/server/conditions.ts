import { refuse, refuseField } from '../../../kernel/contract/errors.ts';
import type { ConditionRow, ConditionRowIn, ConditionSet, VariableRow } from '../contract/conditionCalls.ts';
import { faultsOfRows } from '../contract/conditionRows.ts';
import type { ExpType } from '../contract/dictionaries.ts';
import { corpusErrors } from '../contract/errors.ts';
import type { CorpusDb } from './database.ts';
import { variablesByIds } from './variables.ts';

const byCode = new Map<string, { code: string; text: string }>(Object.values(corpusErrors).map((error) => [error.code, error]));

/**
 * Checks rows as the page does and completes them from the catalogue.
 * @throws Refusal SCM11010–15 for the first faulty row, naming row and field; SCM90020 where the fault has no code
 */
export async function checkRows(
  db: CorpusDb,
  scenePackageId: string,
  rows: readonly ConditionRowIn[],
): Promise<{ rows: ConditionRow[]; variables: ReadonlyMap<string, VariableRow> }> {
  const variables = await variablesByIds(
    db,
    rows.flatMap((row) => (row.variableId === null ? [] : [row.variableId])),
  );
  const [fault] = faultsOfRows(rows, (id) => variables.get(id));
  if (fault) {
    const path = `dataDetail.${fault.index}.${fault.field}`;
    const error = fault.code === null ? undefined : byCode.get(fault.code);
    throw error ? refuse(error, { fields: [{ path, message: error.text }] }) : refuseField(path, fault.text);
  }
  const foreign = rows.findIndex((row) => row.scenePackageId !== null && row.scenePackageId !== scenePackageId);
  if (foreign >= 0) throw refuseField(`dataDetail.${foreign}.scenePackageId`, '条件不属于该场景');
  return {
    variables,
    rows: rows
      .map((row): ConditionRow => {
        const { variableId, variableName, operators } = variables.get(row.variableId!)!;
        return {
          role: row.role!,
          variableName,
          variableId,
          operatorValue: operators.find((operator) => operator === row.operatorValue)!,
          conditionValue: row.conditionValue,
          scenePackageId,
          checked: row.checked!,
          groupNo: row.groupNo ?? 1,
        };
      })
      .sort((a, b) => a.groupNo - b.groupNo),
  };
}

/** The stored set of one kind; id '' and version 0 before the first save. */
export async function loadConditionSet(db: CorpusDb, scenePackageId: string, expType: ExpType): Promise<ConditionSet> {
  const stored = await db
    .selectFrom('corpusConditionSet as s')
    .leftJoin('corpusSceneCondition as c', 'c.conditionSetId', 's.id')
    .select([
      's.id',
      's.version',
      'c.role',
      'c.variableName',
      'c.variableId',
      'c.operatorValue',
      'c.conditionValue',
      'c.checked',
      'c.groupNo',
    ])
    .where('s.scenePackageId', '=', scenePackageId)
    .where('s.expType', '=', expType)
    .orderBy('c.groupNo')
    .orderBy('c.sortNo')
    .execute();
  return {
    id: stored[0]?.id ?? '',
    version: stored[0]?.version ?? 0,
    rows: stored.flatMap((row): ConditionRow[] =>
      row.role === null
        ? []
        : [
            {
              role: row.role,
              variableName: row.variableName!,
              variableId: row.variableId!,
              operatorValue: row.operatorValue!,
              conditionValue: row.conditionValue!,
              scenePackageId,
              checked: row.checked!,
              groupNo: row.groupNo!,
            },
          ],
    ),
  };
}
