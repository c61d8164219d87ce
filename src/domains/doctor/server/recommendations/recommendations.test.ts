import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addRecommendation,
  modifyRecommendation,
  offRecommendation,
  queryRecommendationList,
  queryRecommendationOccupancy,
  sortRecommendation,
} from '../../contract/calls/recommendations.ts';
import { peakOf } from '../../contract/rules/positions.ts';
import { keeper, makeDoctor } from '../testing/staffing.ts';
import { offRecommendations } from './activateDue.ts';
import { recommendationsModule } from './module.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const at = (hour: number) => plusMs('2026-11-21T02:00:00.000Z', hours(hour));
const wish = (doctorId: string, from: number, to: number, scopeKey = 'keyword:糖尿病') => ({
  position: scopeKey === '*' ? ('HOME' as const) : ('SEARCH' as const),
  scopeKey,
  doctorId,
  startAt: at(from),
  endAt: at(to),
});
const sound = async () => {
  for (const [name, statement] of recommendationsModule.invariants!)
    expect((await sql<{ n: number }>`${sql.raw(statement)}`.execute(app.db)).rows[0]!.n, name).toBe(0);
};

describe('places at an instant', () => {
  it('are as many as run then, whatever the order', () => {
    const stretch = fc
      .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 20 }))
      .map(([from, length]) => ({ startAt: at(from), endAt: at(from + length) }));
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 12 }), stretch, (others, window) => {
        const counts = Array.from({ length: 61 }, (_, hour) =>
          at(hour) >= window.startAt && at(hour) < window.endAt
            ? others.filter(({ startAt, endAt }) => startAt <= at(hour) && at(hour) < endAt).length
            : 0,
        );
        expect(peakOf(others, window)).toBe(Math.max(...counts));
      }),
    );
  });
});

