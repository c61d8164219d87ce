import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { changeServiceItemState, modifyServiceItem, previewServiceItemBands, queryServiceItemDetail } from '../../contract/calls/items.ts';
import {
  addServiceOpening,
  auditServiceOpening,
  exportOpeningApplyList,
  batchAuditServiceOpening,
  batchOpenService,
  changeOpeningState,
  modifyServiceOpening,
  queryOpeningApplyList,
  queryServiceOpeningDetail,
} from '../../contract/calls/openings.ts';
import { getServiceItem } from '../items/read.ts';
import { textsTo } from '../testing/qual.ts';
import { advance, paidOrder } from '../testing/orders.ts';
import {
  applyFor,
  itemFields,
  makeItem,
  makeSeller,
  mondayMorning,
  openFor,
  operator,
  priceBands,
  videoItem,
} from '../testing/services.ts';
import { liveOpeningsOf, restoreOpenings, suspendOpenings } from './onDoctorChanged.ts';
import { freeSlot, takeSlot } from './slots.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const opening = async (id: string) => (await app.ok(queryServiceOpeningDetail, { id }, { as: await operator(app) })).opening;
const inTransaction = <T>(work: (ctx: ReturnType<typeof asSystem>) => Promise<T>) =>
  app.kernel.transactions.run('test', (writing) => work(asSystem(writing, { now: app.clock.now(), traceId: 'test' })));
const changed = async () =>
  (
    await sql<{
      payload: { openingId: string; state: string };
    }>`select payload from kernel_outbox where name = 'doctor.opening.changed' order by id`.execute(app.db)
  ).rows.map(({ payload }) => payload);

describe('asking for an opening (scenario 10)', () => {
  it('is refused by its guards, then waits for an audit', async () => {
    const as = await operator(app);
    const itemId = await makeItem(app, {
      careKind: 'DIAGNOSIS',
      titleMin: 'ATTENDING',
      priceBands: { ...priceBands, RESIDENT: undefined },
    });
    const wish = { itemId, priceFen: 9_900 };
    expect((await app.refused(addServiceOpening, { ...wish, doctorId: await makeSeller(app, { practiceOk: false }) }, { as })).code).toBe(
      'SCM07040',
    );
    expect(
      await app.refused(addServiceOpening, { ...wish, doctorId: await makeSeller(app, { titleCode: 'RESIDENT' }) }, { as }),
    ).toMatchObject({ code: 'SCM07041', message: '该服务要求主治医师及以上职称' });
    expect(
      (await app.refused(addServiceOpening, { ...wish, doctorId: await makeSeller(app, { practiceLevel: 'ASSISTANT' }) }, { as })).code,
    ).toBe('SCM07042');
    expect(
      (await app.refused(addServiceOpening, { ...wish, doctorId: await makeSeller(app, { practiceSince: '2023-11-22' }) }, { as })).code,
    ).toBe('SCM07042');
    const doctorId = await makeSeller(app, { practiceSince: '2023-11-21' });
    expect(await app.refused(addServiceOpening, { ...wish, doctorId, priceFen: 20_001 }, { as })).toMatchObject({
      code: 'SCM07043',
      message: '价格须在30.00元至200.00元之间',
    });
    expect((await app.refused(addServiceOpening, { doctorId, itemId: await makeItem(app, videoItem), priceFen: 9_900 }, { as })).code).toBe(
      'SCM07044',
    );
    expect((await app.refused(addServiceOpening, { doctorId, itemId: await makeItem(app, {}, false), priceFen: 9_900 }, { as })).code).toBe(
      'SCM90031',
    );
    expect(await app.ok(addServiceOpening, { ...wish, doctorId }, { as })).toMatchObject({ state: 'PENDING' });
    expect((await app.refused(addServiceOpening, { ...wish, doctorId }, { as })).code).toBe('SCM07045');
  });

  it('made twice at once leaves one application', async () => {
    const as = await operator(app);
    const wish = { doctorId: await makeSeller(app), itemId: await makeItem(app), priceFen: 9_900 };
    const answers = await Promise.all([1, 2, 3].map(() => app.send(addServiceOpening, wish, { as })));
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM07045', 'SCM07045']);
  });

  it('does not reach doctors outside the scope', async () => {
    const as = await app.staff({ permissions: ['doctor.opening.edit'], scope: { region: ['110000'] } });
    expect(
      (await app.refused(addServiceOpening, { doctorId: await makeSeller(app), itemId: await makeItem(app), priceFen: 9_900 }, { as }))
        .code,
    ).toBe('SCM90040');
  });
});

