import { createHash } from 'node:crypto';
import { canonicalJson } from '#kernel/contract/canonicalJson.ts';
import type { ConditionRow } from '../../contract/conditionCalls.ts';
import type { FrozenRow, PackageSnapshot } from '../../contract/engine/snapshot.ts';
import type { CreateTask } from '../../contract/tasks/createTask.ts';
import { policyOf } from '../scenes/packages.ts';
import { loadConditionSet } from '../conditions/sets.ts';
import type { CorpusDb } from '../database.ts';
import { variablesByIds } from '../conditions/variables.ts';

export const hashOf = (snapshot: PackageSnapshot): string => createHash('sha256').update(canonicalJson(snapshot)).digest('hex');

/** Rows with the codes of their variables, so that a version needs no catalogue. */
export async function freeze(db: CorpusDb, rows: readonly ConditionRow[]): Promise<FrozenRow[]> {
  const variables = await variablesByIds(
    db,
    rows.map(({ variableId }) => variableId),
  );
  return rows.map(({ groupNo, role, variableId, variableName, operatorValue, conditionValue, checked }) => ({
    groupNo,
    role,
    variableId,
    variableCode: variables.get(variableId)!.variableCode,
    variableName,
    operatorValue,
    conditionValue,
    checked,
  }));
}

const launchOf = async (db: CorpusDb, scenePackageId: string) => freeze(db, (await loadConditionSet(db, scenePackageId, 1)).rows);

/** The editable settings of a package as a version would freeze them now. */
export async function draftSnapshot(db: CorpusDb, scenePackageId: string): Promise<PackageSnapshot> {
  const scene = await db
    .selectFrom('corpusScenePackage as p')
    .innerJoin('corpusScene as s', 's.id', 'p.sceneId')
    .leftJoin('corpusScenePackage as m', 'm.sceneId', 's.mainSceneId')
    .selectAll('p')
    .select(['s.chatFlag', 'm.id as mainPackageId'])
    .where('p.id', '=', scenePackageId)
    .executeTakeFirstOrThrow();
  const { chatFlag, mainPackageId } = scene;
  const schedule = await db
    .selectFrom('corpusScheduleItem')
    .select(['itemKey', 'dayOffset', 'sendTime', 'target', 'touchKind', 'materialIds', 'itemConditions', 'createTask'])
    .where('scenePackageId', '=', scenePackageId)
    .orderBy('dayOffset')
    .orderBy('sendTime')
    .orderBy('id')
    .execute();
  const cycle = await db
    .selectFrom('corpusPackageCycle')
    .select(['timeOption', 'sendTime', 'age', 'playMode', 'target', 'touchKind', 'materialIds'])
    .where('scenePackageId', '=', scenePackageId)
    .executeTakeFirst();
  return {
    chatFlag,
    policy: policyOf(scene),
    launch: await launchOf(db, scenePackageId),
    stop: await freeze(db, (await loadConditionSet(db, scenePackageId, 2)).rows),
    mainLaunch: mainPackageId === null ? null : await launchOf(db, mainPackageId),
    schedule: await Promise.all(
      // The rows were checked when they were saved.
      schedule.map(async ({ createTask, ...item }) => ({
        ...item,
        itemConditions: await freeze(db, item.itemConditions as ConditionRow[]),
        ...(createTask !== null && { createTask: createTask as CreateTask }),
      })),
    ),
    cycle: cycle ?? null,
  };
}
