import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addQuestionnaire,
  auditQuestionnaire,
  modifyQuestionnaire,
  queryByToken,
  queryQuestionnaireAnswerList,
  queryQuestionnaireDetail,
  submitAnswer,
} from '../../contract/questionnaires/calls.ts';
import { editor } from '../testing/materialFixtures.ts';
import { auditForm, makeForm, makePublished, reactionForm, sendForm } from '../testing/questionnaireFixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const eventsOf = async (questionnaireId: string) => {
  const { rows } = await sql<{ payload: { score: number; alerts: unknown[]; values: unknown[] } }>`
    select payload from kernel_outbox where name = 'corpus.form.submitted' and payload ->> 'questionnaireId' = ${questionnaireId}`.execute(
    app.db,
  );
  return rows.map(({ payload }) => payload);
};

describe('designing', () => {
  it('refuses what cannot be asked, each fault at its question', async () => {
    const as = await editor(app);
    const [q1, ...rest] = reactionForm.questions;
    const content = {
      questions: [
        { ...q1!, variableCode: 'patient.nothing' },
        { ...rest[0]!, showIf: { key: 'q1', labels: ['不知道'] } },
        { ...rest[1]!, min: 50 },
      ],
      alerts: [{ key: 'q2', operator: '>=' as const, value: 1, level: 'MID' as const, taskType: 'CALL' as const }],
    };
    const { code, fields } = await app.refused(addQuestionnaire, { title: '问卷', content }, { as });
    expect(code).toBe('SCM90020');
    expect(fields!.map(({ message }) => message)).toEqual([
      '第2题的显示条件引用了不存在的选项',
      '第3题最小值不能大于最大值',
      '第1条预警须引用选择题或数字题',
      '第1题对应的变量不存在',
    ]);
  });

  it('is judged by somebody else, and not edited meanwhile', async () => {
    const both = await app.staff({ permissions: ['corpus.corpus.view', 'corpus.material.edit', 'corpus.material.audit'] });
    const waiting = await auditForm(app, both, await makeForm(app, both), 'submit');
    const row = { id: waiting.id, version: waiting.version };
    expect(await app.refused(auditQuestionnaire, { ...row, action: 'approve' }, { as: both })).toMatchObject({ code: 'SCM11020' });
    expect(await app.refused(modifyQuestionnaire, { ...row, title: '改', content: reactionForm }, { as: both })).toMatchObject({
      code: 'SCM11054',
    });
  });

  it('answered questions change in a new version only, which old links do not ask', async () => {
    const form = await makePublished(app);
    const as = await editor(app);
    const [first, second] = [await sendForm(app, form.id), await sendForm(app, form.id)];
    await app.ok(submitAnswer, { token: first.token, answers: { q1: '没有' }, seconds: 9 });
    const changed = { ...reactionForm, questions: [{ ...reactionForm.questions[0]!, title: '改过的题目' }], alerts: [] };
    const input = { id: form.id, version: form.version, title: '新题', content: changed };
    expect(await app.refused(modifyQuestionnaire, input, { as })).toMatchObject({
      code: 'SCM11091',
      message: '问卷已有1份答卷，题目不可修改，请新建版本',
    });
    await app.ok(modifyQuestionnaire, { ...input, newVersion: true }, { as });
    expect(await app.ok(queryQuestionnaireDetail, { id: form.id }, { as })).toMatchObject({
      questionnaire: { state: 'ENABLED', editState: 'DRAFT', answerCount: 1 },
      draft: { questions: [{ title: '改过的题目' }] },
    });
    expect((await app.ok(queryByToken, { token: second.token })).questions).toHaveLength(3);
  });
});

describe('filling', () => {
  it('a wrong token opens nothing; one that is over says so', async () => {
    const form = await makePublished(app);
    const { token, sendId } = await sendForm(app, form.id, 1);
    for (const wrong of [`${sendId}.abc`, sendId, `1${token}`, `${token}.x`]) {
      expect(await app.refused(queryByToken, { token: wrong })).toMatchObject({
        code: 'SCM90040',
        message: '链接无效，请联系您的健康助理',
      });
    }
    await app.ok(queryByToken, { token });
    await app.advance(days(1));
    expect(await app.refused(queryByToken, { token })).toMatchObject({ code: 'SCM11093', message: '问卷已过期' });
    expect(await app.refused(submitAnswer, { token, answers: { q1: '没有' }, seconds: 1 })).toMatchObject({ code: 'SCM11093' });
  });

  it('names the questions that are wrong, drops what was hidden, and tells score, alerts and values', async () => {
    const form = await makePublished(app);
    const { token } = await sendForm(app, form.id);
    const refused = await app.refused(submitAnswer, { token, answers: { q1: '轻微', q3: 50 }, seconds: 1 });
    expect(refused.fields).toEqual([
      { path: 'answers.q2', message: '请填写此题' },
      { path: 'answers.q3', message: '不能大于43' },
    ]);
    await app.ok(submitAnswer, { token, answers: { q1: '严重', q2: '手臂红疹', q3: 37.5 }, seconds: 65 });
    const other = await sendForm(app, form.id);
    await app.ok(submitAnswer, { token: other.token, answers: { q1: '没有', q2: '藏着的' }, seconds: 5 });
    expect(await eventsOf(form.id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          score: 3,
          alerts: [{ level: 'HIGH', text: '有皮疹吗？：严重' }],
          values: [{ variableCode: 'patient.adverseGrade', value: '3' }],
        }),
        expect.objectContaining({ score: 0, alerts: [], values: [{ variableCode: 'patient.adverseGrade', value: '0' }] }),
      ]),
    );
    const { rows } = await app.ok(queryQuestionnaireAnswerList, { questionnaireId: form.id }, { as: await editor(app) });
    expect(rows).toMatchObject([
      { score: 0, alertText: '', answered: 1 },
      { score: 3, alertText: '高', answered: 3, seconds: 65 },
    ]);
  });

  it('counts once, also for three windows at the same moment', async () => {
    const form = await makePublished(app);
    const { token } = await sendForm(app, form.id);
    const sent = await Promise.all([1, 2, 3].map(() => app.send(submitAnswer, { token, answers: { q1: '没有' }, seconds: 3 })));
    expect(sent.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM11092', 'SCM11092']);
    expect(await app.refused(queryByToken, { token })).toMatchObject({ code: 'SCM11092', message: '问卷已提交' });
    expect(await eventsOf(form.id)).toHaveLength(1);
  });
});