describe('the audit', () => {
  it('takes another person, asks the guards again and tells everybody', async () => {
    const { id, applyId, doctorId, itemId } = await applyFor(app);
    const [maker, checker] = [await operator(app), await operator(app, 'checker')];
    const decision = { applyId, version: 1, action: 'approve' } as const;
    expect((await app.refused(auditServiceOpening, decision, { as: maker })).code).toBe('SCM07046');
    expect((await app.refused(auditServiceOpening, { ...decision, action: 'reject' }, { as: checker })).code).toBe('SCM90020');
    await sql`update doctor_doctor set practice_ok = false where id = ${doctorId}`.execute(app.db);
    expect((await app.refused(auditServiceOpening, decision, { as: checker })).code).toBe('SCM07040');
    await sql`update doctor_doctor set practice_ok = true where id = ${doctorId}`.execute(app.db);
    expect(await app.ok(auditServiceOpening, decision, { as: checker })).toMatchObject({ state: 'APPROVED' });
    expect((await app.refused(auditServiceOpening, decision, { as: checker })).code).toBe('SCM90030');
    expect(await opening(id)).toMatchObject({ state: 'ON', priceFen: 9_900, averageFen: 9_900, pendingApply: null });
    expect((await changed()).at(-1)).toEqual({
      openingId: id,
      doctorId,
      itemId,
      itemName: expect.any(String),
      priceFen: 9_900,
      state: 'ON',
    });
    expect(await getServiceItem(app.db, itemId, doctorId)).toMatchObject({
      opened: true,
      priceFen: 9_900,
      realNameFloor: 'NONE',
      roundLimit: 20,
      videoSecLimit: null,
    });
    await app.runDue();
    const { rows } = await sql<{
      title: string;
    }>`select title from identity_notice where business_key = ${`doctor.openingApply:${applyId}:result`}`.execute(app.db);
    expect(rows[0]?.title).toMatch(/开通申请已通过$/);
    expect((await textsTo(app, '13800000000')).at(-1)).toMatch(/^【康桥】您的“图文问诊\d+”开通申请已通过。$/);
  });

  it('of two auditors at once, one decides', async () => {
    const { applyId } = await applyFor(app);
    const people = await Promise.all([operator(app, 'checker'), operator(app, 'second')]);
    const answers = await Promise.all(
      people.map((as) => app.send(auditServiceOpening, { applyId, version: 1, action: 'approve' }, { as })),
    );
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM90030']);
  });

  it('is taken back by whoever asked, and by nobody else', async () => {
    const { id, applyId } = await applyFor(app);
    expect(
      (await app.refused(auditServiceOpening, { applyId, version: 1, action: 'withdraw' }, { as: await operator(app, 'checker') })).code,
    ).toBe('SCM90020');
    await app.ok(auditServiceOpening, { applyId, version: 1, action: 'withdraw' }, { as: await operator(app) });
    expect(await opening(id)).toMatchObject({ state: 'CLOSED' });
  });

  it('in a batch answers row by row', async () => {
    const [maker, checker] = [await operator(app), await operator(app, 'checker')];
    const good = await applyFor(app);
    const bad = await applyFor(app);
    await sql`update doctor_doctor set practice_ok = false where id = ${bad.doctorId}`.execute(app.db);
    const applyIds = [good.applyId, bad.applyId];
    expect((await app.refused(batchAuditServiceOpening, { applyIds, action: 'reject' }, { as: checker })).code).toBe('SCM90020');
    expect((await app.ok(batchAuditServiceOpening, { applyIds, action: 'approve' }, { as: maker })).map(({ ok }) => ok)).toEqual([
      false,
      false,
    ]);
    expect(await app.ok(batchAuditServiceOpening, { applyIds, action: 'approve' }, { as: checker })).toMatchObject([
      { ok: true, message: '已通过' },
      { ok: false, message: '医生未完成资质认证，不能开通服务' },
    ]);
  });

  it('many doctors at once: each by itself', async () => {
    const as = await operator(app);
    const itemId = await makeItem(app);
    const [fine, stopped] = [await makeSeller(app, { name: '王海燕' }), await makeSeller(app, { practiceOk: false })];
    expect((await app.refused(batchOpenService, { doctorIds: [fine], itemId, priceMode: 'FIXED' }, { as })).code).toBe('SCM90020');
    const outcomes = await app.ok(batchOpenService, { doctorIds: [fine, stopped, '999999999'], itemId, priceMode: 'DEFAULT' }, { as });
    expect(outcomes).toMatchObject([
      { name: '王海燕', ok: true },
      { ok: false, message: '医生未完成资质认证，不能开通服务' },
      { ok: false, message: '医生不存在或已删除' },
    ]);
    const { rows } = await app.ok(queryOpeningApplyList, { doctorId: fine }, { as });
    expect(rows).toMatchObject([{ toPriceFen: 9_900, kind: 'OPEN', state: 'PENDING', own: true }]);
  });
});

