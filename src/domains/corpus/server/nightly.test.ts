import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hours } from '../../../kernel/contract/time.ts';
import { startTestApp, type TestApp } from '../../../testing/testApp.ts';
import { corpusFaults } from './nightly.ts';
import { makeTreated, publishScene, sendNow, statesOf } from './testing/engineWorld.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

it('finds a touch outside the window, and nothing in what the engine itself did', async () => {
  await makeTreated(app, { icd10: 'I10', hba1c: '8' });
  const scene = await publishScene(app, { icd10: 'I10' });
  await app.advance(hours(1));
  await sendNow(app);
  expect(await statesOf(app, scene.scenePackageId)).toEqual(['SENT']);
  expect(await corpusFaults(app.db)).toEqual([]);
  await sql`update corpus_follow_send set claimed_at = claimed_at + interval '12 hours'`.execute(app.db);
  expect(await corpusFaults(app.db)).toEqual(['I2 发送时间窗外的触达 1条']);
});
