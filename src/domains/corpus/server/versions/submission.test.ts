import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addScenePreview } from '../../contract/engine/previewCalls.ts';
import { addSceneReplay } from '../../contract/engine/replayCalls.ts';
import { addSceneSimulation } from '../../contract/engine/simulationCalls.ts';
import { MOST_CANDIDATES } from '../previews/dryRun.ts';
import { audit, auditRefused, dryRun, giveMaterials, makeText, newestVersion, prepareScene, setPolicy } from '../testing/engineWorld.ts';
import { row } from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('a draft', () => {
  it('is handed in neither without a launch condition in effect nor with nothing to send', async () => {
    const scene = await prepareScene(app, { icd10: 'L20', launch: [row('>', '7', { checked: 0 })] });
    await dryRun(app, scene);
    expect(await auditRefused(app, scene, 'submit', scene.by)).toMatchObject({
      code: 'SCM11016',
      message: '启动条件为空或均未生效，不能发布',
    });
    // Who is let in by hand alone needs none.
    await setPolicy(app, scene, { entryMode: 'MANUAL' });
    await giveMaterials(app, scene.scenePackageId, []);
    await dryRun(app, scene);
    expect(await auditRefused(app, scene, 'submit', scene.by)).toMatchObject({
      code: 'SCM11017',
      message: '没有可发送的语料内容，不能发布',
    });
    await giveMaterials(app, scene.scenePackageId, [await makeText(app)]);
    await dryRun(app, scene);
    await audit(app, scene, 'submit', scene.by);
    expect(await newestVersion(app, scene)).toMatchObject({ state: 'AUDITING', seq: 1 });
  });

  it('is tried on no more people than somebody can look through', async () => {
    const scene = await prepareScene(app, { icd10: 'L30' });
    await sql`
      with person as (
        insert into patient_patient (patient_no, name, gender, birth_date, source, created_at, updated_at)
          select 'PT' || lpad((n + 80000000)::text, 8, '0'), '众患', 1, date '1950-01-01', 'IMPORT', ${app.clock.now()}::timestamptz,
              ${app.clock.now()}::timestamptz
            from generate_series(1, ${MOST_CANDIDATES + 1}::int) n
            returning id
      )
      insert into patient_diagnosis (patient_id, icd10, name, is_primary, diagnosed_at, state, source, created_at, updated_at)
      select id, 'L30.9', '皮炎', true, date '2024-01-01', 'CONFIRMED', 'IMPORT', ${app.clock.now()}::timestamptz,
          ${app.clock.now()}::timestamptz
        from person`.execute(app.db);
    const { scenePackageId } = scene;
    const refusals = [
      await app.refused(addScenePreview, { scenePackageId, source: 'DRAFT' }, { as: scene.by }),
      await app.refused(addSceneReplay, { scenePackageId }, { as: scene.by }),
      await app.refused(addSceneSimulation, { scenePackageId, source: 'DRAFT', days: 14 }, { as: scene.by }),
    ];
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ code: 'SCM11090', message: '试运行人数超过上限（100000人），请缩小范围' });
    const { rows } = await sql`select 1 from corpus_scene_preview where scene_package_id = ${scenePackageId}`.execute(app.db);
    expect(rows).toEqual([]);
  });
});
