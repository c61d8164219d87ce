import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addMaterial,
  addMaterialFolder,
  auditMaterial,
  delMaterial,
  delMaterialFolder,
  modifyMaterial,
  previewMaterial,
  queryMaterialDetail,
  queryMaterialList,
  queryMaterialUsage,
} from '../../contract/materials/calls.ts';
import { addSchedule } from '../../contract/scheduleCalls.ts';
import { own } from '../database.ts';
import { corpusOperator, makePatient, makeSceneOfNewDisease } from '../testing/fixtures.ts';
import { materialsFor } from './forEngine.ts';
import { act, auditor, editor, makeEnabled, makeMaterial, makeSubmitted, uploadPicture, words } from '../testing/materialFixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const add = async (content: ReturnType<typeof words>) => app.refused(addMaterial, { title: '素材', content }, { as: await editor(app) });

describe('contents', () => {
  it.each([
    ['{{手机号:您}}好', '手机号'],
    ['{{患者称呼}}好', '患者称呼'],
    ['{{患者称呼:}}好', '患者称呼'],
  ])('%s is refused: SCM11053', async (text, name) => {
    expect(await add(words(text))).toMatchObject({ code: 'SCM11053', message: `变量“${name}”不存在或缺少缺省值` });
  });

  it.each(['http://mp.weixin.qq.com/a', 'https://evil.example/a', 'https://mp.weixin.qq.com.evil.example/a', 'javascript:alert(1)', 'abc'])(
    'a link to %s is refused: SCM11051',
    async (url) => {
      expect(await add({ type: 'ARTICLE', title: '文章', url })).toMatchObject({
        code: 'SCM11051',
        message: '链接须为https且在允许的域名内',
      });
    },
  );

  it('a card opens a known mini program, an image is one’s own upload, a medicine and a questionnaire exist', async () => {
    expect(await add({ type: 'MINI_CARD', appId: 'wx0', path: 'pages/a', title: '卡片' })).toMatchObject({ code: 'SCM90020' });
    expect(await add({ type: 'MEDICINE_CARD', medicineId: '999999999' })).toMatchObject({
      code: 'SCM90020',
      fields: [{ message: '药品不存在或未上架' }],
    });
    expect(await add({ type: 'QUESTIONNAIRE', questionnaireId: '999999999', validDays: 7 })).toMatchObject({
      fields: [{ message: '问卷不存在或未启用' }],
    });
    expect(await add({ type: 'QUESTIONNAIRE', questionnaireId: '1', validDays: 31 })).toMatchObject({ code: 'SCM90020' });
    const [mine, others] = [await editor(app), await editor(app)];
    const fileId = await uploadPicture(app, mine);
    expect(await app.refused(addMaterial, { title: '图', content: { type: 'IMAGE', fileId } }, { as: others })).toMatchObject({
      code: 'SCM02014',
    });
    const { id } = await makeMaterial(app, mine, { type: 'IMAGE', fileId });
    const { draft } = await app.ok(queryMaterialDetail, { id }, { as: mine });
    expect(draft).toMatchObject({
      content: { type: 'IMAGE', fileId },
      facts: { image: { fileId } },
      pictureUrl: expect.stringContaining('/files/get/'),
    });
  });
});

