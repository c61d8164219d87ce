import { loadImage } from '@napi-rs/canvas';
import { sql, type Selectable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minutes } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { decodePicture } from '#domains/channel/server/codes/draw.ts';
import { unzip } from '#domains/channel/server/testing/unzip.ts';
import { downloadExportFile, queryExportTaskList } from '#domains/files/contract/calls/exports.ts';
import {
  batchGenerateDoctorCard,
  disableDoctorCard,
  downloadDoctorCard,
  exportDoctorCardZip,
  generateDoctorCard,
  previewDoctorCard,
  queryDoctorCardList,
  queryDoctorCardTask,
} from '../../contract/calls/cards.ts';
import type { DoctorTables } from '../database.ts';
import { keeper, makeDoctor } from '../testing/staffing.ts';
import { CARD, drawCard, POSTER } from './draw.ts';
import { disableCard, refreshCard } from './onDoctorChanged.ts';
import { isCurrent } from './make.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const looks = { template: 'BLUE', headline: '守护您的心脏', showFields: ['AVATAR', 'DEPARTMENT', 'DISEASES', 'SPECIALTY'] } as const;
const asked = { ...looks, showFields: [...looks.showFields] };
const cardOf = async (doctorId: string) =>
  (await sql<Selectable<DoctorTables['doctorCard']>>`select * from doctor_card where doctor_id = ${doctorId}`.execute(app.db)).rows[0]!;
const act = <T>(work: (ctx: Parameters<typeof refreshCard>[0]) => Promise<T>) =>
  app.kernel.transactions.run('test', (writing) => work({ ...writing, now: app.clock.now(), traceId: 'test' }));

async function ready(): Promise<string> {
  const doctorId = await makeDoctor(app);
  await app.ok(generateDoctorCard, { doctorId, ...asked }, { as: await keeper(app) });
  await app.runDue();
  return doctorId;
}

describe('pictures', () => {
  it('have their size and a code that reads, however long the texts', async () => {
    const facts = {
      ...looks,
      name: '欧阳慕容·买买提江',
      title: '副主任医师',
      hospital: '浙江大学医学院附属第一医院国际医疗保健与心血管病中心',
      department: '心血管内科',
      diseases: ['高血压', '冠状动脉粥样硬化性心脏病', '心力衰竭'],
      specialty: '高血压与冠心病的长期管理。'.repeat(40),
      intro: '从医三十年。'.repeat(80),
      avatarFileId: null,
      link: 'https://kangqiao.test/q/7K3QX9M2DX',
    };
    for (const template of ['BLUE', 'GREEN', 'GOLD'] as const) {
      const drawn = await drawCard({ ...facts, template }, null);
      const poster = await loadImage(drawn.poster);
      expect([poster.width, poster.height]).toEqual([POSTER.width, POSTER.height]);
      expect((await loadImage(drawn.card)).width).toBe(CARD.width);
      expect(await decodePicture(drawn.poster)).toBe(facts.link);
      expect(await decodePicture(drawn.card)).toBe(facts.link);
      expect(drawn.thumb.length).toBeLessThan(20_000);
    }
  });
});