describe('prices (scenario 11)', () => {
  it('20.00 % at once, one fen more by audit, one application at a time', async () => {
    const [maker, checker] = [await operator(app), await operator(app, 'checker')];
    const first = await openFor(app);
    const second = await openFor(app);
    const change = { id: first.id, version: 2, reason: '按门诊价调整' };
    expect((await app.refused(modifyServiceOpening, { ...change, priceFen: 11_880, reason: '' }, { as: maker })).code).toBe('SCM90020');
    expect((await app.refused(modifyServiceOpening, { ...change, priceFen: 20_001 }, { as: maker })).code).toBe('SCM07043');
    expect((await app.refused(modifyServiceOpening, { ...change, version: 1, priceFen: 11_880 }, { as: maker })).code).toBe('SCM90030');
    expect(await app.ok(modifyServiceOpening, { ...change, priceFen: 11_880 }, { as: maker })).toMatchObject({ priceResult: 'APPLIED' });
    expect(await opening(first.id)).toMatchObject({ priceFen: 11_880 });

    const beyond = { id: second.id, version: 2, reason: '按门诊价调整', priceFen: 11_881 };
    expect(await app.ok(modifyServiceOpening, beyond, { as: maker })).toMatchObject({ priceResult: 'AUDIT' });
    const pending = (await opening(second.id)).pendingApply!;
    expect(await opening(second.id)).toMatchObject({ priceFen: 9_900, pendingApply: { toPriceFen: 11_881 } });
    expect((await app.refused(modifyServiceOpening, { ...beyond, version: 3, priceFen: 10_000 }, { as: maker })).code).toBe('SCM07047');
    expect((await app.refused(auditServiceOpening, { applyId: pending.id, version: 1, action: 'approve' }, { as: maker })).code).toBe(
      'SCM07046',
    );
    await app.ok(auditServiceOpening, { applyId: pending.id, version: 1, action: 'approve' }, { as: checker });
    const { opening: now, prices } = await app.ok(queryServiceOpeningDetail, { id: second.id }, { as: maker });
    expect(now).toMatchObject({ priceFen: 11_881, pendingApply: null, state: 'ON' });
    expect(prices.map(({ priceFen, source }) => [priceFen, source])).toEqual([
      [9_900, 'OPEN'],
      [11_881, 'AUDIT'],
    ]);
  });

  it('a wish that is refused leaves the price, and says so in the history of the opening', async () => {
    const [maker, checker] = [await operator(app), await operator(app, 'checker')];
    const { id, doctorId } = await openFor(app);
    const { applyNo } = await app.ok(modifyServiceOpening, { id, version: 2, reason: '名医门诊', priceFen: 19_000 }, { as: maker });
    const { pendingApply } = await opening(id);
    expect(
      (await app.refused(auditServiceOpening, { applyId: pendingApply!.id, version: 1, action: 'reject' }, { as: checker })).code,
    ).toBe('SCM90020');
    await app.ok(
      auditServiceOpening,
      { applyId: pendingApply!.id, version: 1, action: 'reject', opinion: '高于同职称均价一倍' },
      { as: checker },
    );
    const { opening: now, trail } = await app.ok(queryServiceOpeningDetail, { id }, { as: maker });
    expect(now).toMatchObject({ doctorId, priceFen: 9_900, pendingApply: null, state: 'ON' });
    expect(trail.at(-1)).toMatchObject({
      label: `调价申请${applyNo}驳回`,
      opinion: '高于同职称均价一倍',
      displayName: checker.displayName,
    });
    expect(
      await app
        .file(
          exportOpeningApplyList,
          { openingId: id, format: 'CSV', columns: ['applyNo', 'kind', 'fromPriceFen', 'toPriceFen', 'state', 'opinion'] },
          { as: maker },
        )
        .then(({ body }) => body.toString()),
    ).toContain(`${applyNo},调价,99.00,190.00,已驳回,高于同职称均价一倍`);
  });

  it('a second change within 30 days is audited, however small', async () => {
    const { id } = await openFor(app);
    await app.ok(modifyServiceOpening, { id, version: 2, priceFen: 10_000, reason: '微调价格' }, { as: await operator(app) });
    expect(
      await app.ok(modifyServiceOpening, { id, version: 3, priceFen: 10_001, reason: '微调价格' }, { as: await operator(app) }),
    ).toMatchObject({ priceResult: 'AUDIT' });
  });

  it("a new band leaves prices alone and names whom it leaves outside; a stale version shows the colleague's change (scenario 24)", async () => {
    const as = await operator(app);
    const { itemId, doctorId } = await openFor(app);
    const { item } = await app.ok(queryServiceItemDetail, { id: itemId }, { as });
    const low = { minFen: 1_000, defaultFen: 2_000, maxFen: 9_899 };
    const bands = { ...priceBands, ATTENDING: low };
    expect(await app.ok(previewServiceItemBands, { id: itemId, priceBands: bands }, { as })).toMatchObject({
      total: 1,
      doctors: [{ doctorId, priceFen: 9_900, band: low }],
    });
    const fields = { ...itemFields(item.categoryId), name: item.name };
    expect(
      (
        await app.refused(
          modifyServiceItem,
          { id: itemId, version: 2, ...fields, priceBands: { ...priceBands, ATTENDING: { ...low, minFen: 3_000 } } },
          { as },
        )
      ).code,
    ).toBe('SCM07056');
    expect((await app.refused(modifyServiceItem, { id: itemId, version: 2, ...fields, careKind: 'DIAGNOSIS' }, { as })).code).toBe(
      'SCM90020',
    );
    await app.ok(modifyServiceItem, { id: itemId, version: 2, ...fields, priceBands: bands }, { as });
    expect(
      await app.refused(modifyServiceItem, { id: itemId, version: 2, ...fields }, { as: await operator(app, 'checker') }),
    ).toMatchObject({ code: 'SCM90030', data: { current: { version: 3, priceBands: { ATTENDING: low } } } });
    expect(await getServiceItem(app.db, itemId, doctorId)).toMatchObject({ priceFen: 9_900 });
  });
});