describe('review', () => {
  it('hard words refuse a submission, soft ones ask the auditor for a note', async () => {
    const [writer, judge] = [await editor(app), await auditor(app)];
    const hard = await makeMaterial(app, writer, words('本品可根 治糖尿病，无效退款'));
    expect(await app.refused(auditMaterial, { ...hard, action: 'submit' }, { as: writer })).toMatchObject({
      code: 'SCM11052',
      message: '文本包含禁用词：无效退款、根治',
    });
    const soft = await makeSubmitted(app, writer, words('本周免费义诊'));
    expect(await app.refused(auditMaterial, { id: soft.id, version: soft.version, action: 'approve' }, { as: judge })).toMatchObject({
      code: 'SCM11052',
      fields: [{ path: 'opinion', message: '文本包含谨慎使用的词，通过时请填写意见' }],
    });
    expect(await act(app, judge, soft, 'approve', '公益活动，属实')).toMatchObject({ state: 'ENABLED' });
  });

  it('is by somebody else, and content under audit is not edited', async () => {
    const both = await app.staff({ permissions: ['corpus.corpus.view', 'corpus.material.edit', 'corpus.material.audit'] });
    const submitted = await makeSubmitted(app, both);
    const version = { id: submitted.id, version: submitted.version };
    for (const action of ['approve', 'reject'] as const) {
      expect(await app.refused(auditMaterial, { ...version, action, opinion: '自己审核' }, { as: both })).toMatchObject({
        code: 'SCM11020',
        message: '提交人与审核人不能为同一人',
      });
    }
    expect(await app.refused(modifyMaterial, { ...version, title: '改', content: words() }, { as: both })).toMatchObject({
      code: 'SCM11054',
      message: '素材正在审核中，不能编辑',
    });
    expect(await app.refused(auditMaterial, { ...version, action: 'submit' }, { as: both })).toMatchObject({ code: 'SCM90031' });
    expect(await app.refused(auditMaterial, { ...version, action: 'approve' }, { as: await editor(app) })).toMatchObject({
      code: 'SCM90010',
    });
    expect(await app.refused(auditMaterial, { ...version, action: 'reject' }, { as: await auditor(app) })).toMatchObject({
      code: 'SCM90020',
    });
    expect((await app.ok(queryMaterialList, { toAudit: true }, { as: both })).rows.map(({ id }) => id)).not.toContain(submitted.id);
    const judge = await auditor(app);
    expect((await app.ok(queryMaterialList, { toAudit: true }, { as: judge })).rows.map(({ id }) => id)).toContain(submitted.id);
    expect(await act(app, judge, submitted, 'reject', '请写明用法')).toMatchObject({ state: 'DRAFT' });
  });

  it('two auditors decide once', async () => {
    const submitted = await makeSubmitted(app, await editor(app));
    const judges = await Promise.all([auditor(app), auditor(app), auditor(app)]);
    const answers = await Promise.all(
      judges.map((as) => app.send(auditMaterial, { id: submitted.id, version: submitted.version, action: 'approve' }, { as })),
    );
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM90030', 'SCM90030']);
  });

  it('a changed content waits for its audit while the approved one is sent', async () => {
    const writer = await editor(app);
    const used = await makeEnabled(app);
    const sent = async () => (await materialsFor(app.db, [used.id])).get(used.id)?.usable;
    const first = await sent();
    const edited = await app.ok(
      modifyMaterial,
      { id: used.id, version: used.version, title: '新标题', content: words('新的文本') },
      { as: writer },
    );
    const waiting = await act(app, writer, edited, 'submit');
    expect(waiting).toMatchObject({ state: 'ENABLED' });
    expect(await sent()).toMatchObject({ materialVersionId: first!.materialVersionId, content: words() });
    const detail = await app.ok(queryMaterialDetail, { id: used.id }, { as: writer });
    expect(detail).toMatchObject({
      material: { state: 'ENABLED', editState: 'AUDITING' },
      current: { content: words() },
      draft: { content: words('新的文本') },
      versions: [
        { seq: 2, verdict: 'AUDITING' },
        { seq: 1, verdict: 'APPROVED' },
      ],
    });
    await act(app, await auditor(app), waiting, 'approve');
    expect(await sent()).toMatchObject({ content: words('新的文本') });
    expect((await sent())!.materialVersionId).not.toBe(first!.materialVersionId);
  });

  it('the same content again is no new version', async () => {
    const used = await makeEnabled(app);
    const writer = await editor(app);
    await app.ok(modifyMaterial, { id: used.id, version: used.version, title: '只改标题', content: words() }, { as: writer });
    expect((await app.ok(queryMaterialDetail, { id: used.id }, { as: writer })).material).toMatchObject({
      title: '只改标题',
      editState: 'NONE',
    });
  });

  it('disabled ones are not sent; used in a running scene they are disabled only when confirmed', async () => {
    const writer = await editor(app);
    const used = await makeEnabled(app);
    const scene = await makeSceneOfNewDisease(app);
    await app.ok(
      addSchedule,
      { scenePackageId: scene.scenePackageId, dayOffset: 1, sendTime: '09:00', target: 'AUTO', touchKind: 'CARE', materialIds: [used.id] },
      { as: await corpusOperator(app) },
    );
    expect(await app.ok(queryMaterialUsage, { id: used.id }, { as: writer })).toMatchObject([
      { kind: 'SCHEDULE', sceneId: scene.id, dayOffset: 1, sendTime: '09:00' },
    ]);
    expect((await app.ok(queryMaterialList, { ids: [used.id] }, { as: writer })).rows).toMatchObject([{ usageCount: 1 }]);
    await own(app.db).updateTable('corpusScenePackage').set({ state: 'RUNNING' }).where('id', '=', scene.scenePackageId).execute();
    const disable = { id: used.id, version: used.version, action: 'disable', opinion: '内容过时' } as const;
    expect(await app.refused(auditMaterial, disable, { as: writer })).toMatchObject({
      code: 'SCM11050',
      message: '素材被1个运行中场景引用，停用后相关消息将跳过，请确认',
    });
    const off = await app.ok(auditMaterial, { ...disable, confirmed: true }, { as: writer });
    expect((await materialsFor(app.db, [used.id])).get(used.id)?.usable).toBe(null);
    expect(await app.refused(auditMaterial, { id: used.id, version: off.version, action: 'enable' }, { as: writer })).toMatchObject({
      code: 'SCM90010',
    });
    await act(app, await auditor(app), off, 'enable');
    expect((await materialsFor(app.db, [used.id])).get(used.id)?.usable).toMatchObject({ materialId: used.id });
  });
});

