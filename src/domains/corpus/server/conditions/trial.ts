import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { evaluate } from '#kernel/contract/rules/evaluate.ts';
import { valueLabel } from '#kernel/contract/rules/sentence.ts';
import type { Facts } from '#kernel/contract/rules/rule.ts';
import { mask } from '#kernel/contract/masking.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { access as seesPatient, ageOn, searchDiagnosed, seesCareOf } from '#domains/patient/server/index.ts';
import type { ConditionRow, VariableRow } from '../../contract/conditionCalls.ts';
import { ruleOf, ruleVariableOf } from '../../contract/conditionRows.ts';
import { evaluateForPatient, queryTrialPatientList, type TrialAnswer } from '../../contract/scenePackageCalls.ts';
import { accessPackage, type SceneRecord } from '../access.ts';
import { own, type CorpusDb } from '../database.ts';
import { unitFacts, unitKey, type FactUnit } from '../facts/unitFacts.ts';
import { openUnits, unitsOfScene, type Unit } from '../facts/units.ts';
import { checkRows, loadConditionSet } from './sets.ts';
import { variablesByIds } from './variables.ts';

const MOST_PATIENTS = 20;

export const trialPatients = query(queryTrialPatientList, async ({ scenePackageId, keyword }, ctx) => {
  const { diseaseId } = await accessPackage(own(ctx.db), { scenePackageId });
  const { icd10Prefixes } = await own(ctx.db)
    .selectFrom('corpusDisease')
    .select('icd10Prefixes')
    .where('id', '=', diseaseId)
    .executeTakeFirstOrThrow();
  const found = await searchDiagnosed(ctx.db, ctx.staff, { prefixes: icd10Prefixes, name: keyword, limit: MOST_PATIENTS }, ctx.now);
  return found.map(({ patientId, name, gender, birthDate }) => ({
    patientId,
    patientName: mask('name', name),
    sex: gender === 2 ? (2 as const) : (1 as const),
    age: birthDate === null ? null : ageOn(birthDate, ctx.today),
  }));
});

/** Those of a patient's open conversations that the caller sees: an assistant his own. */
async function seenUnits(ctx: QueryContext, patientId: string): Promise<Unit[]> {
  const open = (await openUnits(ctx.db, [patientId])).get(patientId) ?? [];
  const { rows } = await sql<{ conversationId: string }>`
    select r.conversation_id
      from unnest(
        ${open.map((unit) => unit.patientId)}::bigint[], ${open.map(({ conversationId }) => conversationId)}::bigint[]
      ) as r (patient_id, conversation_id)
      where ${seesCareOf('r.patientId', sql.ref<string>('r.conversationId'), ctx.staff, ctx.now)}`.execute(ctx.db);
  const seen = new Set(rows.map(({ conversationId }) => conversationId));
  return open.filter(({ conversationId }) => seen.has(conversationId));
}

/**
 * The unit whose facts are read: the conversation that was named, else the latest open one that the scene may use. @throws Refusal
 * SCM90040
 */
async function unitOf(ctx: QueryContext, scene: SceneRecord, patientId: string, conversationId: string | null): Promise<FactUnit> {
  if (!(await seesPatient(ctx.db, patientId, ctx.staff, ctx.now))) throw refuse(platformErrors.NOT_FOUND);
  const open = await seenUnits(ctx, patientId);
  if (conversationId === null) return unitsOfScene(scene.chatFlag, open).at(-1) ?? { patientId, conversationId: null, doctorId: null };
  const named = open.find((unit) => unit.conversationId === conversationId);
  if (!named) throw refuse(platformErrors.NOT_FOUND);
  return named;
}

/** A child scene is judged only where its main scene's launch rows hold; one without effective rows lets everybody through. */
async function mainSceneOf(db: CorpusDb, mainSceneId: string) {
  const main = await db
    .selectFrom('corpusScene as s')
    .innerJoin('corpusScenePackage as p', 'p.sceneId', 's.id')
    .select(['s.name', 'p.id as scenePackageId'])
    .where('s.id', '=', mainSceneId)
    .executeTakeFirstOrThrow();
  const { rows } = await loadConditionSet(db, main.scenePackageId, 1);
  const variables = await variablesByIds(
    db,
    rows.map(({ variableId }) => variableId),
  );
  return { sceneName: main.name, rows, variables };
}

const judge = (rows: readonly ConditionRow[], variables: ReadonlyMap<string, VariableRow>, facts: Facts) =>
  evaluate(
    ruleOf(rows, (id) => variables.get(id)),
    facts,
  );

/** Tries conditions, saved or not, on one patient; writes nothing. */
export const tryOnPatient = query(evaluateForPatient, async (input, ctx): Promise<TrialAnswer> => {
  const db = own(ctx.db);
  const scene = await accessPackage(db, { scenePackageId: input.scenePackageId });
  const rowsIn = input.dataDetail ?? (await loadConditionSet(db, scene.scenePackageId, input.expType)).rows;
  const { rows, variables } = await checkRows(db, scene.scenePackageId, rowsIn);
  const unit = await unitOf(ctx, scene, input.patientId, input.conversationId);
  const main = input.expType === 1 && scene.mainSceneId !== null ? await mainSceneOf(db, scene.mainSceneId) : null;
  const codes = [...variables.values(), ...(main?.variables.values() ?? [])].map(({ variableCode }) => variableCode);
  const facts = (await unitFacts(ctx.db, [unit], codes, ctx.now)).get(unitKey(unit))!;
  const answer = judge(rows, variables, facts);
  const mainAnswer = main && judge(main.rows, main.variables, facts);
  const mainScene = main && mainAnswer && { sceneName: main.sceneName, held: mainAnswer.held || mainAnswer.empty };
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