describe('recommendations', () => {
  it('refuse what cannot be shown', async () => {
    const as = await keeper(app);
    const doctor = await makeDoctor(app);
    expect(await app.refused(addRecommendation, wish(await makeDoctor(app, { practiceOk: false }), 1, 2), { as })).toMatchObject({
      code: 'SCM07053',
    });
    expect((await app.refused(addRecommendation, { ...wish(doctor, 1, 2), scopeKey: '*' }, { as })).fields).toMatchObject([
      { path: 'scopeKey', message: '请输入搜索词（最多20个字符）' },
    ]);
    expect(
      (await app.refused(addRecommendation, { ...wish(doctor, 1, 2), position: 'DISEASE', scopeKey: 'disease:987654' }, { as })).fields?.[0]
        ?.message,
    ).toBe('所选病种不存在');
    expect((await app.refused(addRecommendation, wish(doctor, 2, 1), { as })).fields?.[0]?.message).toBe('结束时间须晚于开始时间');
    expect((await app.refused(addRecommendation, wish(doctor, 0, 24 * 181), { as })).fields?.[0]?.message).toBe('推荐时长最多180天');
    expect((await app.refused(addRecommendation, wish(doctor, -3, -1), { as })).fields?.[0]?.message).toBe('结束时间须晚于当前时间');
    await app.ok(addRecommendation, wish(doctor, 1, 5), { as });
    expect(await app.refused(addRecommendation, wish(doctor, 4, 9), { as })).toMatchObject({ code: 'SCM07052' });
    await app.ok(addRecommendation, wish(doctor, 5, 9), { as });
  });

  it('hold eight on the home page at any instant; after one ends there is room', async () => {
    const as = await keeper(app);
    const rows = [];
    for (let index = 0; index < 8; index += 1)
      rows.push(await app.ok(addRecommendation, wish(await makeDoctor(app), 0, index === 0 ? 10 : 48, '*'), { as }));
    const ninth = await makeDoctor(app);
    expect(await app.refused(addRecommendation, wish(ninth, 9, 20, '*'), { as })).toMatchObject({
      code: 'SCM07051',
      message: '该推荐位在此时段已满（8位）',
    });
    const late = await app.ok(addRecommendation, wish(ninth, 10, 20, '*'), { as });
    expect(await app.refused(modifyRecommendation, { id: late.id, version: 1, startAt: at(9), endAt: at(20) }, { as })).toMatchObject({
      code: 'SCM07051',
    });
    const home = (await app.ok(queryRecommendationOccupancy, {}, { as })).find(({ position }) => position === 'HOME');
    expect(home).toMatchObject({ capacity: 8, scopes: [{ scopeKey: '*', scopeName: '首页', used: 8, waiting: 1, peak: 8 }] });
    await app.ok(modifyRecommendation, { id: rows[1]!.id, version: 1, adcode: '330106', startAt: at(0), endAt: at(48) }, { as });
    expect((await app.ok(queryRecommendationList, { scopeKey: '*' }, { as })).rows.filter(({ adcode }) => adcode !== null)).toMatchObject([
      { adcode: '330106', region: '浙江省杭州市西湖区' },
    ]);
    await app.ok(offRecommendation, { id: rows[3]!.id, version: 1, opinion: '停止合作' }, { as });
    await app.ok(modifyRecommendation, { id: late.id, version: 1, startAt: at(9), endAt: at(20) }, { as });
    await sound();
  });

  it('never get too many by two who add at once', async () => {
    const as = await keeper(app);
    const scope = 'keyword:高血压';
    for (let index = 0; index < 2; index += 1) await app.ok(addRecommendation, wish(await makeDoctor(app), 0, 9, scope), { as });
    const doctors = [await makeDoctor(app), await makeDoctor(app), await makeDoctor(app)];
    const answers = await Promise.all(doctors.map((doctor) => app.send(addRecommendation, wish(doctor, 1, 2, scope), { as })));
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM07051', 'SCM07051']);
    await sound();
  });

  it('start and end by time, and leave with the qualification', async () => {
    const as = await keeper(app);
    const doctor = await makeDoctor(app);
    const { id, state } = await app.ok(addRecommendation, wish(doctor, 1, 2, 'keyword:肺炎'), { as });
    expect(state).toBe('WAITING');
    const second = await app.ok(addRecommendation, wish(doctor, 3, 30, 'keyword:肺炎'), { as });
    const shown = async () =>
      (await app.ok(queryRecommendationList, { scopeKey: 'keyword:肺炎' }, { as })).rows.map((row) => [row.id, row.state]);
    await app.advance(hours(1));
    expect(await shown()).toEqual([
      [id, 'ON'],
      [second.id, 'WAITING'],
    ]);
    expect((await app.refused(modifyRecommendation, { id, version: 2, startAt: at(1.5), endAt: at(2) }, { as })).fields?.[0]?.message).toBe(
      '已开始展示，不能修改开始时间',
    );
    await app.kernel.transactions.run('test', (writing) =>
      offRecommendations({ ...writing, now: app.clock.now(), traceId: 'test' }, doctor, '医生资质已过期'),
    );
    expect(await shown()).toEqual([
      [id, 'OFF'],
      [second.id, 'OFF'],
    ]);
    expect(await app.refused(offRecommendation, { id, version: 3, opinion: '再次下架' }, { as })).toMatchObject({ code: 'SCM90031' });
  });

  it('stand in the order they were dragged into', async () => {
    const as = await keeper(app);
    const scope = 'keyword:肾病';
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1)
      ids.push((await app.ok(addRecommendation, wish(await makeDoctor(app), 5, 9, scope), { as })).id);
    const [one, two, three] = ids as [string, string, string];
    expect(await app.refused(sortRecommendation, { position: 'SEARCH', scopeKey: scope, ids: ['999999999'] }, { as })).toMatchObject({
      code: 'SCM90040',
    });
    await app.ok(sortRecommendation, { position: 'SEARCH', scopeKey: scope, ids: [three, one] }, { as });
    expect((await app.ok(queryRecommendationList, { scopeKey: scope }, { as })).rows.map(({ id }) => id)).toEqual([three, one, two]);
  });
});
