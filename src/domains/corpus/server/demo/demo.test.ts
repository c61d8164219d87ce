import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { icd10PrefixExists } from '#domains/identity/server/index.ts';
import { queryDiseaseList } from '../../contract/diseaseCalls.ts';
import { faultsOfRows } from '../../contract/conditionRows.ts';
import { queryVariableInfoDataList } from '../../contract/conditionCalls.ts';
import { querySceneList } from '../../contract/sceneCalls.ts';
import { own } from '../database.ts';
import { loadConditionSet } from '../conditions/sets.ts';
import { corpusOperator } from '../testing/fixtures.ts';
import { writeDemo } from './writeDemo.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await corpusOperator(app);
  await writeDemo({
    kernel: app.kernel,
    now: app.clock.now(),
    db: app.db,
    transaction: (work) => app.kernel.transactions.run('demo', work),
  });
});
afterAll(() => app.close());

it('has 60 diseases, 12 of them in the corpus with 46 scenes and 58 child scenes of every chat flag', async () => {
  const all = await app.ok(queryDiseaseList, { pageSize: 999 }, { as });
  const corpus = all.rows.filter((row) => row.available === 1);
  expect([all.total, corpus.length]).toEqual([60, 12]);
  const trees = await Promise.all(corpus.map((row) => app.ok(querySceneList, { diseaseId: row.id, pageNo: 1, pageSize: 999 }, { as })));
  const scenes = trees.flatMap((tree) => tree.rows);
  const children = scenes.flatMap((scene) => scene.dataDetail);
  expect([scenes.length, children.length]).toEqual([46, 58]);
  for (const rows of [scenes, children]) expect(new Set(rows.map((row) => row.chatFlag))).toEqual(new Set([0, 1, 2]));
  expect(trees.at(-1)!.rows).toEqual([]);
  for (const prefix of new Set(all.rows.flatMap((row) => row.icd10Prefixes))) {
    expect(await icd10PrefixExists(app.db, prefix), prefix).toBe(true);
  }
});

it('holds no condition that its own checks would refuse', async () => {
  const { rows: variables } = await app.ok(queryVariableInfoDataList, { pageSize: 999 }, { as });
  const byId = new Map(variables.map((variable) => [variable.variableId, variable]));
  const packages = await own(app.db).selectFrom('corpusScenePackage').select('id').execute();
  for (const { id } of packages) {
    for (const expType of [1, 2] as const) {
      const { rows } = await loadConditionSet(own(app.db), id, expType);
      expect(faultsOfRows(rows, (variableId) => byId.get(variableId))).toEqual([]);
    }
  }
});
