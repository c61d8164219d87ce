import { platformErrors, refuse } from '../../../kernel/contract/errors.ts';
import { evaluate } from '../../../kernel/contract/rules/evaluate.ts';
import { valueLabel } from '../../../kernel/contract/rules/sentence.ts';
import { mask } from '../../../kernel/contract/masking.ts';
import { query } from '../../../kernel/server/handler.ts';
import type { Db } from '../../../kernel/server/context.ts';
import type { ConditionRow, VariableRow } from '../contract/conditionCalls.ts';
import { ruleOf, ruleVariableOf } from '../contract/conditionRows.ts';
import { evaluateForPatient, queryTrialPatientList, type TrialAnswer } from '../contract/scenePackageCalls.ts';
import { accessPackage } from './access.ts';
import { checkRows, loadConditionSet } from './conditions.ts';
import { corpusDb } from './database.ts';
import type { FactSource, Reader, Unit } from './facts/factSource.ts';
import { variablesByIds } from './variables.ts';

export const trialPatients = (facts: FactSource) =>
  query(queryTrialPatientList, async ({ scenePackageId, keyword }, ctx) => {
    const scene = await accessPackage(corpusDb(ctx.db), { scenePackageId });
    const patients = await facts.searchPatients(ctx.db, ctx.staff, { scenePackageId: scene.scenePackageId, keyword });
    return patients.map((patient) => ({ ...patient, patientName: mask('name', patient.patientName) }));
  });

interface Judging {
  db: Db;
  facts: FactSource;
  reader: Reader;
  unit: Unit;
}

/** Judges rows by the unit's facts. @throws Refusal SCM90040 for an unknown patient */
async function judge({ db, facts, reader, unit }: Judging, rows: readonly ConditionRow[], variables: ReadonlyMap<string, VariableRow>) {
  const codes = [...variables.values()].map((variable) => variable.variableCode);
  const known = (await facts.factsFor(db, reader, [unit], codes)).get(unit.patientId);
  if (!known) throw refuse(platformErrors.NOT_FOUND);
  return evaluate(
    ruleOf(rows, (id) => variables.get(id)),
    known,
  );
}

/** A child scene is judged only where its main scene's launch rows hold; one without effective rows lets everybody through. */
async function judgeMainScene(judging: Judging, mainSceneId: string): Promise<NonNullable<TrialAnswer['mainScene']>> {
  const db = corpusDb(judging.db);
  const main = await db
    .selectFrom('corpusScene as s')
    .innerJoin('corpusScenePackage as p', 'p.sceneId', 's.id')
    .select(['s.name', 'p.id as scenePackageId'])
    .where('s.id', '=', mainSceneId)
    .executeTakeFirstOrThrow();
  const { rows } = await loadConditionSet(db, main.scenePackageId, 1);
  const answer = await judge(
    judging,
    rows,
    await variablesByIds(
      db,
      rows.map((row) => row.variableId),
    ),
  );
  return { sceneName: main.name, held: answer.held || answer.empty };
}

/** Tries conditions, saved or not, on one patient; writes nothing. */
export const tryOnPatient = (facts: FactSource) =>
  query(evaluateForPatient, async (input, ctx): Promise<TrialAnswer> => {
    const db = corpusDb(ctx.db);
    const scene = await accessPackage(db, { scenePackageId: input.scenePackageId });
    const rowsIn = input.dataDetail ?? (await loadConditionSet(db, scene.scenePackageId, input.expType)).rows;
    const { rows, variables } = await checkRows(db, scene.scenePackageId, rowsIn);
    const judging = {
      db: ctx.db,
      facts,
      reader: ctx.staff,
      unit: { patientId: input.patientId, conversationId: input.conversationId },
    };
    const answer = await judge(judging, rows, variables);
    const mainScene = input.expType === 1 && scene.mainSceneId !== null ? await judgeMainScene(judging, scene.mainSceneId) : null;
    const result = !answer.held ? 'NOT' : input.expType === 2 ? 'STOP' : mainScene?.held === false ? 'NOT' : 'ENTER';
    return {
      result,
      held: answer.held,
      empty: answer.empty,
      heldGroups: [...answer.heldGroups],
      mainScene,
      rows: answer.rows.map((explained) => {
        const row = rows[explained.index]!;
        const variable = variables.get(row.variableId)!;
        return {
          index: explained.index,
          groupNo: row.groupNo,
          role: row.role,
          variableName: row.variableName,
          operatorValue: row.operatorValue,
          conditionValue: row.conditionValue,
          checked: row.checked,
          verdict: explained.verdict,
          value: explained.value === null ? '' : valueLabel(ruleVariableOf(variable), explained.value),
          at: explained.at ?? '',
          source: explained.source ?? '',
          sourceRoute: explained.sourceRoute ?? '',
        };
      }),
    };
  });
