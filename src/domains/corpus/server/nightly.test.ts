import { jobContext } from '#testing/jobContext.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hours } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { corpusFaults } from './nightly.ts';
import { finishDone } from './engine/lifecycle.ts';
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
  expect(await corpusFaults(app.db, app.clock.now())).toEqual([]);
  const broken = async (statement: string, back: string) => {
    await app.database.asOwner(statement);
    const faults = await corpusFaults(app.db, app.clock.now());
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
  const switched = `
    insert into corpus_send_switch (scope_type, scope_id, reason, created_at) values ('ENGINE', '', '演练', '2026-11-01T00:00:00Z')`;
  expect(await broken(switched, 'delete from corpus_send_switch')).toEqual(['I4 停发期间的触达 1条']);
  const unseen = (to: boolean) => `update corpus_gate_try set input = jsonb_set(input, '{consent,followUp}', '${to}')`;
  expect(await broken(unseen(false), unseen(true))).toEqual(['I4 未授权或随访暂停时的触达 1条']);
  const ended = (at: string, state: string, reason: string) =>
    `update corpus_follow_run set ended_at = ${at}, state = ${state}, stop_reason = ${reason}`;
  expect(await broken(ended(`entered_at`, `'STOPPED'`, `'MANUAL'`), ended('null', `'RUNNING'`, 'null'))).toEqual([
    'I4 随访未在进行时的触达 1条',
  ]);
  const renamed = (to: string) =>
    `update corpus_scene_preview set summary = jsonb_set(summary, '{counts,ENTER}', '${to}') where kind = 'DRY_RUN'`;
  expect(await broken(renamed('7'), renamed('1'))).toEqual(['I8 试运行结果与明细不符 1条']);
  const sentCount = (by: number) => `update corpus_follow_run set sent_count = sent_count + ${by}`;
  expect(await broken(sentCount(1), sentCount(-1))).toEqual(['I11 随访实例的计数与消息不符 1条']);
  // A run with nothing left ends within minutes; one that was forgotten is told.
  app.clock.advance(hours(72));
  expect(await corpusFaults(app.db, app.clock.now())).toEqual(['I10 没有后续触达的进行中随访 1条']);
  await finishDone(jobContext(app));
  expect(await corpusFaults(app.db, app.clock.now())).toEqual([]);
  const twice = await app.database
    .asOwner(`update corpus_follow_send set bubbles = bubbles || bubbles`)
    .then(() => corpusFaults(app.db, app.clock.now()));
  expect(twice).toEqual(['I1 重复的触达消息 1条']);
});