describe('library', () => {
  it('drafts alone are deleted, and those that nothing names', async () => {
    const writer = await editor(app);
    const used = await makeEnabled(app);
    expect(await app.refused(delMaterial, { id: used.id, version: used.version }, { as: writer })).toMatchObject({ code: 'SCM90031' });
    const draft = await makeMaterial(app, writer);
    const scene = await makeSceneOfNewDisease(app);
    await app.ok(
      addSchedule,
      { scenePackageId: scene.scenePackageId, dayOffset: 1, sendTime: '09:00', target: 'AUTO', touchKind: 'CARE', materialIds: [draft.id] },
      { as: await corpusOperator(app) },
    );
    expect(await app.refused(delMaterial, draft, { as: writer })).toMatchObject({ fields: [{ message: '素材已被场景引用，不能删除' }] });
    await app.ok(delMaterial, await makeMaterial(app, writer), { as: writer });
  });

  it('folders are two levels, their names differ, and only empty ones go', async () => {
    const as = await editor(app);
    const top = await app.ok(addMaterialFolder, { name: '糖尿病教育' }, { as });
    expect((await app.refused(addMaterialFolder, { name: '糖尿病教育' }, { as })).fields).toMatchObject([{ path: 'name' }]);
    const below = await app.ok(addMaterialFolder, { name: '饮食', parentId: top.id }, { as });
    expect(await app.refused(addMaterialFolder, { name: '再下', parentId: below.id }, { as })).toMatchObject({
      fields: [{ message: '目录最多2级' }],
    });
    await app.ok(addMaterial, { title: '低糖食谱', folderId: below.id, content: words() }, { as });
    expect((await app.ok(queryMaterialList, { folderId: top.id }, { as })).rows.map(({ title }) => title)).toEqual(['低糖食谱']);
    for (const folder of [top, below])
      expect(await app.refused(delMaterialFolder, folder, { as })).toMatchObject({
        fields: [{ message: '目录不为空，请先移走其中的素材和目录' }],
      });
  });

  it('previews with a patient’s values, for who may see them', async () => {
    const patientId = await makePatient(app, {}, '欧阳明');
    await sql`update patient_patient set birth_date = '1955-01-01' where id = ${patientId}`.execute(app.db);
    const content = words('{{患者称呼:您}}今年{{年龄:—}}岁，还有{{剩余用药天数:几}}天的药');
    expect(await app.refused(previewMaterial, { content, patientId }, { as: await editor(app) })).toMatchObject({ code: 'SCM90010' });
    const { bubble } = await app.ok(previewMaterial, { content, patientId }, { as: await corpusOperator(app) });
    expect(bubble).toEqual({ type: 'TIMTextElem', payload: { text: '欧阳先生今年71岁，还有几天的药' } });
  });
});

describe('the database', () => {
  const attempt = (statement: ReturnType<typeof sql>) => statement.execute(app.db);
  it('keeps what was submitted, and auditors apart from submitters', async () => {
    const waiting = await makeSubmitted(app, await editor(app));
    const { rows } = await sql<{ id: string; submittedBy: string }>`
      select id, submitted_by from corpus_material_version where material_id = ${waiting.id}`.execute(app.db);
    await expect(attempt(sql`update corpus_material_version set content = '{}' where id = ${rows[0]!.id}`)).rejects.toThrow(
      /does not change/,
    );
    await expect(
      attempt(
        sql`update corpus_material_version set state = 'APPROVED', auditor_id = submitted_by, audited_at = now() where id = ${rows[0]!.id}`,
      ),
    ).rejects.toThrow(/check constraint/);
  });
  it('knows no item that names a material that there is not', async () => {
    await expect(
      attempt(
        sql`
          update corpus_schedule_item set material_ids = array[999999999]::bigint[] where id = (select min(id) from corpus_schedule_item)`,
      ),
    ).rejects.toThrow(/does not exist/);
  });
});
