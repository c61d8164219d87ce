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

it('finds what nobody can do through the product, and nothing in what the engine itself did', async () => {
  await makeTreated(app, { icd10: 'I10', hba1c: '8' });
  const scene = await publishScene(app, { icd10: 'I10' });
  await app.advance(hours(1));
  await sendNow(app);
  expect(await statesOf(app, scene.scenePackageId)).toEqual(['SENT']);
  expect(await corpusFaults(app.db)).toEqual([]);
  const broken = async (statement: string, back: string) => {
    await app.database.asOwner(statement);
    const faults = await corpusFaults(app.db);
    await app.database.asOwner(back);
    return faults;
  };
  const moved = (by: string) => `update corpus_follow_send set claimed_at = claimed_at + interval '${by}'`;
  expect(await broken(moved('12 hours'), moved('-12 hours'))).toEqual(['I2 发送时间窗外的触达 1条']);
  const counted = (by: number) => `update corpus_touch_counter set count = count + ${by}`;
  expect(await broken(counted(9), counted(-9))).toEqual(['I3 超过每日上限的患者 1条']);
  const verdict = (from: string, to: string) =>
    `update corpus_follow_run set entry_explain = replace(entry_explain::text, '"${from}"', '"${to}"')::jsonb`;
  expect(await broken(verdict('HELD', 'NOT_HELD'), verdict('NOT_HELD', 'HELD'))).toEqual(['I9 自动进入的依据不成立 1条']);
  expect(await corpusFaults(app.db)).toEqual([]);
});