describe('cards', () => {
  it('are made for doctors who may be consulted alone', async () => {
    const as = await keeper(app);
    const doctorId = await makeDoctor(app, { practiceOk: false });
    expect(await app.refused(generateDoctorCard, { doctorId, ...asked }, { as })).toMatchObject({ code: 'SCM07055' });
    expect(
      await app.refused(
        generateDoctorCard,
        { doctorId: await makeDoctor(app, { adcode: '460105' }), ...asked },
        { as: await keeper(app, { region: ['330000'] }) },
      ),
    ).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(downloadDoctorCard, { doctorId: await makeDoctor(app) }, { as })).toMatchObject({
      code: 'SCM90040',
      message: '名片尚未生成',
    });
  });

  it('carry a code of channel, once for good', async () => {
    const as = await keeper(app);
    const doctorId = await ready();
    const [row] = (await app.ok(queryDoctorCardList, { state: ['READY'] }, { as })).rows.filter(({ id }) => id === doctorId);
    expect(row).toMatchObject({
      state: 'READY',
      template: 'BLUE',
      failReason: null,
      thumb: expect.stringMatching(/^data:image\/webp/) as string,
    });
    const { body } = await app.file(downloadDoctorCard, { doctorId }, { as });
    expect(await decodePicture(body)).toBe(row!.link);
    expect((await app.ok(queryDoctorCardList, {}, { as })).rows.find(({ id }) => id === doctorId)).toMatchObject({ shareCount: 1 });
    const scan = await app.inject({
      method: 'GET',
      url: new URL(row!.link!).pathname,
      headers: { 'user-agent': 'Mozilla/5.0 (iPhone) MicroMessenger/8.0' },
    });
    expect(scan.status).toBe(200);
    await app.ok(generateDoctorCard, { doctorId, ...asked, template: 'GOLD' }, { as });
    await app.runDue();
    expect(await cardOf(doctorId)).toMatchObject({ state: 'READY', template: 'GOLD', codeLink: row!.link });
  });

  it('become STALE when something printed changes, and are drawn again (I10)', async () => {
    const doctorId = await ready();
    await sql`update doctor_doctor set intro = '新简介' where id = ${doctorId}`.execute(app.db);
    await act((ctx) => refreshCard(ctx, doctorId));
    expect((await cardOf(doctorId)).state).toBe('READY'); // the introduction is not printed on this one
    await sql`update doctor_doctor set title_code = 'CHIEF' where id = ${doctorId}`.execute(app.db);
    await act((ctx) => refreshCard(ctx, doctorId));
    expect((await cardOf(doctorId)).state).toBe('STALE');
    await app.advance(minutes(2));
    const card = await cardOf(doctorId);
    expect(card.state).toBe('READY');
    expect(await isCurrent(app.db, card)).toBe(true);
  });

  it('of disabled doctors no longer open', async () => {
    const as = await keeper(app);
    const doctorId = await ready();
    await act((ctx) => disableCard(ctx, doctorId));
    const { state, codeLink } = await cardOf(doctorId);
    expect(state).toBe('DISABLED');
    expect(
      (
        await app.inject({
          method: 'GET',
          url: new URL(codeLink!).pathname,
          headers: { 'user-agent': 'Mozilla/5.0 (iPhone) MicroMessenger/8.0' },
        })
      ).status,
    ).toBe(410);
    expect(await app.refused(disableDoctorCard, { doctorId, version: 4 }, { as })).toMatchObject({ code: 'SCM90031' });
  });

  it('are made in batches with progress; who cannot have one is named', async () => {
    const as = await keeper(app);
    const good = [await makeDoctor(app), await makeDoctor(app)];
    const bad = await makeDoctor(app, { practiceOk: false, name: '王海燕' });
    const { taskId, total } = await app.ok(batchGenerateDoctorCard, { doctorIds: [...good, bad], ...asked }, { as });
    expect(total).toBe(3);
    expect(await app.ok(queryDoctorCardTask, { taskId }, { as })).toMatchObject({ state: 'RUNNING', done: 0 });
    await app.runDue();
    expect(await app.ok(queryDoctorCardTask, { taskId }, { as })).toMatchObject({
      state: 'PARTIAL',
      done: 3,
      failures: [{ id: bad, name: '王海燕', message: '医生未认证，不能生成名片' }],
    });
    expect(await app.refused(queryDoctorCardTask, { taskId }, { as: await keeper(app) })).toMatchObject({ code: 'SCM90040' });
    await app.ok(exportDoctorCardZip, { doctorIds: [...good, bad] }, { as });
    await app.runDue();
    const [task] = (await app.ok(queryExportTaskList, {}, { as })).rows;
    expect(task).toMatchObject({ state: 'SUCCESS', format: 'ZIP', rowCount: 4 });
    const { body } = await app.file(downloadExportFile, { taskId: task!.taskId }, { as });
    expect(unzip(body).map(({ name }) => name.replace(/^YS\d+_/, ''))).toEqual([
      '李文博_名片.png',
      '李文博_海报.png',
      '李文博_名片.png',
      '李文博_海报.png',
    ]);
  });

  it('can be looked at with other looks before they are made', async () => {
    const { poster, link } = await app.ok(
      previewDoctorCard,
      { doctorId: await makeDoctor(app), looks: { ...asked, template: 'GREEN' } },
      { as: await keeper(app) },
    );
    expect(poster).toMatch(/^data:image\/png;base64,/);
    expect(link).toBeNull();
  });
});
