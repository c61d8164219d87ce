import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestApp } from '#testing/testApp.ts';
import { addFollowRun } from '../../contract/engine/runCalls.ts';
import { makeText, publishScene, type Treated } from './engineWorld.ts';

/** Runs of one scene by hand, whose touches are due at once; as many as asked in each conversation. */
export async function manyDue(app: TestApp, patients: readonly Treated[], perPatient: number) {
  await sql`update corpus_engine_setting set cap_per_day = 20, cap7_days = 100, rate_per_second = 1000, same_material_gap_days = 0`.execute(
    app.db,
  );
  const scene = await publishScene(app, {
    launch: [],
    policy: { entryMode: 'MANUAL', activeGuardMin: 0 },
    items: [{ dayOffset: 3, sendTime: '09:00' }],
  });
  const added = await app.ok(
    addFollowRun,
    { scenePackageId: scene.scenePackageId, patientIds: patients.map(({ patientId }) => patientId), reason: '试发' },
    { as: scene.by },
  );
  expect(added.every(({ ok }) => ok)).toBe(true);
  const texts: string[] = [];
  for (let n = 0; n < perPatient; n += 1) texts.push(await makeText(app));
  await sql`
    insert into corpus_follow_send (
      dedupe_key, run_id, scene_package_id, item_key, occurrence, material_ids, patient_id, target, touch_kind, priority, due_at,
      next_try_at, expires_at, state, created_at, updated_at
    )
      select 'FU:' || run_id || ':x:' || n, run_id, scene_package_id, 'x', n, (${texts}::bigint[])[n:n], patient_id, target, touch_kind,
        priority,
          ${app.clock.now()}, ${app.clock.now()}, expires_at, 'PLANNED', created_at, updated_at
        from corpus_follow_send, generate_series(1, ${perPatient}) as n
        where scene_package_id = ${scene.scenePackageId} and item_key <> 'x'`.execute(app.db);
  // As a database that runs has been: without them each of the engine's statements reads whole tables.
  if (patients.length * perPatient >= 100) await app.database.asOwner('analyze');
  return scene;
}

/** Messages of a scene's touches, and how many keys they have. */
export const countKeys = async (app: TestApp, scenePackageId: string) => {
  const { rows } = await sql<{ messages: number; keys: number }>`
    select count(*)::int as messages, count(distinct client_msg_id)::int as keys from consultation_im_message m
     where exists (
       select from corpus_follow_send s where s.scene_package_id = ${scenePackageId} and m.client_msg_id = s.dedupe_key || '#1'
     )`.execute(app.db);
  return rows[0]!;
};