describe('states', () => {
  it('stop with the certificates and come back as they were (scenario 8)', async () => {
    const as = await operator(app);
    const doctorId = await makeSeller(app);
    const on = await openFor(app, { doctorId });
    const paused = await openFor(app, { doctorId });
    await app.ok(changeOpeningState, { id: paused.id, version: 2, action: 'pause' }, { as });
    expect((await liveOpeningsOf(app.db, [doctorId])).map(({ openingId }) => openingId)).toEqual([on.id]);
    await sql`update doctor_doctor set practice_ok = false, qual_state = 'EXPIRED' where id = ${doctorId}`.execute(app.db);
    expect((await app.refused(changeOpeningState, { id: paused.id, version: 3, action: 'resume' }, { as })).code).toBe('SCM07040');
    await inTransaction((ctx) => suspendOpenings(ctx, doctorId, 'CERT'));
    await inTransaction((ctx) => suspendOpenings(ctx, doctorId, 'FREEZE'));
    expect(await opening(on.id)).toMatchObject({ state: 'SUSPENDED', suspendReason: 'CERT' });
    expect(await liveOpeningsOf(app.db, [doctorId])).toEqual([]);
    await inTransaction((ctx) => restoreOpenings(ctx, doctorId, 'CERT'));
    expect(await opening(on.id)).toMatchObject({ state: 'SUSPENDED' });
    await sql`update doctor_doctor set practice_ok = true, qual_state = 'APPROVED' where id = ${doctorId}`.execute(app.db);
    await inTransaction((ctx) => restoreOpenings(ctx, doctorId, 'CERT'));
    expect([(await opening(on.id)).state, (await opening(paused.id)).state]).toEqual(['ON', 'PAUSED']);
    expect((await changed()).filter(({ openingId }) => openingId === on.id).map(({ state }) => state)).toEqual(['ON', 'SUSPENDED', 'ON']);
  });

  it('an item off the shelf is bought from nobody, though its openings stay', async () => {
    const { id, itemId, doctorId } = await openFor(app);
    await app.ok(changeServiceItemState, { id: itemId, version: 2, action: 'off', opinion: '停止合作' }, { as: await operator(app) });
    await app.runDue();
    expect(await opening(id)).toMatchObject({ state: 'ON' });
    expect(await getServiceItem(app.db, itemId, doctorId)).toMatchObject({ opened: false });
    expect((await changed()).findLast(({ openingId }) => openingId === id)).toMatchObject({ state: 'PAUSED' });
  });

  it('closing ends what still waits for an audit and frees the item for a new application', async () => {
    const as = await operator(app);
    const { id, doctorId, itemId } = await openFor(app);
    await app.ok(modifyServiceOpening, { id, version: 2, priceFen: 19_000, reason: '名医门诊' }, { as });
    expect((await app.refused(changeOpeningState, { id, version: 3, action: 'close' }, { as })).code).toBe('SCM90020');
    const order = await paidOrder(app, { openingId: id });
    expect(await app.refused(changeOpeningState, { id, version: 3, action: 'close', opinion: '医生不再接诊' }, { as })).toMatchObject({
      code: 'SCM07048',
      message: '有进行中的订单（1单），完成后再关闭',
    });
    await advance(app, order.orderId, 'DOCTOR_REFUSE');
    await app.runDue();
    await app.ok(changeOpeningState, { id, version: 3, action: 'close', opinion: '医生不再接诊' }, { as });
    const { rows } = await app.ok(queryOpeningApplyList, { openingId: id }, { as });
    expect(rows.map(({ kind, state }) => [kind, state])).toEqual([
      ['PRICE', 'WITHDRAWN'],
      ['OPEN', 'APPROVED'],
    ]);
    expect(await applyFor(app, { doctorId, itemId })).toMatchObject({ doctorId });
  });
});

