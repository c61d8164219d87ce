import { sql } from 'kysely';
import type { Writing } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { corpusDiseaseChanged, corpusSceneChanged } from '#events/corpus.ts';
import { targetsOf } from '../../contract/dictionaries.ts';
import { ownTx, type CorpusTx } from '../database.ts';
import { insertScenes } from '../scenes/add.ts';
import { variableSeeds } from '../conditions/variableReference.ts';
import { DEMO_IN_CORPUS, demoDiseases } from './diseases.ts';
import { presets, type DemoRow, type Preset } from './presets.ts';
import { demoScenes, type DemoScene } from './scenes.ts';

interface Place {
  tx: CorpusTx;
  publish: Writing['publish'];
  diseaseId: string;
  diseaseName: string;
  now: Instant;
}

const variableOf = new Map(variableSeeds.map((seed) => [seed.code, seed]));

async function writeConditions({ tx, diseaseId, now }: Place, scenePackageId: string, expType: 1 | 2, rows: readonly DemoRow[]) {
  if (rows.length === 0) return;
  const { id } = await tx
    .insertInto('corpusConditionSet')
    .values({ scenePackageId, expType, createdAt: now, updatedAt: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('corpusSceneCondition')
    .values(
      rows.map(([code, operatorValue, conditionValue, checked = 1, groupNo = 1], index) => {
        const variable = variableOf.get(code);
        if (!variable) throw new Error(`the demonstration names an unknown variable: ${code}`);
        return {
          conditionSetId: id,
          diseaseId,
          groupNo,
          sortNo: index + 1,
          role: variable.userType,
          variableId: String(variable.id),
          variableName: variable.name,
          operatorValue,
          conditionValue,
          checked,
          createdAt: now,
        };
      }),
    )
    .execute();
}

async function writePackage(place: Place, scenePackageId: string, scene: DemoScene): Promise<void> {
  const { tx, now } = place;
  const preset: Preset = presets[scene.preset];
  const target = targetsOf[scene.chatFlag][0]!;
  await writeConditions(place, scenePackageId, 1, scene.launch ?? preset.launch);
  await writeConditions(place, scenePackageId, 2, preset.stop);
  if (preset.items.length > 0) {
    await tx
      .insertInto('corpusScheduleItem')
      .values(
        preset.items.map(([dayOffset, sendTime, touchKind]) => ({
          itemKey: sql<string>`gen_random_uuid()`,
          scenePackageId,
          dayOffset,
          sendTime,
          touchKind,
          target,
          // Whether somebody comes again is asked by telephone too.
          createTask: touchKind === 'REVISIT' ? JSON.stringify({ taskType: 'CALL', dueInHours: 48 }) : null,
          createdAt: now,
          updatedAt: now,
        })),
      )
      .execute();
  }
  if (preset.cycle) {
    const { kind, ...cycle } = preset.cycle;
    await tx
      .insertInto('corpusPackageCycle')
      .values({ ...cycle, scenePackageId, touchKind: kind, target, createdAt: now, updatedAt: now })
      .execute();
  }
  if (preset.policy || scene.childExclusive) {
    await tx
      .updateTable('corpusScenePackage')
      .set({ ...preset.policy, ...(scene.childExclusive ? { childExclusive: true } : {}) })
      .where('id', '=', scenePackageId)
      .execute();
  }
}

async function writeScenes(place: Place, mainSceneId: string | null, scenes: readonly DemoScene[]): Promise<void> {
  if (scenes.length === 0) return;
  const made = await insertScenes(place.tx, { ...place, mainSceneId, by: null }, scenes);
  for (const [index, scene] of scenes.entries()) {
    const { id, name, chatFlag, scenePackageId } = made[index]!;
    const { diseaseId, diseaseName } = place;
    await place.publish(corpusSceneChanged, id, { sceneId: id, sceneName: name, diseaseId, diseaseName, chatFlag, state: 'UNPUBLISHED' });
    await writePackage(place, scenePackageId, scene);
    await writeScenes(place, id, scene.children ?? []);
  }
}

/** Dictionary, and corpus with every kind of scene. */
export async function writeDemo({ transaction, now }: DemoContext): Promise<void> {
  await transaction(async (writing) => {
    const tx = ownTx(writing.tx);
    const diseases = await tx
      .insertInto('corpusDisease')
      .values(
        demoDiseases.map(([diseaseCode, diseaseName, prefixes], index) => ({
          diseaseCode,
          diseaseName,
          icd10Prefixes: [...(prefixes ?? [diseaseCode])],
          available: index < DEMO_IN_CORPUS ? 1 : 0,
          sortNo: index < DEMO_IN_CORPUS ? index + 1 : 0,
          createdAt: now,
          updatedAt: now,
        })),
      )
      .returning(['id', 'diseaseCode', 'diseaseName', 'available'])
      .execute();
    for (const { id, diseaseCode, diseaseName, available } of diseases) {
      await writing.publish(corpusDiseaseChanged, id, { diseaseId: id, diseaseCode, diseaseName, available: available === 1 ? 1 : 0 });
      await writeScenes({ tx, publish: writing.publish, diseaseId: id, diseaseName, now }, null, demoScenes[diseaseCode] ?? []);
    }
  });
}
