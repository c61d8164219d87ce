import { platformErrors, refuse } from '../../../kernel/contract/errors.ts';
import { sentenceOf } from '../../../kernel/contract/rules/sentence.ts';
import { command } from '../../../kernel/server/handler.ts';
import { requireVersion } from '../../../kernel/server/record/requireVersion.ts';
import { createdColumns, updatedColumns } from '../../../kernel/server/command/stampedColumns.ts';
import { addOrModifyConditionIdDataList, type ConditionSet } from '../contract/conditionCalls.ts';
import { ruleOf, ruleVariableOf } from '../contract/conditionRows.ts';
import { expTypeLabels, roleLabels, type ExpType } from '../contract/dictionaries.ts';
import { lockPackage } from './access.ts';
import { checkRows, loadConditionSet } from './conditions.ts';
import { ownTx, type CorpusDb } from './database.ts';
import { variablesByIds } from './variables.ts';

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
          createdAt: ctx.now,
          createdBy: ctx.staff.userId,
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