describe('R4: places of a time (scenario 15)', () => {
  // Monday 23 November, 09:00 in China.
  const slotAt = '2026-11-23T01:00:00.000Z';
  const taken = async (id: string) =>
    (await sql<{ quota: number; taken: number }>`select quota, taken from doctor_opening_slot where opening_id = ${id}`.execute(app.db))
      .rows;
  const take = (id: string, at = slotAt) =>
    inTransaction((ctx) => takeSlot(ctx, id, at)).then(
      () => 'taken',
      (error: { code: string }) => error.code,
    );

  it('of many buyers at once, as many get one as there are places', async () => {
    const { id } = await openFor(app, { itemId: await makeItem(app, videoItem), slots: mondayMorning });
    expect(await take(id, '2026-11-23T02:00:00.000Z')).toBe('SCM90020');
    expect(await take(id, '2026-11-16T01:00:00.000Z')).toBe('SCM90020');
    const answers = await Promise.all(Array.from({ length: 6 }, () => take(id)));
    expect(answers.toSorted()).toEqual(['SCM07076', 'SCM07076', 'SCM07076', 'SCM07076', 'taken', 'taken']);
    await inTransaction((ctx) => freeSlot(ctx, id, slotAt));
    expect(await taken(id)).toEqual([{ quota: 2, taken: 1 }]);
    expect(await take(id)).toBe('taken');
    for (let n = 0; n < 4; n += 1) await inTransaction((ctx) => freeSlot(ctx, id, slotAt));
    expect(await taken(id)).toEqual([{ quota: 2, taken: 0 }]);
  });

  it('a smaller week never takes away what is booked', async () => {
    const as = await operator(app);
    const { id } = await openFor(app, { itemId: await makeItem(app, videoItem), slots: mondayMorning });
    await take(id);
    await take(id);
    expect((await app.refused(modifyServiceOpening, { id, version: 2, slots: [] }, { as })).code).toBe('SCM07044');
    expect(
      (
        await app.refused(
          modifyServiceOpening,
          { id, version: 2, slots: [...mondayMorning, { weekday: 1, from: '09:30', to: '11:00', quota: 1 }] },
          { as },
        )
      ).code,
    ).toBe('SCM90020');
    await app.ok(
      modifyServiceOpening,
      { id, version: 2, slots: [{ weekday: 1, from: '09:00', to: '10:00', quota: 1 }], dailyLimit: 5 },
      { as },
    );
    expect(await taken(id)).toEqual([{ quota: 2, taken: 2 }]);
    const { booked } = await app.ok(queryServiceOpeningDetail, { id }, { as });
    expect(booked).toEqual([{ slotAt, quota: 2, taken: 2 }]);
  });
});

it('an automatic change is free again after 30 days', async () => {
  const { id } = await openFor(app);
  await app.ok(modifyServiceOpening, { id, version: 2, priceFen: 10_000, reason: '微调价格' }, { as: await operator(app) });
  app.clock.advance(days(30));
  expect(
    await app.ok(modifyServiceOpening, { id, version: 3, priceFen: 10_001, reason: '微调价格' }, { as: await operator(app) }),
  ).toMatchObject({ priceResult: 'APPLIED' });
});
