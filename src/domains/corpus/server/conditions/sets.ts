import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { sentenceOf } from '#kernel/contract/rules/sentence.ts';
import { authorColumns, createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { command } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import {
  addOrModifyConditionIdDataList,
  type ConditionRow,
  type ConditionRowIn,
  type ConditionSet,
  type VariableRow,
} from '../../contract/conditionCalls.ts';
import { faultsOfRows, ruleOf, ruleVariableOf } from '../../contract/conditionRows.ts';
import { type ExpType, expTypeLabels, roleLabels } from '../../contract/dictionaries.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { lockPackage } from '../access.ts';
import { type CorpusDb, ownTx } from '../database.ts';
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

/** The set as the operation log shows it. */
async function described(db: CorpusDb, set: ConditionSet): Promise<string> {
  const variables = await variablesByIds(
    db,
    set.rows.map((row) => row.variableId),
  );
  const byCode = new Map([...variables.values()].map((variable) => [variable.variableCode, variable]));
  return sentenceOf(
    ruleOf(set.rows, (id) => variables.get(id)),
    (code) => {
      const variable = byCode.get(code);
      return variable && ruleVariableOf(variable);
    },
    (variable) => `${roleLabels[byCode.get(variable.code)!.userType]}.${variable.name}`,
  );
}

/** Replaces all launch or all stop conditions of a package. */
export const saveConditions = command(addOrModifyConditionIdDataList, async (input, ctx) => {
  const tx = ownTx(ctx.tx);
  const scene = await lockPackage(ctx.tx, { scenePackageId: input.scenePackageId, diseaseId: input.diseaseId });
  const expType: ExpType = input.expType;
  const { rows } = await checkRows(tx, scene.scenePackageId, input.dataDetail);
  const before = await loadConditionSet(tx, scene.scenePackageId, expType);
  if (input.id !== null && input.id !== before.id) throw refuse(platformErrors.NOT_FOUND);
  const stored =
    before.id === ''
      ? null
      : await tx.selectFrom('corpusConditionSet').select(['id', 'updatedBy']).where('id', '=', before.id).executeTakeFirstOrThrow();
  await requireVersion(
    ctx,
    'corpus.scene',
    { id: before.id, version: before.version, updatedBy: stored?.updatedBy ?? null },
    ctx.ifMatch,
    () => ({ id: before.id, rows: before.rows }),
  );
  const { id } = stored
    ? await tx
        .updateTable('corpusConditionSet')
        .set((eb) => ({ version: eb('version', '+', 1), ...updatedColumns(ctx) }))
        .where('id', '=', stored.id)
        .returning('id')
        .executeTakeFirstOrThrow()
    : await tx
        .insertInto('corpusConditionSet')
        .values({ scenePackageId: scene.scenePackageId, expType, ...createdColumns(ctx) })
        .returning('id')
        .executeTakeFirstOrThrow();
  await tx.deleteFrom('corpusSceneCondition').where('conditionSetId', '=', id).execute();
  if (rows.length > 0) {
    await tx
      .insertInto('corpusSceneCondition')
      .values(
        rows.map(({ scenePackageId: _, ...row }, index) => ({
          ...row,
          conditionSetId: id,
          diseaseId: scene.diseaseId,
          sortNo: index + 1,
          ...authorColumns(ctx),
        })),
      )
      .execute();
  }
  const after = await loadConditionSet(tx, scene.scenePackageId, expType);
  ctx.target({ type: 'corpus.scene', id: scene.id, no: scene.name });
  ctx.changed([
    {
      path: 'conditions',
      label: expTypeLabels[expType],
      before: await described(tx, before),
      after: await described(tx, after),
    },
  ]);
  return after;
});
